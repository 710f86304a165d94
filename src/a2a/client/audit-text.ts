import type { AuditView } from '../protocol/views/limits.ts'

/** An audit as a file, a line of JSON each; the first line holds what is known of the plan as a whole. */
export function auditText({ plan_id, metadata, entries }: AuditView): string {
  return [{ plan_id, ...metadata }, ...entries].map(line => `${JSON.stringify(line)}\n`).join('')
}

/** More than any trail holds: an export leaves nothing out. */
export const EVERY_ENTRY = 1_000_000
