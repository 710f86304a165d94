/**
 * What is looked at before a plan begins: requirements PRE-01 to PRE-08. All checks run and are told together, so that
 * a person mends everything at once. Begin with `preflight`; facts are gathered by application/preflight.
 */
import * as z from 'zod'
import { checkActionSchema } from './check-action.ts'
import { checkActors } from './check-actors.ts'
import { checkAttachments } from './check-attachments.ts'
import { checkPolicy } from './check-policy.ts'
import { checkReferences } from './check-references.ts'
import { checkResources } from './check-resources.ts'
import { checkRollback } from './check-rollback.ts'
import type { Finding, PreflightFacts } from './facts.ts'

const checks = {
  'PRE-01': { name: 'action', find: checkActionSchema },
  'PRE-02': { name: 'actors', find: checkActors },
  'PRE-03': { name: 'tools and actions', find: checkReferences },
  'PRE-04': { name: 'automation policy', find: checkPolicy },
  'PRE-05': { name: 'rollback', find: checkRollback },
  'PRE-06': { name: 'resources', find: checkResources },
  'PRE-07': { name: 'validations', find: checkAttachments },
} as const satisfies Record<string, { name: string; find: (facts: PreflightFacts) => Finding[] }>

export type PreflightId = keyof typeof checks
const preflightIds = Object.keys(checks) as PreflightId[] // keys of a constant literal

/** The stored form. */
export const preflightCheckSchema = z.object({
  id: z.enum(preflightIds),
  name: z.string(),
  status: z.enum(['passed', 'warning', 'failed']),
  findings: z.array(
    z.object({
      level: z.enum(['failure', 'warning']),
      /** What is wrong, and what to do about it. */
      message: z.string(),
    }),
  ),
})
export type PreflightCheck = Readonly<z.infer<typeof preflightCheckSchema>>

export function preflight(facts: PreflightFacts): PreflightCheck[] {
  return preflightIds.map(id => {
    const { name, find } = checks[id]
    const findings = find(facts)
    const failed = findings.some(({ level }) => level === 'failure')
    const status = failed ? 'failed' : findings.length > 0 ? 'warning' : 'passed'
    return { id, name, status, findings }
  })
}

export function hasFailed(results: readonly PreflightCheck[]): boolean {
  return results.some(({ status }) => status === 'failed')
}

/** One line for each failure, with the check that found it. */
export function failureWords(results: readonly PreflightCheck[]): string[] {
  return results.flatMap(({ id, name, findings }) =>
    findings.flatMap(({ level, message }) => (level === 'failure' ? [`${id} ${name}: ${message}`] : [])),
  )
}
