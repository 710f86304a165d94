import type { CallResult } from '../../a2a/client/rpc-failure.ts'
import type { WireEvent } from '../../a2a/protocol/events.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import type { CommandContext } from '../command.ts'
import { progressLine } from '../render/progress.ts'

export type Followed<Value> =
  | { readonly kind: 'settled'; readonly started: Value; readonly plan: PlanView }
  /** The person stopped the command; the plan as it was then. */
  | { readonly kind: 'stopped'; readonly plan: PlanView }
  | { readonly kind: 'failed'; readonly failure: Extract<CallResult<Value>, { ok: false }>['failure'] }

/**
 * Runs a plan in the foreground: does what starts it, tells its progress, and resolves when the plan waits for a
 * person, pauses or ends. The events are followed from before the start, so that none is missed.
 */
export async function followPlan<Value>(
  context: CommandContext,
  start: () => Promise<CallResult<Value>>,
  planIdOf: (started: Value) => string,
): Promise<Followed<Value>> {
  const client = await context.connect()
  const progress = await openProgress(context)
  try {
    const started = await start()
    if (!started.ok) return { kind: 'failed', failure: started.failure }
    const plan_id = planIdOf(started.value)
    progress.show(plan_id)
    const settled = await client.call(
      '_cleveragents/plan/status',
      { plan_id, wait: true },
      { signal: context.signal },
    )
    if (context.signal.aborted) return await stopped(context, plan_id)
    if (!settled.ok) return { kind: 'failed', failure: settled.failure }
    await progress.catchUp()
    return { kind: 'settled', started: started.value, plan: settled.value }
  } finally {
    progress.close()
  }
}

/** A plan that runs in this process pauses when its backend closes; the answer says where it stood. */
async function stopped<Value>(context: CommandContext, plan_id: string): Promise<Followed<Value>> {
  const client = await context.connect()
  const present = await client.call('_cleveragents/plan/status', { plan_id })
  return present.ok ? { kind: 'stopped', plan: present.value } : { kind: 'failed', failure: present.failure }
}

async function openProgress({ connect, aside, tell }: CommandContext) {
  const client = await connect()
  const ending = new AbortController()
  const opened = Promise.withResolvers<void>()
  const seen = seenNumbers()
  const early: WireEvent[] = []
  let shown: string | null = null
  let last: string | null = null

  const names = new Map<string, string>()

  const print = (event: WireEvent) => {
    if (event.method === 'task/statusUpdate') names.set(event.plan_id, event.plan.name)
    if (event.plan_id !== shown && event.root_plan_id !== shown) return
    const text = progressLine(event, aside)
    const isBelow = event.plan_id !== shown
    const line = text !== null && isBelow ? `${belowName(names, event)}  ${text}` : text
    // A plan that runs on after an answer says so again.
    if (line !== null && line !== last) tell(line)
    last = line ?? last
  }
  const ended = client.subscribe({
    afterSeq: null,
    signal: ending.signal,
    onOpen: seq => {
      seen.reach(seq)
      opened.resolve()
    },
    onEvent: event => {
      if (shown === null) early.push(event)
      else print(event)
      seen.reach(event.seq)
    },
  })
  // A backend that cannot be followed can still be asked: progress is lost, the answer is not.
  void ended.finally(() => seen.reach(Number.POSITIVE_INFINITY))
  await Promise.race([opened.promise, ended])

  return {
    show(planId: string): void {
      shown = planId
      for (const event of early.splice(0)) print(event)
    },
    /** Resolves when everything up to now was told. */
    async catchUp(): Promise<void> {
      const now = await client.call('_cleveragents/plan/list', { limit: 1 })
      if (now.ok) await seen.waitFor(now.value.seq)
    },
    close: () => ending.abort(),
  }
}

/** A child is told from its siblings by what its parent calls it. */
function belowName(names: ReadonlyMap<string, string>, { plan_id, root_plan_id }: WireEvent): string {
  const name = names.get(plan_id) ?? plan_id
  const root = names.get(root_plan_id)
  return root !== undefined && name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name
}

function seenNumbers() {
  let reached = 0
  let waiting: { seq: number; resolve: () => void } | null = null
  return {
    reach(seq: number): void {
      reached = Math.max(reached, seq)
      if (waiting && reached >= waiting.seq) waiting.resolve()
    },
    waitFor(seq: number): Promise<void> {
      return new Promise(resolve => {
        waiting = { seq, resolve }
        if (reached >= seq) resolve()
      })
    },
  }
}
