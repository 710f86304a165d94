import type { Refusal } from './wire-format.ts'

const CODES = {
  key: 'invalid_api_key',
  model: 'model_not_found',
  context_length: 'context_length_exceeded',
  invalid: null,
  status: null,
} as const satisfies Record<Refusal['kind'], string | null>

export function openaiError({ kind, status, message }: Refusal) {
  const type =
    status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { status, body: { error: { message, type, param: null, code: CODES[kind] } } }
}

export function openaiModels(names: readonly string[]) {
  return {
    object: 'list',
    data: names.map(id => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'scenario' })),
  }
}
