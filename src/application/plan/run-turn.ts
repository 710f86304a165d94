import type { ActorRequest, FinishRequest, Outcome } from '../../domain/actor/actor.ts'
import { isStepRequest, stepOf } from '../../domain/decision/kept.ts'
import { assertNever, type Result } from '../../domain/failure.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import { COMMAND_TOOL } from '../../domain/tool.ts'
import { appendedTo } from '../children/append-child.ts'
import { driveSpawn } from '../children/drive-spawn.ts'
import { plansAbove } from '../children/plans-above.ts'
import { settleSpawn } from '../children/settle-spawn.ts'
import { answerFromJournal, keptIn, meetKept } from '../decision/kept-decision.ts'
import { letGo } from '../decision/let-go.ts'
import { recordClaims } from '../decision/record-influences.ts'
import { settleDecision } from '../decision/settle-decision.ts'
import { recordWork } from '../decision/take-checkpoint.ts'
import { meetProjectDrift } from '../drift/project-drift.ts'
import { meetSandboxDrift } from '../drift/sandbox-drift.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { checkStep, countsAsStep } from '../guardrails/check-step.ts'
import { runLateCheck } from '../validation/late-checks.ts'
import { runRequestedCheck } from '../validation/requested-check.ts'
import { savePlan } from './change-plan.ts'
import { checkClaims } from './check-claims.ts'
import { authoriseStep, endStep } from './journal-step.ts'
import { settleMissingFolder } from './missing-folder.ts'
import type { Next } from './next.ts'
import { reviseStrategy } from './revise-strategy.ts'
import { runModelStep } from './run-model-step.ts'
import { runSetUp } from './run-set-up.ts'
import { runToolStep } from './run-tool-step.ts'
import { worksInPlace } from './sandbox-facts.ts'
import { actorFor, briefFor, type PlanSession } from './session.ts'
import { guide, putOutcome, requestKey, type Turn, tell } from './turn.ts'

/**
 * One turn of a plan's actor: either hear its next request, which is saved before anything is done about it, or
 * settle the request that is pending.
 */
export async function runTurn(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const phase = plan.position === 'strategize/running' ? 'strategize' : 'execute'
  const cursor = await cursorFor(session, plan, phase)
  if (!cursor.ok)
    return askAboutFailure(session, `${plan.attempt}:${phase}:open`, 'opening the sandbox', cursor.failure)
  const turn: Turn = { session, plan, cursor: cursor.value }
  const appended = phase === 'execute' ? appendedTo(ports, plan) : undefined
  if (appended) return (await settleMissingFolder(turn)) ?? driveSpawn(turn, appended)
  if (cursor.value.pending === null) return hear(turn)
  return (await settleMissingFolder(turn)) ?? settle(turn, cursor.value.pending)
}

/** What a model is told of the project before it looks at it. */
const CONTEXT_TOKENS = 6_000

/** Where the actor stands; at the start of a phase, its first state on the sandbox as it is. */
async function cursorFor(
  session: PlanSession,
  plan: Plan,
  phase: 'strategize' | 'execute',
): Promise<Result<Cursor>> {
  const { ports } = session
  const found = ports.store.cursors.get(plan.planId)
  if (found?.phase === phase) return { ok: true, value: found }
  const actor = actorFor(ports, plan, phase)
  if (!actor.ok) return actor
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const strategyState = found ? ports.store.blobs.get(found.stateRef) : null
  const context = actor.value.wantsContext
    ? await ports.inspector.context(sandbox.value.root, CONTEXT_TOKENS)
    : null
  const above = actor.value.wantsContext ? plansAbove(ports, plan) : null
  const cursor: Cursor = {
    planId: plan.planId,
    phase,
    stateRef: ports.store.blobs.put(
      actor.value.start(briefFor(ports, plan, phase, { strategyState, context, above })),
    ),
    pending: null,
    outcome: { kind: 'none' },
    turn: found?.turn ?? 0,
    decisionId: found?.decisionId ?? null,
    underKept: found?.underKept ?? false,
    sandboxState: found?.sandboxState ?? plan.appliedState ?? sandbox.value.baseline,
    written: [],
    base: found?.base ?? null,
    correction: found?.correction ?? null,
  }
  const confinement = await ports.confinement()
  const unconfined =
    confinement.kind === 'none' ? [confinement.notice, await leadsOut(session, plan, sandbox.value)] : []
  const said = [plan.sandboxNotice, ...sandbox.value.notices, ...unconfined].filter(text => text !== null)
  ports.store.transaction(() => {
    ports.store.cursors.put(cursor)
    const current = ports.store.plans.find(plan.planId)
    if (!current) return
    // What was said on the way, e.g. that a restore was cut short, still holds.
    const notices = [...new Set([...current.notices, ...said])]
    savePlan(ports, { ...current, notices, confinement: confinement.kind })
  })
  return { ok: true, value: cursor }
}

/** A confined command sees the sandbox at the path that such an environment names; any other is led to the user's own. */
async function leadsOut({ ports }: PlanSession, plan: Plan, { root }: Sandbox): Promise<string | null> {
  const folder = worksInPlace(ports, plan) ? null : await ports.inspector.virtualEnvironment(root)
  if (folder === null) return null
  return `Absolute paths in ${folder} lead to the one in your own folder: an unconfined command that uses it, like pip install, changes that one.`
}

async function hear(turn: Turn): Promise<Next> {
  const { session, plan, cursor } = turn
  const { ports, signal } = session
  const actor = actorFor(ports, plan, cursor.phase)
  if (!actor.ok) return askAboutFailure(session, requestKey(turn), 'finding the actor', actor.failure)
  const state = ports.store.blobs.get(cursor.stateRef)
  if (!state) throw new Error(`the state ${cursor.stateRef} of plan ${plan.planId} is missing from the store`)
  // What it took over from the strategy went into its first state.
  // Told where it begins or resumes; from there on each is met when it is asked for.
  const resumes = cursor.outcome.kind === 'none' || cursor.outcome.kind === 'guided'
  const brief = briefFor(ports, plan, cursor.phase, { kept: resumes ? keptIn(ports, cursor) : [] })
  const heard = await actor.value.next(state, cursor.outcome, { brief, signal, emit: () => {} })
  const { request } = heard
  // Those of a decision belong to the decision that it becomes.
  const claims = 'influencedBy' in request && request.kind !== 'record_decision' ? request.influencedBy : []
  return {
    event: null,
    commit: () => {
      if (countsAsStep(request)) ports.store.guardrails.addStep(plan.planId)
      recordClaims(ports, plan, cursor.decisionId, claims)
      const stateRef = ports.store.blobs.put(heard.state)
      const told = { kind: 'none' } as const
      ports.store.cursors.put({
        ...cursor,
        stateRef,
        pending: request,
        outcome: told,
        turn: cursor.turn + 1,
      })
    },
  }
}

async function settle(turn: Turn, request: ActorRequest): Promise<Next> {
  const { session, plan, cursor } = turn
  const known = isStepRequest(request) ? await answerFromJournal(turn, request) : null
  if (known) return known
  const stopped = checkStep(turn, request)
  if (stopped) return stopped
  const answer = answerTo(session.ports, plan, `${requestKey(turn)}:error`)
  if (answer?.decision === 'request_changes') return guide(turn, `${request.step} failed`, answer)
  if (answer && isFailure(request)) return tell(turn, { kind: 'retry' })
  const drifted = (await meetSandboxDrift(turn, request)) ?? (await meetProjectDrift(turn, request))
  if (drifted) return drifted
  if (runsCommand(request)) {
    const first = await runSetUp(turn)
    if (first) return first
  }
  switch (request.kind) {
    case 'record_decision': {
      const recorded = await recordWork(session, cursor, `before ${request.key}`)
      if (!recorded.ok)
        return askAboutFailure(session, requestKey(turn), 'taking a checkpoint', recorded.failure)
      const ready: Turn = { ...turn, cursor: recorded.value.cursor }
      return (await meetKept(ready, request)) ?? settleDecision(ready, request, recorded.value.state)
    }
    case 'call_tool':
      return runToolStep(turn, request)
    case 'call_model':
      return runModelStep(turn, request)
    case 'validate':
      return runRequestedCheck(turn, request)
    case 'ask':
      return settleAsk(turn, request)
    case 'finish':
      return finishPhase(turn, request)
    case 'give_up':
      return reviseStrategy(turn, {
        key: requestKey(turn),
        constraint: request.constraint,
        subject: { kind: 'error', step: 'strategy', message: request.constraint },
        otherWays: [],
      })
    case 'spawn_plans':
      return settleSpawn(turn, request)
    case 'fail':
      return askAboutFailure(session, requestKey(turn), request.step, request.failure)
    default:
      return assertNever(request)
  }
}

function runsCommand(request: ActorRequest): boolean {
  return request.kind === 'validate' || (request.kind === 'call_tool' && request.tool === COMMAND_TOOL)
}

/** After a person chose to try again, these go back to the actor; every other request is simply settled anew. */
function isFailure(request: ActorRequest): boolean {
  return request.kind === 'fail' || request.kind === 'give_up'
}

function settleAsk(turn: Turn, request: Extract<ActorRequest, { kind: 'ask' }>): Next {
  const { session, plan } = turn
  const key = requestKey(turn)
  const answer = answerTo(session.ports, plan, key)
  if (!answer) {
    return ask(session.ports, {
      kind: 'ask',
      requestKey: key,
      question: request.question,
      subject: { kind: 'ask' },
      options: request.options.map(({ id, label, rationale }) => ({
        id,
        label,
        description: rationale,
        effect: 'approve',
      })),
      reason: 'the action asks a person',
      confidence: null,
    })
  }
  const optionId = answer.decision === 'approve' ? (answer.optionId ?? request.options[0]?.id ?? null) : null
  const note = answer.note ?? answer.guidance
  const outcome: Outcome = { kind: 'answered', optionId, note }
  return {
    event: null,
    commit: current => {
      endStep(session.ports, current, {
        ...authoriseStep(session.ports, current, turn.cursor, {
          ...stepOf(request),
          path: request.step,
          readOnly: true,
          idempotencyKey: key,
        }),
        status: 'done',
        outcome,
        summary: request.options.find(({ id }) => id === optionId)?.label ?? note ?? '',
      })
      putOutcome(session, turn.cursor, outcome)
    },
  }
}

async function finishPhase(turn: Turn, request: FinishRequest): Promise<Next> {
  const { session, cursor } = turn
  const left = session.ports.store.decisions.listKept(session.planId)
  const passedBy = left.filter(each => each.phase === cursor.phase)
  if (passedBy.length > 0)
    return letGo(
      turn,
      passedBy.map(({ decisionId }) => ({
        decisionId,
        why: 'it is not needed any more since the correction',
      })),
    )
  const recorded = await recordWork(session, cursor, `end of ${cursor.phase}`)
  if (!recorded.ok) return askAboutFailure(session, requestKey(turn), 'taking a checkpoint', recorded.failure)
  const ready: Turn = { ...turn, cursor: recorded.value.cursor }
  const checked =
    cursor.phase === 'execute'
      ? ((await checkClaims(ready, request)) ?? (await runLateCheck(ready, request)))
      : null
  if (checked) return checked
  const patch = cursor.phase === 'strategize' ? { strategy: strategyOf(turn, request) } : {}
  return { event: 'finished', reason: request.note, patch }
}

/** Whatever the strategy was before, edited or not, it is the one of this attempt from here on. */
function strategyOf({ session, plan }: Turn, { strategy: text }: FinishRequest): Plan['strategy'] {
  const { strategy } = session.ports.store.plans.find(session.planId) ?? plan
  return text === null ? null : { text, revision: (strategy?.revision ?? 0) + 1, editedBy: null }
}
