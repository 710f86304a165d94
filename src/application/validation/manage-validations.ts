import { mapped, type Result, refuse } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import { spellingsOf } from '../../domain/name.ts'
import { suggest } from '../../domain/nearest.ts'
import type { Attachment, Validation } from '../../domain/validation.ts'
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

/** To a resource, and to less than all plans that use it where a project or plan is named. */
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
  const attachment: Attachment = {
    attachmentId: asId(ports.newId()),
    validation: validation.value.name,
    resource,
    project: project?.value.name ?? null,
    planId: plan?.value.planId ?? null,
    createdAt: ports.clock.now(),
  }
  ports.store.validations.attach(attachment)
  return { ok: true, value: attachment }
}

async function nameOfResource(
  ports: Ports,
  name: string,
): Promise<string | Extract<Result<string>, { ok: false }>> {
  if (ports.store.resources.find(name)) return name
  const project = await findProject(ports, name)
  if (project.ok) return project.value.name
  const known = [...ports.store.resources.list(), ...ports.store.projects.list()].map(each => each.name)
  return refuse('not_found', `There is no resource ${name}. ${suggest(name, known)}`, { resource: name })
}

function findValidation({ store }: Ports, name: string): Result<Validation> {
  const all = store.validations.list()
  const found = spellingsOf(name).flatMap(wanted => all.filter(each => each.name === wanted))[0]
  if (found) return { ok: true, value: found }
  const known = all.map(each => each.name)
  return refuse('not_found', `There is no validation ${name}. ${suggest(name, known)}`, { validation: name })
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
