import * as z from 'zod'

export const attachmentView = z.object({
  attachment_id: z.string(),
  validation: z.string(),
  /** A database, or a project, which stands for its folder. */
  resource: z.string(),
  project: z.string().nullable(),
  plan_id: z.string().nullable(),
  created_at: z.string(),
})
export type AttachmentView = z.infer<typeof attachmentView>

export const validationView = z.object({
  name: z.string(),
  description: z.string(),
  mode: z.enum(['required', 'informational']),
  command: z.string().nullable(),
  wraps: z.string().nullable(),
  with: z.record(z.string(), z.unknown()),
  transform: z.string().nullable(),
  attachments: z.array(attachmentView),
})
export type ValidationView = z.infer<typeof validationView>
