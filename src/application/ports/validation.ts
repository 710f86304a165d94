import type { Result } from '../../domain/failure.ts'
import type { AttachmentId } from '../../domain/ids.ts'
import type { Attachment, Validation } from '../../domain/validation.ts'

export interface ValidationRepository {
  put(validation: Validation): void
  find(name: string): Validation | null
  list(): Validation[]
  attach(attachment: Attachment): void
  detach(attachmentId: AttachmentId): void
  findAttachment(attachmentId: AttachmentId): Attachment | null
  matchAttachment(reference: string): AttachmentId[]
  /** In the order in which they were made. */
  listAttachments(): Attachment[]
}

/** Reads validations, and what their transforms make of a tool's output. */
export interface ValidationFiles {
  parse(text: string, file: string): Result<Validation>
  transform(transform: string, output: Readonly<Record<string, unknown>>): Result<unknown>
}
