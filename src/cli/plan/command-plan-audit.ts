import { resolve } from 'node:path'
import { auditText, EVERY_ENTRY } from '../../a2a/client/audit-text.ts'
import type { Output } from '../../a2a/protocol/methods.ts'
import type { AuditEntryView } from '../../a2a/protocol/views/limits.ts'
import { type Command, done, failed, refuse } from '../command.ts'
import type { Paper } from '../render/paper.ts'
import { tableLines } from '../render/table.ts'
import { given } from '../simple-call.ts'

type Audit = Output<'_cleveragents/plan/guard/audit'>

const results = ['allowed', 'denied'] as const

/** What was checked, allowed, denied and changed; with --export all of it, a line of JSON each. */
export const planGuardAudit: Command = async ({ given: typed, connect, folder, host, signal }) => {
  const client = await connect()
  const file = typed.maybe('export')
  const result = typed.maybe('result')
  const params = {
    plan_id: typed.one('plan'),
    ...given('type', typed.maybe('type')),
    ...given(
      'result',
      results.find(each => each === result),
    ),
    ...given('limit', typed.number('limit') ?? (file === undefined ? undefined : EVERY_ENTRY)),
  }
  const answer = await client.call('_cleveragents/plan/guard/audit', params, { signal })
  if (!answer.ok) return failed(answer.failure)
  if (file === undefined) return done(answer.value, auditLines)
  const path = resolve(folder, file)
  const why = await host.writeNewFile(path, auditText(answer.value))
  if (why !== null)
    return refuse('invalid_input', `The audit was not written: ${why}. Name a new file.`, { path })
  const { length } = answer.value.entries
  return done({ plan_id: answer.value.plan_id, file: path, entries: length }, () => [
    `${length} ${length === 1 ? 'entry' : 'entries'} written to ${path}`,
  ])
}

function auditLines({ entries, metadata }: Audit, paper: Paper): string[] {
  const { allowed_count, denied_count, evicted_count } = metadata.guardrail_audit_trail
  const gone = evicted_count === 0 ? '' : `, the oldest ${evicted_count} no longer kept`
  return [
    ...tableLines(
      {
        head: ['TIME', 'LOG', 'EVENT', 'BY', 'RESULT', 'REASON'],
        rows: entries.map(rowOf),
        flexible: 5,
        empty: 'Nothing was checked, asked or changed.',
      },
      paper,
    ),
    `Checks of limits so far: ${allowed_count} allowed, ${denied_count} denied${gone}.`,
  ]
}

function rowOf({
  timestamp,
  log,
  event_type,
  guard_name,
  result,
  reason,
  context,
}: AuditEntryView): string[] {
  const by = typeof context['by'] === 'string' ? ` (${context['by']})` : ''
  return [timestamp, log, event_type, guard_name, result ?? '', `${reason ?? ''}${by}`]
}
