import { type Failure, ok, type Result } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ToolOutcome } from '../../domain/tool.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { allowAgain } from '../plan/journal-step.ts'
import { type Next, stay } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { type LetGo, letGo } from './let-go.ts'
import { changedUnder, writtenUnder } from './paths-of-work.ts'

/**
 * The sandbox holds the work of decisions that were kept and are still to come, and a step before them must neither read
 * nor overwrite it, nor write what they read. Where it did, they are let go of, and the step runs again without them.
 * Null where it met nothing of theirs. What a command reads nobody sees; it works beside what was kept.
 */
export async function makeWay(turn: Turn, step: Step, done: ToolOutcome): Promise<Next | null> {
  if (done.read === 'unknown' || done.written === 'unknown') return null
  const met = await whatItMet(turn.session, { read: done.read, written: done.written })
  if (met.ok && met.value.length === 0) return null
  if (!met.ok) return failed(turn, step, met.failure)
  const undone = await undo(turn, step)
  if (!undone.ok) return failed(turn, step, undone.failure)
  const { ports } = turn.session
  // As if it had not begun: nothing of it is left.
  ports.store.transaction(() => allowAgain(ports, { ...step, startedAt: null }))
  return letGo(turn, met.value)
}

function failed({ session, ...turn }: Turn, { path }: Step, failure: Failure): Next {
  return session.signal.aborted ? stay : askAboutFailure(session, requestKey(turn), path, failure)
}

async function undo({ session, cursor }: Turn, step: Step): Promise<Result<unknown>> {
  if (step.readOnly) return ok()
  const sandbox = await session.sandbox()
  return sandbox.ok ? sandbox.value.restore(cursor.sandboxState) : sandbox
}

interface Seen {
  readonly read: readonly RelPath[]
  readonly written: readonly RelPath[]
}

async function whatItMet(
  { ports, planId, sandbox: open }: PlanSession,
  seen: Seen,
): Promise<Result<LetGo[]>> {
  const kept = ports.store.decisions.listKept(planId)
  if (kept.length === 0) return ok([])
  const sandbox = await open()
  if (!sandbox.ok) return sandbox
  const met: LetGo[] = []
  for (const { decisionId } of kept) {
    const changed = await changedUnder(ports, sandbox.value, decisionId)
    if (!changed.ok) return changed
    const written = new Set([...changed.value, ...writtenUnder(ports, decisionId)])
    const read = ports.store.steps.listByDecision(decisionId).map(step => step.read)
    const why = meeting(seen, { written, read })
    if (why) met.push({ decisionId, why })
  }
  return ok(met)
}

function meeting(
  { read, written }: Seen,
  theirs: { readonly written: ReadonlySet<RelPath>; readonly read: readonly Step['read'][] },
): string | null {
  const both = [...read, ...written].find(path => theirs.written.has(path))
  if (both) return `the work before it needs ${both}, which it changed`
  const seen = written.find(path => theirs.read.some(paths => paths === 'unknown' || paths.includes(path)))
  return seen ? `it rests on ${seen}, which the work before it changes` : null
}
