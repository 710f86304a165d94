/** A check with a name that people attach to what it looks at. It only looks, so no checkpoint covers it. */
import type { AttachmentId, PlanId } from './ids.ts'
import { isFinal, positionWords } from './plan/lifecycle.ts'
import type { Plan } from './plan/plan.ts'

export interface Validation {
  /** In the same name space as tools. */
  readonly name: string
  readonly description: string
  readonly mode: 'required' | 'informational'
  readonly runs: ValidationRun
}

export type ValidationRun =
  | { readonly kind: 'command'; readonly command: string; readonly network: boolean }
  /** `transform` is an expression over the tool's `output`. */
  | {
      readonly kind: 'tool'
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>>
      readonly transform: string
    }

/** Always to a resource; a narrower place where `project` or `planId` says so. */
export interface Attachment {
  readonly attachmentId: AttachmentId
  readonly validation: string
  /** Name of a database, or of a project, which stands for its folder. */
  readonly resource: string
  readonly project: string | null
  readonly planId: PlanId | null
  readonly createdAt: string
}

/** A child's work is looked at together with its parent's. */
export function isAttachedTo(
  { resource, project, planId }: Attachment,
  plan: {
    /** null while it is about to begin. */
    readonly planId: PlanId | null
    readonly project: { readonly name: string }
  } & Pick<Plan, 'resources' | 'appliesTo'>,
): boolean {
  if (plan.appliesTo === 'parent') return false
  const touches = resource === plan.project.name || plan.resources.some(each => each.name === resource)
  return (
    touches && (project ?? plan.project.name) === plan.project.name && (planId ?? plan.planId) === plan.planId
  )
}

/** Why what is attached to this plan from now on would never be asked; null when it is. */
export function whyUnseen({
  name,
  appliesTo,
  position,
}: Pick<Plan, 'name' | 'appliesTo' | 'position'>): string | null {
  if (appliesTo === 'parent')
    return `The work of ${name} is looked at together with that of the plan that started it. Attach the validation there.`
  return isFinal(position) ? `Plan ${name} is ${positionWords(position)}; nothing of it runs again.` : null
}

export interface Judged {
  readonly passed: boolean
  readonly message: string | null
  readonly data: unknown
}

/** What a transform gave: true or false, or a map with `passed`, and `message` and `data` where it likes. */
export function readJudgement(value: unknown): Judged | string {
  if (typeof value === 'boolean') return { passed: value, message: null, data: null }
  const map: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  const { passed, message, data } = map
  if (typeof passed !== 'boolean')
    return `transform must give true or false, or a map with passed, not ${JSON.stringify(value)}.`
  return { passed, message: typeof message === 'string' ? message : null, data: data ?? null }
}
