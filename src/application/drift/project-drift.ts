/**
 * The user goes on working while a plan runs. Edits elsewhere never disturb it: Apply merges around them. Where the
 * plan itself read or wrote, it works from what is no longer so, and a person says whether that matters.
 */
import type { ActorRequest } from '../../domain/actor/actor.ts'
import { ok, type Result } from '../../domain/failure.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import type { ApplyConflict, Sandbox } from '../../domain/sandbox/strategy.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import type { Question } from '../gate/open-gate.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { planOf } from '../references.ts'
import { adoptProject } from './adopt-project.ts'
import { lookAtProject, type ProjectEdits } from './look-at-project.ts'
import { recordAdoption } from './record-adoption.ts'
import { namesOf } from './settled-drift.ts'

const EVERY_MS = 5_000

/** Null when the plan may go on with this request. */
export async function meetProjectDrift(turn: Turn, request: ActorRequest): Promise<Next | null> {
  const { ports, isDue } = turn.session
  const writes = request.kind === 'call_tool' && ports.tools.find(request.tool)?.capability.writes === true
  // A child began with its parent's state, which is the parent's to compare.
  if (turn.plan.appliesTo === 'parent') return null
  if (turn.cursor.phase !== 'execute' || !writes || !isDue('look at the project', EVERY_MS)) return null
  const met = await meet(turn)
  if (met.ok) return met.value
  return askAboutFailure(turn.session, requestKey(turn), 'looking after changes in your files', met.failure)
}

async function meet(turn: Turn): Promise<Result<Next | null>> {
  const { session, plan, cursor } = turn
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const edits = await lookAtProject(session.ports, plan, cursor, sandbox.value)
  if (!edits.ok) return edits
  return edits.value === null || edits.value.both.length === 0
    ? ok(null)
    : settle(turn, sandbox.value, edits.value)
}

async function settle(turn: Turn, sandbox: Sandbox, edits: ProjectEdits): Promise<Result<Next | null>> {
  const { ports } = turn.session
  // Whatever was said holds until these very places change again.
  const key = `${turn.plan.planId}:project-drift:${edits.digest}`
  const answer = answerTo(ports, turn.plan, `${key}:conflict`) ?? answerTo(ports, turn.plan, key)
  if (answer?.decision === 'approve')
    return answer.optionId === 'adopt' ? adopt(turn, sandbox, edits, { key, note: answer.note }) : ok(null)
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'decideInExecute',
    decisionType: 'user_intervention',
    stated: null,
  })
  if (verdict.passes) return goOnWithNotice(turn, edits)
  return ok(ask(ports, { ...question(turn, key, edits), confidence: verdict }))
}

/** Apply merges around it or asks; until then a notice is enough. */
function goOnWithNotice({ session: { ports, planId } }: Turn, { both }: ProjectEdits): Result<null> {
  const notice = `${namesOf(both)} changed in your files while the plan worked on it; Apply merges both, or asks.`
  ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    if (!plan.notices.includes(notice)) savePlan(ports, { ...plan, notices: [...plan.notices, notice] })
  })
  return { ok: true, value: null }
}

async function adopt(
  turn: Turn,
  sandbox: Sandbox,
  edits: ProjectEdits,
  { key, note }: { readonly key: string; readonly note: string | null },
): Promise<Result<Next>> {
  const { ports } = turn.session
  const adopted = await adoptProject(turn, sandbox, edits, note)
  if (!adopted.ok) return adopted
  if (adopted.value.outcome === 'adopted') {
    const { adoption } = adopted.value
    return ok({ event: null, commit: plan => recordAdoption(ports, plan, adoption) })
  }
  return ok(ask(ports, conflictQuestion(turn, key, adopted.value.conflicts)))
}

function question(
  { plan }: Turn,
  requestKey: string,
  { both, files }: ProjectEdits,
): Omit<Question, 'confidence'> {
  const others = files.length - both.length
  return {
    kind: 'drift',
    requestKey,
    question: `${namesOf(both)} changed in your files since the plan began, and the plan works on it too. What now?`,
    subject: { kind: 'drift', folder: plan.project.root, changes: both },
    options: [goOn, bringIn, stop],
    reason:
      others === 0
        ? 'the plan read or wrote what you changed'
        : `the plan read or wrote what you changed; ${others} other changes of yours do not concern it`,
  }
}

function conflictQuestion({ plan }: Turn, key: string, conflicts: readonly ApplyConflict[]): Question {
  return {
    kind: 'drift',
    requestKey: `${key}:conflict`,
    question: `${namesOf(conflicts)} could not be brought in: you and the plan changed the same places. What now?`,
    subject: {
      kind: 'drift',
      folder: plan.project.root,
      changes: conflicts.map(({ path }) => ({ path, how: 'changed' })),
    },
    options: [goOn, stop],
    reason: conflicts.map(({ reason }) => reason).join(' '),
    confidence: null,
  }
}

const goOn: GateOption = {
  id: 'go_on',
  label: 'Go on without it',
  description:
    'Apply merges both, or asks where they do not fit. You are not asked again until it changes again.',
  effect: 'approve',
}

const bringIn: GateOption = {
  id: 'adopt',
  label: 'Bring your changes into the plan',
  description: 'They are merged into the sandbox, and the plan goes on from there.',
  effect: 'approve',
}

const stop: GateOption = {
  id: 'stop',
  label: 'Stop the plan here',
  description: 'Everything stays as it is. Resume or correct the plan later.',
  effect: 'reject',
}
