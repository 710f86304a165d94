/** Checks that people attach to what plans work on. */
import * as z from 'zod'
import { attachmentView, validationView } from '../views/validation.ts'
import { none, row } from './row.ts'

export const validationMethods = {
  '_cleveragents/validation/add': row(
    'Register a check from its YAML; a second version under its name replaces the first.',
    z.object({ text: z.string(), file: z.string() }),
    validationView,
  ),
  '_cleveragents/validation/list': row(
    'Validations, and what each is attached to.',
    none,
    z.object({ validations: z.array(validationView) }),
  ),
  '_cleveragents/validation/attach': row(
    'Let a check look at what plans make of a resource, before anything is applied.',
    z.object({
      name: z.string(),
      /** A database, or a project for its folder; left out, the folder of the project or plan. */
      resource: z.string().optional(),
      project: z.string().optional(),
      plan_id: z.string().optional(),
    }),
    attachmentView,
  ),
  '_cleveragents/validation/detach': row(
    'Let a check look no more where it was attached.',
    z.object({ attachment_id: z.string() }),
    attachmentView,
  ),
} as const
