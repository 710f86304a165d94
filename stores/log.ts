import type { WireEvent } from '../src/a2a/protocol/events.ts'

/** What happened in a plan, newest last, as facts; the words are chosen where it is drawn. */
export interface LogEntry {
  readonly seq: number
  readonly at: string
  readonly method: WireEvent['method']
  readonly subject: string
}

export interface Log {
  readonly entries: LogEntry[]
}

const maxEntries = 500

export function createLog(): Log {
  return { entries: [] }
}

export function addEntry(log: Log, event: WireEvent): void {
  const subject = subjectOf(event)
  if (subject === null) return
  log.entries.push({ seq: event.seq, at: event.at, method: event.method, subject })
  if (log.entries.length > maxEntries) log.entries.splice(0, log.entries.length - maxEntries)
}

/** Null for what would only be noise here. */
function subjectOf(event: WireEvent): string | null {
  switch (event.method) {
    case 'task/statusUpdate':
      return `${event.phase} ${event.plan_state}${event.reason ? `: ${event.reason}` : ''}`
    case 'task/artifactUpdate':
      return event.artifact?.name ?? `${event.restored.length + event.removed.length} files`
    case '_cleveragents/decision/recorded':
      return `${event.decision.question} ${event.decision.chosen_option.label}`
    case '_cleveragents/decision/superseded':
      return `${event.decision_ids.length} (${event.reason})`
    case '_cleveragents/decision/restored':
      return String(event.decision_ids.length)
    case '_cleveragents/step/started':
    case '_cleveragents/step/finished':
      return event.step.summary || (event.step.tool ?? event.step.path)
    case '_cleveragents/gate/opened':
    case '_cleveragents/gate/resolved':
    case '_cleveragents/gate/void':
      return event.gate.question
    case '_cleveragents/checkpoint/created':
      return event.checkpoint.label
    case '_cleveragents/correction/started':
    case '_cleveragents/correction/finished':
      return event.correction.guidance
    case '_cleveragents/gate/passed':
      return event.about
    case '_cleveragents/plan/profileChanged':
      return `${event.from} to ${event.to}: ${event.reason}`
    case '_cleveragents/guard/stopped':
      return event.reason
    case '_cleveragents/guard/changed':
      return event.loosened.join('; ') || event.change.kind
    case '_cleveragents/gap':
      return `${event.from} to ${event.to}`
    case '_cleveragents/decision/workDone':
    case '_cleveragents/step/output':
    case '_cleveragents/cost/charged':
    case '_cleveragents/limits/changed':
    case '_cleveragents/lease/changed':
      return null
  }
}
