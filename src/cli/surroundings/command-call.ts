import { type Command, done, failed, refuse } from '../command.ts'

/** For people who debug: any method, as it is. */
export const call: Command = async ({ given: typed, connect, signal }) => {
  const params = readParams(typed.maybe('json') ?? '{}')
  if (params === null)
    return refuse('invalid_input', `The parameters are no JSON object. Write them as '{"name": "value"}'.`)
  const client = await connect()
  const answer = await client.raw.unary(typed.one('method'), params, signal)
  return answer.ok
    ? done(answer.value, result => JSON.stringify(result, null, 2).split('\n'))
    : failed(answer.failure)
}

function readParams(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
