import * as z from 'zod'

/** One method of the protocol. */
export interface MethodRow {
  readonly params: z.ZodType
  readonly result: z.ZodType
  /** streaming: the result is sent first, then notifications until the stream ends. */
  readonly streaming?: true
  readonly aliases?: readonly string[]
  /** false: answers -32110, not available yet. */
  readonly available?: false
  readonly what: string
}

export function row<Params extends z.ZodType, Output extends z.ZodType>(
  what: string,
  params: Params,
  result: Output,
  more: { readonly aliases?: readonly string[] } = {},
) {
  return { what, params, result, ...more }
}

export function streaming<Params extends z.ZodType, Output extends z.ZodType>(
  what: string,
  params: Params,
  result: Output,
  aliases: readonly string[],
) {
  return { what, params, result, streaming: true as const, aliases }
}

export function later(what: string, aliases: readonly string[] = []) {
  return { what, params: z.looseObject({}), result: z.never(), available: false as const, aliases }
}

export const none = z.object({})
export const name = z.object({ name: z.string() })
export const plan = z.object({ plan_id: z.string() })

/** wait: answer only when the plan waits or ends, instead of as soon as the request is recorded. */
export const running = plan.extend({ wait: z.boolean().default(false) })
