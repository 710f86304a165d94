import * as z from 'zod'
import type { InvariantId, PlanId } from '../../../domain/ids.ts'
import type { ActiveInvariant, Invariant, InvariantSource } from '../../../domain/invariant/invariant.ts'
import { invariantRuleSchema } from '../../../domain/invariant/rule.ts'
import { id } from './scalars.ts'

export const stated = { text: z.string(), rule: invariantRuleSchema.nullable() }

export const invariantSchema: z.ZodType<Invariant> = z.object({
  ...stated,
  invariantId: id<InvariantId>(),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('global') }),
    z.object({ kind: z.literal('project'), project: z.string() }),
    z.object({ kind: z.literal('action'), action: z.string() }),
    z.object({ kind: z.literal('plan'), planId: id<PlanId>(), fromAction: z.string().nullable() }),
  ]),
  nonOverridable: z.boolean(),
  statedBy: z.string(),
  createdAt: z.string(),
})

const source: z.ZodType<InvariantSource> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global') }),
  z.object({ kind: z.enum(['project', 'action']), name: z.string() }),
  z.object({ kind: z.literal('plan'), name: z.string().nullable() }),
])

const active = z.object({
  ...stated,
  invariantId: id<InvariantId>().nullable(),
  source,
  nonOverridable: z.boolean(),
  alsoFrom: z.array(source),
  over: z.array(z.object({ ...stated, source, why: z.string() })),
})

/** Plans, and events about them, of before invariants were records hold words alone. */
export const activeInvariantSchema: z.ZodType<ActiveInvariant> = z.union([
  z.string().transform(worded),
  active,
])

function worded(text: string): ActiveInvariant {
  const source = { kind: 'plan', name: null } as const
  return { text, rule: null, invariantId: null, source, nonOverridable: false, alsoFrom: [], over: [] }
}
