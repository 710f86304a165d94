import type { AuditEntryView, AuditView } from '../../src/a2a/protocol/views/limits.ts'
import type { Fetched } from '../../stores/shelf.ts'
import type { Shelves } from '../../stores/shelves.ts'
import type { AuditDialog } from '../dialogs.ts'

/** How many of the newest entries are asked for to be looked at; an export has all of them. */
export const shownEntries = 2_000

/** An entry with a name that it keeps while newer ones come. */
export interface KeyedEntry {
  readonly key: string
  readonly entry: AuditEntryView
}

type AuditFilter = Pick<AuditDialog, 'planId' | 'type' | 'result'>

/** Keys of what belongs to a plan begin with its id. */
export function auditKey({ planId, type, result }: AuditFilter): string {
  return [planId, type ?? '', result ?? ''].join('\n')
}

export function auditParams({ planId, type, result }: AuditFilter) {
  return {
    plan_id: planId,
    ...(type === null ? {} : { type }),
    ...(result === null ? {} : { result }),
  }
}

export function fetchedAudit(shelves: Shelves, filter: AuditFilter): Fetched<AuditView> | undefined {
  return shelves.audits.peek(auditKey(filter))
}

/** Newest first. */
export function auditEntries(shelves: Shelves, filter: AuditFilter): KeyedEntry[] {
  const fetched = fetchedAudit(shelves, filter)
  if (fetched?.kind !== 'ready') return []
  const seen = new Map<string, number>()
  return fetched.value.entries
    .map(entry => {
      const name = [entry.timestamp, entry.log, entry.event_type, entry.guard_name].join(' ')
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      return { key: `${name} ${before}`, entry }
    })
    .reverse()
}

/** The types there are to choose from, the chosen one always among them. */
export function auditTypes(shelves: Shelves, filter: AuditFilter): string[] {
  const everything = auditEntries(shelves, { ...filter, type: null, result: null })
  const known = everything.map(({ entry }) => entry.event_type)
  return [...new Set(filter.type === null ? known : [...known, filter.type])].sort()
}
