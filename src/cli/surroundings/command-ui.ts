import { type Command, type CommandContext, ended, refuse } from '../command.ts'

export const ui: Command = async context => {
  if (!hasTerminal(context.host))
    return refuse(
      'invalid_input',
      'The screen needs a terminal. Without one use the commands: agents plan list, agents plan use ACTION; see agents --help.',
    )
  return ended(await context.host.runScreen({ ...context.screen, startWith: 'home' }))
}

export function hasTerminal({ stdin, stdout }: CommandContext['host']): boolean {
  return stdin.isTTY === true && stdout.isTTY === true
}
