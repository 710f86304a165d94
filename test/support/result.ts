import type { Result } from '../../src/domain/failure.ts'

/** The value of a result that the test expects to be one; the refusal's sentence becomes the test's failure. */
export function expectOk<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.value
}
