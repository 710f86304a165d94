import type { Failure, FailureCode } from '../../../domain/failure.ts'

/** The refusal an error of the server or of the way to it stands for; null for any other error, which is a bug. */
export function failureOfPostgres(error: unknown, what: string): Failure | null {
  const code = codeOf(error)
  if (code === null) return null
  const [failure, words] = meaningOf(code)
  const message = error instanceof Error ? error.message : String(error)
  return { code: failure, message: `${what} ${words} (${message}).`, facts: { sqlstate: code } }
}

/** Codes of the server: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return error.code
}

function meaningOf(code: string): readonly [FailureCode, string] {
  if (isLoss(code)) return ['sandbox_failed', 'lost its connection; the work in its transaction is gone']
  if (code === '40001' || code === '40P01')
    return ['conflict', 'has rows that somebody else changed since the plan began to work with it']
  if (code === '55P03') return ['transient', 'is locked by somebody else; try again']
  if (code.startsWith('28'))
    return ['unauthenticated', 'did not let us in; set PGPASSWORD or write ~/.pgpass']
  if (code === '3D000') return ['not_found', 'does not exist on its server']
  if (code === '53100') return ['disk_full', 'has no room left on its disk']
  return ['sandbox_failed', 'could not be worked with']
}

export function isLoss(code: string): boolean {
  return (
    ['25P01', '25P03', '57P01', '57P02', '57P03', 'EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT'].includes(
      code,
    ) ||
    code.startsWith('08') ||
    code.startsWith('CONNECT')
  )
}
