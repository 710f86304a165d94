import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { attachmentView, validationView } from './to-view/validation.ts'

export const add: Handler<'_cleveragents/validation/add'> = ({ text, file }, { backend }) =>
  mapped(backend.addValidation(text, file), validationView)

export const list: Handler<'_cleveragents/validation/list'> = (_params, { backend }) =>
  ok({ validations: backend.validations().map(validationView) })

export const attach: Handler<'_cleveragents/validation/attach'> = async (params, { backend }) =>
  mapped(
    await backend.attachValidation({
      name: params.name,
      resource: params.resource ?? null,
      project: params.project ?? null,
      planRef: params.plan_id ?? null,
    }),
    attachmentView,
  )

export const detach: Handler<'_cleveragents/validation/detach'> = (params, { backend }) =>
  mapped(backend.detachValidation(params.attachment_id), attachmentView)
