import { errorCodes } from '../../src/a2a/protocol/error-codes.ts'
import { exitCodeOfFailure, exitCodes } from '../../src/cli/exit-codes.ts'
import { code, markdownTable } from './section.ts'

/** Complete by type: a code that nobody explains does not compile. */
const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done, nothing waits',
  failed: 'failed',
  usage: 'wrong usage or invalid input',
  gateWaits: 'a gate waits for a person',
  notFound: 'not found',
  limit: 'over a budget or limit',
  conflict: 'conflict: apply constrained, answer too late, store of a newer version',
  denied: 'denied: safety, trust, authorisation',
  interrupted: 'interrupted',
  terminated: 'terminated',
}

export function exitCodeTable(): string {
  const rows = Object.entries(exitCodes).map(([name, number]) => [
    String(number),
    meanings[name as keyof typeof exitCodes], // the entries of the same constant
  ])
  return markdownTable(['code', 'meaning'], rows)
}

/** How a refusal is named, and which numbers it has on the wire and as an exit code. */
export function errorTypeTable(): string {
  const rows = Object.entries(errorCodes).map(([type, number]) => [
    code(type),
    String(exitCodeOfFailure(type)),
    String(number),
  ])
  return markdownTable(['`error.type`', 'exit code', 'JSON-RPC code'], rows)
}
