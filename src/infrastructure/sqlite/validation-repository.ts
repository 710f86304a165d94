import * as z from 'zod'
import type { ValidationRepository } from '../../application/ports/validation.ts'
import type { AttachmentId, PlanId } from '../../domain/ids.ts'
import type { Attachment, Validation } from '../../domain/validation.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { facts, id } from './schemas/scalars.ts'

const validationSchema: z.ZodType<Validation> = z.object({
  name: z.string(),
  description: z.string(),
  mode: z.enum(['required', 'informational']),
  runs: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('command'), command: z.string(), network: z.boolean() }),
    z.object({ kind: z.literal('tool'), tool: z.string(), input: facts, transform: z.string() }),
  ]),
})

const attachmentSchema: z.ZodType<Attachment> = z.object({
  attachmentId: id<AttachmentId>(),
  validation: z.string(),
  resource: z.string(),
  project: z.string().nullable(),
  planId: id<PlanId>().nullable(),
  createdAt: z.string(),
})

export function validationRepository(connection: Connection): ValidationRepository {
  const { db, write } = connection
  const validations = recordTable<Validation>(connection, {
    table: 'validations',
    key: 'name',
    columns: { name: 'name' },
    schema: validationSchema,
  })
  const attachments = recordTable<Attachment>(connection, {
    table: 'validation_attachments',
    key: 'attachment_id',
    columns: { attachmentId: 'attachment_id', validation: 'validation', resource: 'resource' },
    schema: attachmentSchema,
  })
  return {
    put: validations.put,
    find: validations.one('WHERE name = ?'),
    list: validations.many('ORDER BY name'),
    attach: attachments.insert,
    detach: attachmentId =>
      void write(() =>
        db.prepare('DELETE FROM validation_attachments WHERE attachment_id = ?').run(attachmentId),
      ),
    findAttachment: attachments.one('WHERE attachment_id = ?'),
    matchAttachment: idMatcher<AttachmentId>(connection, 'validation_attachments', 'attachment_id'),
    listAttachments: attachments.many('ORDER BY recorded'),
  }
}
