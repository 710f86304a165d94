/**
 * What somebody else changed in a plan's sandbox is not the plan's work, and it is not thrown away either: before the
 * plan goes on, a person says what becomes of it. Where the profile decides by itself, it becomes part of the plan.
 */
import type { ActorRequest } from '../../domain/actor/actor.ts'
import { assertNever, mapped, ok, type Result } from '../../domain/failure.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import type { DriftedPath, Sandbox } from '../../domain/sandbox/strategy.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import type { Question } from '../gate/open-gate.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { type Next, withCommit } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { writtenSince } from '../rollback/written-since.ts'
import { adoptDrift } from './adopt-drift.ts'
import { discardDrift, recordDiscard } from './discard-drift.ts'
import { recordAdoption } from './record-adoption.ts'
import { namesOf, type SettledDrift } from './settled-drift.ts'

/** Null when the plan may go on with this request: nothing drifted, or it only reads. */
export async function meetSandboxDrift(turn: Turn, request: ActorRequest): Promise<Next | null> {
  if (turn.cursor.phase !== 'execute' || !touchesSandbox(turn.session.ports, request)) return null
  return meetDriftHere(turn)
}

/** The same before anything else that writes to the sandbox. */
export async function meetDriftHere(turn: Turn): Promise<Next | null> {
  const met = await meet(turn)
  if (met.ok) return met.value
  return askAboutFailure(turn.session, requestKey(turn), 'looking after changes made by hand', met.failure)
}

async function meet(turn: Turn): Promise<Result<Next | null>> {
  const { session, plan, cursor } = turn
  const written = writtenSince(session.ports, plan, cursor)
  // After a command nobody can tell its work from somebody else's; a check's traces are its own.
  if (written === 'unknown') return ok(null)
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const drift = await sandbox.value.drift(cursor.sandboxState, written)
  if (!drift.ok) return drift
  return drift.value.length === 0 ? ok(null) : settle(turn, sandbox.value, drift.value)
}

/** Writes, runs a command, or records a checkpoint. */
function touchesSandbox(ports: Ports, request: ActorRequest): boolean {
  switch (request.kind) {
    case 'record_decision':
    case 'validate':
    case 'finish':
      return true
    case 'call_tool':
      return ports.tools.find(request.tool)?.capability.writes ?? false
    case 'ask':
    case 'call_model':
    case 'give_up':
    case 'fail':
    // Before each merge, not while the children run.
    case 'spawn_plans':
      return false
    default:
      return assertNever(request)
  }
}

async function settle(
  turn: Turn,
  sandbox: Sandbox,
  drift: readonly DriftedPath[],
): Promise<Result<Next | null>> {
  const { ports } = turn.session
  const key = `${requestKey(turn)}:drift:${ports.digest(JSON.stringify(drift))}`
  const answer = answerTo(ports, turn.plan, key)
  if (answer?.decision === 'approve') {
    const settled: SettledDrift = { sandbox, drift, decidedBy: 'human', note: answer.note }
    return answer.optionId === 'discard' ? discard(turn, settled) : adopt(turn, settled)
  }
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'decideInExecute',
    decisionType: 'user_intervention',
    stated: null,
  })
  // Whoever mends something by hand means it; it is on record and in the diff.
  if (verdict.passes) {
    const adopted = await adopt(turn, { sandbox, drift, decidedBy: 'profile', note: null })
    const passed = `adopt what changed in the sandbox: ${namesOf(drift)}`
    return mapped(adopted, next => withCommit(next, plan => recordPass(ports, plan, verdict, passed)))
  }
  return ok(ask(ports, { ...question(key, sandbox.root, drift), confidence: verdict }))
}

async function adopt(turn: Turn, settled: SettledDrift): Promise<Result<Next>> {
  const adoption = await adoptDrift(turn, settled)
  if (!adoption.ok) return adoption
  return ok({ event: null, commit: plan => recordAdoption(turn.session.ports, plan, adoption.value) })
}

async function discard(turn: Turn, settled: SettledDrift): Promise<Result<Next>> {
  const discarded = await discardDrift(turn, settled)
  if (!discarded.ok) return discarded
  return ok({ event: null, commit: plan => recordDiscard(turn.session.ports, plan, discarded.value) })
}

function question(
  requestKey: string,
  folder: string,
  drift: readonly DriftedPath[],
): Omit<Question, 'confidence'> {
  return {
    kind: 'drift',
    requestKey,
    question: `${namesOf(drift)} changed in the sandbox, and no step of this plan did it. What now?`,
    subject: { kind: 'drift', folder, changes: drift.map(({ path, how }) => ({ path, how })) },
    options,
    reason: null,
  }
}

const options: readonly GateOption[] = [
  {
    id: 'adopt',
    label: 'Make it part of the plan',
    description: 'It is recorded as your decision and applied with the rest.',
    effect: 'approve',
  },
  {
    id: 'discard',
    label: 'Put back what was recorded',
    description: 'A safety checkpoint keeps it, so that it can be brought back.',
    effect: 'approve',
  },
  {
    id: 'stop',
    label: 'Stop the plan here',
    description: 'Everything stays as it is. Resume or correct the plan later.',
    effect: 'reject',
  },
]
