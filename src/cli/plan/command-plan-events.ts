import type { WireEvent } from '../../a2a/protocol/events.ts'
import { type Command, type CommandContext, done, failed } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { cut, type Paper } from '../render/paper.ts'
import { progressLine } from '../render/progress.ts'
import { oneLine } from '../render/words.ts'

type PastEvent = { readonly method: string; readonly seq: number }

/** With --follow until the plan ends or the person stops it; a stopped look at a log is no failure. */
export const planEvents: Command = async context => {
  const { given: typed } = context
  const client = await context.connect()
  const plan = await client.call('_cleveragents/plan/status', { plan_id: typed.one('plan') })
  if (!plan.ok) return failed(plan.failure)
  const { plan_id } = plan.value
  const since = typed.number('since') ?? 0
  if (!typed.has('follow')) {
    const past = await client.call('_cleveragents/event/list', { plan_id, after_seq: since })
    return past.ok ? done(past.value, eventsLines) : failed(past.failure)
  }
  return followEvents(context, plan_id, since)
}

async function followEvents(context: CommandContext, planId: string, since: number) {
  const client = await context.connect()
  const events: WireEvent[] = []
  const ending = new AbortController()
  const end = await client.subscribe({
    afterSeq: since,
    planId,
    signal: AbortSignal.any([ending.signal, context.signal]),
    onEvent: event => {
      events.push(event)
      context.page(paper => [eventLine(event, paper)])
      if (isLast(event, planId)) ending.abort()
    },
  })
  return end.kind === 'failed' ? failed(end.failure) : done({ events }, () => [])
}

function eventsLines({ events }: { readonly events: readonly PastEvent[] }, paper: Paper): string[] {
  return events.length === 0 ? ['No events.'] : events.map(event => eventLine(event, paper))
}

function eventLine(event: PastEvent, paper: Paper): string {
  // Past events are sent as they were; a line that cannot be told in words falls back to the method's name.
  const told = progressLine(event as WireEvent, paper)
  return told === null
    ? cut(`${event.seq}  ${oneLine(cleaned(event.method))}`, paper)
    : `${event.seq}  ${told}`
}

function isLast(event: WireEvent, planId: string): boolean {
  if (event.method !== 'task/statusUpdate' || event.plan_id !== planId) return false
  return ['completed', 'failed', 'canceled', 'rejected'].includes(event.state)
}
