import type { MethodName, Output, Params } from '../a2a/protocol/methods.ts'
import { type Command, type CommandContext, type Done, done, failed } from './command.ts'
import type { Paper } from './render/paper.ts'

/** The command that is one call and its printing, as most are. */
export function simpleCall<Name extends MethodName>(
  method: Name,
  paramsOf: (context: CommandContext) => Params<Name>,
  render: (data: Output<Name>, paper: Paper) => readonly string[],
  more: (data: Output<Name>) => Partial<Omit<Done, 'lines'>> = () => ({}),
): Command {
  return async context => {
    const client = await context.connect()
    const answer = await client.call(method, paramsOf(context), { signal: context.signal })
    return answer.ok ? done(answer.value, render, more(answer.value)) : failed(answer.failure)
  }
}

/** The value only where it was given: the protocol tells a missing field from an empty one. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  // A computed key loses its literal type; it is the one just passed.
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}
