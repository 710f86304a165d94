import type { Failure, FailureCode } from '../../domain/failure.ts'
import type { JsonRpcError } from '../protocol/envelope.ts'
import { type ErrorData, type ErrorType, errorCodes } from '../protocol/error-codes.ts'

/** Complete by type: a failure code without a number does not compile. */
const numbers: Readonly<Record<FailureCode, number>> = errorCodes

/** An expected refusal as our own methods answer it. */
export function toError(failure: Failure): JsonRpcError {
  return { code: numbers[failure.code], ...described(failure.code, failure.message, failure.facts) }
}

/** A refusal that only the wire knows (a bad envelope, an unknown method, a bug). */
export function wireError(
  type: ErrorType,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): JsonRpcError {
  return { code: errorCodes[type], ...described(type, message, facts) }
}

/** Who says so, in the words of google.rpc.ErrorInfo: clients of any generation can switch on reason and domain. */
export function errorInfo(reason: string, domain: string, facts: Readonly<Record<string, unknown>>) {
  const metadata = Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, asText(value)]))
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata }
}

const OUR_DOMAIN = 'cleveragents'

function described(type: ErrorType, message: string, facts: Readonly<Record<string, unknown>>) {
  const details = [errorInfo(type.toUpperCase(), OUR_DOMAIN, {})]
  const data: ErrorData = { error_type: type, family: 'cleveragents', details, facts }
  return { message, data }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}
