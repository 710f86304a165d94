import type { ValidationDetails } from '../../../application/validation/manage-validations.ts'
import type { Attachment } from '../../../domain/validation.ts'
import type { AttachmentView, ValidationView } from '../../protocol/views/validation.ts'

export function validationView({ validation, attachments }: ValidationDetails): ValidationView {
  const { name, description, mode, runs } = validation
  const isTool = runs.kind === 'tool'
  return {
    name,
    description,
    mode,
    command: isTool ? null : runs.command,
    wraps: isTool ? runs.tool : null,
    with: isTool ? { ...runs.input } : {},
    transform: isTool ? runs.transform : null,
    attachments: attachments.map(attachmentView),
  }
}

export function attachmentView(attachment: Attachment): AttachmentView {
  return {
    attachment_id: attachment.attachmentId,
    validation: attachment.validation,
    resource: attachment.resource,
    project: attachment.project,
    plan_id: attachment.planId,
    created_at: attachment.createdAt,
  }
}
