import { mapped, type Result, refuse } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import { spellingsOf } from '../../domain/name.ts'
import { noneNamed } from '../../domain/nearest.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { type Attachment, type Validation, whyUnseen } from '../../domain/validation.ts'
import type { Project } from '../ports/project.ts'
import type { Ports } from '../ports.ts'
import { findProject } from '../project/find-project.ts'
import { findById, findPlan } from '../references.ts'

export interface ValidationDetails {
  readonly validation: Validation
  readonly attachments: readonly Attachment[]
}

/** Registers a validation from its YAML; a second version under the same name replaces the first. */
export function addValidation(ports: Ports, text: string, file: string): Result<ValidationDetails> {
  const parsed = ports.validations.parse(text, file)
  if (!parsed.ok) return parsed
  ports.store.validations.put(parsed.value)
  return { ok: true, value: details(ports, parsed.value) }
}

export function listValidations(ports: Ports): ValidationDetails[] {
  return ports.store.validations.list().map(validation => details(ports, validation))
}

function details({ store }: Ports, validation: Validation): ValidationDetails {
  const attachments = store.validations.listAttachments().filter(each => each.validation === validation.name)
  return { validation, attachments }
}

export interface AttachValidation {
  readonly name: string
  /** A database, or a project for its folder; null: the folder of the project or plan that is named. */
  readonly resource: string | null
  readonly project: string | null
  readonly planRef: string | null
}

/** To a resource, and to less than all plans that use it where a project or plan is named. Said twice, it is one. */
export async function attachValidation(ports: Ports, input: AttachValidation): Promise<Result<Attachment>> {
  const validation = findValidation(ports, input.name)
  if (!validation.ok) return validation
  const plan = input.planRef === null ? null : findPlan(ports, input.planRef)
  if (plan && !plan.ok) return plan
  const project = input.project === null ? null : await findProject(ports, input.project)
  if (project && !project.ok) return project
  const folder = plan?.value.project.name ?? project?.value.name ?? null
  const resource = input.resource === null ? folder : await nameOfResource(ports, input.resource)
  if (resource === null)
    return refuse('invalid_input', 'Say what it looks at: --resource, --project or --plan.')
  if (typeof resource !== 'string') return resource
  const reason = whyNeverRuns(ports, resource, plan?.value ?? null, project?.value ?? null)
  if (reason !== null) return refuse('invalid_state', reason, { validation: validation.value.name, resource })
  const attachment: Attachment = {
    attachmentId: asId(ports.newId()),
    validation: validation.value.name,
    resource,
    project: project?.value.name ?? null,
    planId: plan?.value.planId ?? null,
    createdAt: ports.clock.now(),
  }
  return ports.store.transaction(() => {
    const same = ports.store.validations.listAttachments().find(each => isSamePlace(each, attachment))
    if (!same) ports.store.validations.attach(attachment)
    return { ok: true, value: same ?? attachment }
  })
}

/** A required check that nothing would ever ask is worse than none. */
function whyNeverRuns(
  { store }: Ports,
  resource: string,
  plan: Plan | null,
  project: Project | null,
): string | null {
  const unseen = plan && whyUnseen(plan)
  if (unseen) return unseen
  const owner = plan?.project ?? project
  if (!owner) return null
  const linked = plan?.resources ?? store.resources.listByProject(owner.name)
  const isSeen = owner.name === resource || linked.some(each => each.name === resource)
  if (isSeen && (project ?? owner).name === owner.name) return null
  const who = plan ? `Plan ${plan.name}` : `The project ${owner.name}`
  const other = isSeen ? `on the project ${project?.name}` : `with ${resource}`
  return `${who} does not work ${other}, so nothing would ever be looked at. agents project show ${owner.name} tells what it works with.`
}

function isSamePlace(one: Attachment, other: Attachment): boolean {
  return (
    one.validation === other.validation &&
    one.resource === other.resource &&
    one.project === other.project &&
    one.planId === other.planId
  )
}

async function nameOfResource(
  ports: Ports,
  name: string,
): Promise<string | Extract<Result<string>, { ok: false }>> {
  if (ports.store.resources.find(name)) return name
  const project = await findProject(ports, name)
  if (project.ok) return project.value.name
  const known = [...ports.store.resources.list(), ...ports.store.projects.list()].map(each => each.name)
  return refuse('not_found', noneNamed('resource', name, known), { resource: name })
}

function findValidation({ store }: Ports, name: string): Result<Validation> {
  const all = store.validations.list()
  const found = spellingsOf(name).flatMap(wanted => all.filter(each => each.name === wanted))[0]
  if (found) return { ok: true, value: found }
  const known = all.map(each => each.name)
  return refuse('not_found', noneNamed('validation', name, known), { validation: name })
}

export function detachValidation(ports: Ports, attachmentRef: string): Result<Attachment> {
  const { validations } = ports.store
  const ids = validations.matchAttachment(attachmentRef)
  const found = findById('attachment', attachmentRef, ids, id => validations.findAttachment(id))
  return mapped(found, attachment => {
    validations.detach(attachment.attachmentId)
    return attachment
  })
}
