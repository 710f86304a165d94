import type { Failure, FailureCode } from '../../../domain/failure.ts'
import type { Sdk } from './sdk.ts'

type A2AErrorName =
  | 'TaskNotFoundError'
  | 'UnsupportedOperationError'
  | 'RequestMalformedError'
  | 'TaskNotCancelableError'
  | 'ContentTypeNotSupportedError'
  | 'PushNotificationNotSupportedError'
  | 'ExtendedAgentCardNotConfiguredError'

/** A2A's own errors only, ours in their metadata. What is not named here is an operation that is not supported now. */
const errorOf: Readonly<Partial<Record<FailureCode, A2AErrorName>>> = {
  not_found: 'TaskNotFoundError',
  invalid_input: 'RequestMalformedError',
  ambiguous: 'RequestMalformedError',
  already_exists: 'RequestMalformedError',
}

export function refusal(sdk: Sdk, failure: Failure, name?: A2AErrorName): Error {
  const error = name ?? errorOf[failure.code] ?? 'UnsupportedOperationError'
  return new sdk.errors[error]({ message: failure.message, metadata: { error_type: failure.code } })
}
