import type { Decision } from '../../domain/decision/decision.ts'
import { type Failure, mapped, ok, type Result } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { namesOf } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { Searched, ToolContext, ToolOutcome } from '../../domain/tool.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { allowAgain } from '../plan/journal-step.ts'
import { type Next, stay } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { type LetGo, letGo } from './let-go.ts'
import { changedUnder, writtenUnder } from './paths-of-work.ts'

type Touched = Pick<ToolOutcome, 'read' | 'written'>

/**
 * The sandbox holds the work of decisions that were kept and are still to come, and a step before them must neither read
 * nor overwrite it, nor write what they read. Where it did, they are let go of, and the step runs again without them:
 * unasked, unless it had the network. Null where it met nothing of theirs. What a command reads nobody sees; as far as
 * that goes it works beside what was kept.
 */
export async function makeWay(
  turn: Turn,
  step: Step,
  done: Touched,
  network: ToolContext['network'],
): Promise<Next | null> {
  const { ports, planId } = turn.session
  const kept = ports.store.decisions.listKept(planId)
  if (kept.length === 0) return null
  const met = await whatItMet(turn, done, kept)
  if (met.ok && met.value.length === 0) return null
  if (!met.ok) return failed(turn, step, met.failure)
  const undone = await undo(turn, step)
  if (!undone.ok) return failed(turn, step, undone.failure)
  ports.store.transaction(() => {
    // As if it had not begun: nothing of it is left.
    if (network === 'none') return allowAgain(ports, { ...step, startedAt: null })
    ports.store.steps.update({ ...step, status: 'interrupted', endedAt: ports.clock.now() })
  })
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

async function whatItMet(turn: Turn, done: Touched, kept: readonly Decision[]): Promise<Result<LetGo[]>> {
  const { ports, sandbox: open } = turn.session
  const sandbox = await open()
  if (!sandbox.ok) return sandbox
  const seen = await whatItSaw(turn, done, sandbox.value)
  if (!seen.ok) return seen
  const met: LetGo[] = []
  for (const { decisionId } of kept) {
    const changed = await changedUnder(ports, sandbox.value, decisionId)
    if (!changed.ok) return changed
    const written = new Set([...changed.value, ...writtenUnder(ports, decisionId)])
    const steps = ports.store.steps.listByDecision(decisionId)
    const read = steps.map(step => step.read)
    const why = meeting(seen.value, { written, read, searched: steps.flatMap(step => placesOf(ports, step)) })
    if (why) met.push({ decisionId, why })
  }
  return ok(met)
}

/** Where it searched and found nothing counts as well: a file that comes there is one that it would have met. */
function placesOf({ tools }: Ports, { tool, input }: Step): Searched[] {
  const place = tool === null ? null : tools.find(tool)?.searches?.(input)
  return place ? [place] : []
}

interface Seen {
  readonly read: readonly RelPath[]
  readonly written: readonly RelPath[]
}

/** What a command wrote is found by comparing. */
async function whatItSaw(
  { cursor }: Turn,
  { read, written }: Touched,
  sandbox: Sandbox,
): Promise<Result<Seen>> {
  const known = read === 'unknown' ? [] : read
  if (written !== 'unknown') return ok({ read: known, written })
  const state = await sandbox.checkpoint('after a command', 'unknown')
  if (!state.ok) return state
  const changes = await sandbox.changes(cursor.sandboxState, state.value)
  return mapped(changes, ({ files }) => ({ read: known, written: files.flatMap(namesOf) }))
}

interface Theirs {
  readonly written: ReadonlySet<RelPath>
  readonly read: readonly Step['read'][]
  readonly searched: readonly Searched[]
}

function meeting({ read, written }: Seen, theirs: Theirs): string | null {
  const both = [...read, ...written].find(path => theirs.written.has(path))
  if (both) return `the work before it needs ${both}, which it changed`
  const seen = written.find(path => theirs.read.some(paths => paths === 'unknown' || paths.includes(path)))
  if (seen) return `it rests on ${seen}, which the work before it changes`
  const come = written.find(path => theirs.searched.some(place => place.looksAt(path)))
  return come ? `it searched where the work before it changes ${come}` : null
}
