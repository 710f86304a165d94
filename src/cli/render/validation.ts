import type { AttachmentView, ValidationView } from '../../a2a/protocol/views/validation.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'
import { shortId } from './words.ts'

export function validationsLines(
  { validations }: { readonly validations: readonly ValidationView[] },
  paper: Paper,
): string[] {
  const rows = validations.map(each => [
    each.name,
    each.mode,
    each.command ?? `${each.wraps}, then ${each.transform}`,
    each.attachments.map(place).join('; ') || 'nothing yet',
  ])
  const head = ['VALIDATION', 'MODE', 'RUNS', 'ATTACHED TO']
  return tableLines({ head, rows, flexible: 2, empty: 'No validations.' }, paper)
}

export function validationLines(validation: ValidationView, paper: Paper): string[] {
  const { name, description, mode, command, wraps, transform, attachments } = validation
  const facts = [
    ['does', description],
    ['mode', mode],
    ['runs', command ?? wraps ?? ''],
    ...(transform === null ? [] : [['passes if', transform] as const]),
    [
      'attached to',
      attachments.map(place).join('\n') || `nothing yet: agents validation attach ${name} --project P`,
    ],
  ] as const
  return [paper.paint('strong', name), ...factLines(facts, paper)]
}

export function attachmentLines(attachment: AttachmentView): string[] {
  return [`${attachment.validation}: ${place(attachment)}`]
}

function place({ attachment_id, resource, project, plan_id }: AttachmentView): string {
  const narrowed = [
    project === null || project === resource ? '' : ` in ${project}`,
    plan_id === null ? '' : ` in plan ${shortId(plan_id)}`,
  ]
  return `${resource}${narrowed.join('')} (${shortId(attachment_id)})`
}
