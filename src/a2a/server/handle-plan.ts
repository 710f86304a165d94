import type { CorrectionOutcome } from '../../application/backend/correction.ts'
import type { RollbackOutcome } from '../../application/backend/rollback.ts'
import { mapped, ok, type Result } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { CorrectionView } from '../protocol/views/correction.ts'
import type { PlanView } from '../protocol/views/plan.ts'
import type { RollbackView } from '../protocol/views/rollback.ts'
import type { Call, Handler } from './call.ts'
import { readChosenPart } from './chosen-part.ts'
import { correctionView, rollbackImpactView } from './to-view/correction.ts'
import { explainView, treeView } from './to-view/decision.ts'
import { checkpointView, diffView, stepView } from './to-view/journal.ts'
import { planView } from './to-view/plan.ts'

export const use: Handler<'_cleveragents/plan/use'> = async (params, call) =>
  advanced(
    await call.backend.useAction({
      actionName: params.action_name,
      projects: params.projects,
      folder: params.folder ?? null,
      args: params.args,
      automationProfile: params.automation_profile ?? null,
      sandbox: params.sandbox ?? null,
      invariants: params.invariants,
      limits: {
        toolBudget: params.max_cost ?? null,
        maxTokens: params.max_tokens ?? null,
        maxSteps: params.max_steps ?? null,
        maxWallClockSeconds: params.max_seconds ?? null,
      },
      name: params.name ?? null,
      contextId: params.session_id ?? null,
      trust: params.trust,
      isAttended: params.attended,
    }),
    params,
    call,
  )

export const execute: Handler<'_cleveragents/plan/execute'> = async (params, call) =>
  advanced(
    await call.backend.passPhase({
      planRef: params.plan_id,
      phase: 'execute',
      digest: null,
      part: null,
      by: call.user,
    }),
    params,
    call,
  )

export const apply: Handler<'_cleveragents/plan/apply'> = async (params, call) => {
  const part = await readChosenPart(params.plan_id, params, call.backend)
  if (!part.ok) return part
  const passed = await call.backend.passPhase({
    planRef: params.plan_id,
    phase: 'apply',
    digest: params.digest ?? null,
    part: part.value,
    by: call.user,
  })
  return advanced(passed, params, call)
}

export const cancel: Handler<'_cleveragents/plan/cancel'> = async (params, call) =>
  advanced(await call.backend.cancel(params.plan_id, params.reason ?? null), params, call)

export const pause: Handler<'_cleveragents/plan/pause'> = async ({ plan_id }, call) =>
  mapped(await call.backend.pause(plan_id), plan => viewOf(plan, call))

export const resume: Handler<'_cleveragents/plan/resume'> = async (params, call) =>
  advanced(await call.backend.resume(params.plan_id), params, call)

export const interrupt: Handler<'_cleveragents/plan/interrupt'> = async ({ plan_id }, call) =>
  mapped(await call.backend.interrupt(plan_id), plan => viewOf(plan, call))

export const prompt: Handler<'_cleveragents/plan/prompt'> = async (params, call) =>
  advanced(await call.backend.prompt(params.plan_id, params.guidance, call.user), params, call)

export const status: Handler<'_cleveragents/plan/status'> = async ({ plan_id, wait }, call) => {
  const found = await call.backend.plan(plan_id)
  if (!found.ok || !wait) return mapped(found, details => planView(details, call.here))
  return ok(viewOf(await call.backend.settled(found.value.plan.planId, call.signal), call))
}

export const list: Handler<'_cleveragents/plan/list'> = ({ phase, state, project, limit }, call) => {
  // Read before the list: a client that follows from here sees a change twice rather than never.
  const seq = call.backend.events.lastSeq()
  const filter = { phase: phase ?? null, state: state ?? null, project: project ?? null, limit }
  return ok({ plans: call.backend.plans(filter).map(details => planView(details, call.here)), seq })
}

export const tree: Handler<'_cleveragents/plan/tree'> = ({ plan_id, show_superseded, depth }, { backend }) =>
  mapped(backend.tree(plan_id, { showSuperseded: show_superseded, depth: depth ?? null }), treeView)

export const explain: Handler<'_cleveragents/plan/explain'> = async ({ decision_id, plan_id }, { backend }) =>
  mapped(await backend.explain(decision_id, plan_id ?? null), explainView)

export const diff: Handler<'_cleveragents/plan/diff'> = async (params, { backend }) => {
  const request = {
    planRef: params.plan_id,
    decisionRef: params.decision_id ?? null,
    correctionRef: params.correction_id ?? null,
    againstRef: params.against ?? null,
    part: params.part ?? null,
    stat: params.stat,
  }
  return mapped(await backend.diff(request), diffView)
}

export const correct: Handler<'_cleveragents/plan/correct'> = async (params, call) => {
  const before = call.backend.events.lastSeq()
  const corrected = await call.backend.correct({
    decisionRef: params.decision_id ?? null,
    planRef: params.plan_id ?? null,
    mode: params.mode ?? null,
    guidance: params.guidance,
    action: params.action ?? null,
    dryRun: params.dry_run,
    digest: params.digest ?? null,
  })
  if (!corrected.ok) return corrected
  const view = correctionView(corrected.value)
  if (!params.wait || corrected.value.correction === null) return ok(view)
  await call.backend.settled(corrected.value.plan.planId, call.signal)
  return ok({ ...view, status: statusSince(before, corrected.value, call) ?? view.status })
}

export const rollback: Handler<'_cleveragents/plan/rollback'> = async (params, call) => {
  const rolled = await call.backend.rollback({
    planRef: params.plan_id,
    checkpointRef: params.checkpoint_id ?? null,
    dryRun: params.dry_run,
    digest: params.digest ?? null,
  })
  return mapped(rolled, outcome => rollbackView(outcome, call))
}

export const undo: Handler<'_cleveragents/plan/undo'> = async (params, call) => {
  const undone = await call.backend.undo({
    planRef: params.plan_id,
    dryRun: params.dry_run,
    digest: params.digest ?? null,
  })
  return mapped(undone, outcome => rollbackView(outcome, call))
}

function rollbackView({ plan, checkpoint, impact, safety }: RollbackOutcome, call: Call): RollbackView {
  return {
    status: safety === null ? 'preview' : 'done',
    plan: viewOf(plan, call),
    checkpoint: checkpointView(checkpoint),
    impact: rollbackImpactView(impact),
    safety_checkpoint: safety && checkpointView(safety),
  }
}

export const unapply: Handler<'_cleveragents/plan/unapply'> = async (params, call) =>
  advanced(await call.backend.unapply(params.plan_id, params.note ?? null), params, call)

export const listCheckpoints: Handler<'_cleveragents/plan/checkpoint/list'> = ({ plan_id }, { backend }) =>
  mapped(backend.checkpoints(plan_id), checkpoints => ({ checkpoints: checkpoints.map(checkpointView) }))

export const artifacts: Handler<'_cleveragents/plan/artifacts'> = async ({ plan_id }, { backend }) =>
  mapped(await backend.artifacts(plan_id), found => ({ artifacts: found.map(each => ({ ...each })) }))

export const steps: Handler<'_cleveragents/plan/steps'> = ({ plan_id, decision_id }, { backend }) =>
  mapped(backend.steps(plan_id, decision_id ?? null), found => ({ steps: found.map(stepView) }))

/** The plan as soon as the request is on record or, if asked to wait, when the plan waits for a person or ends. */
export async function advanced(
  result: Result<Plan>,
  { wait }: { readonly wait: boolean },
  call: Call,
): Promise<Result<PlanView>> {
  if (!result.ok) return result
  const plan = wait ? await call.backend.settled(result.value.planId, call.signal) : result.value
  return ok(viewOf(plan, call))
}

function viewOf(plan: Plan, call: Call): PlanView {
  return planView(call.backend.details(plan), call.here)
}

/** How a correction ended, as the log tells it; null while it has not. */
function statusSince(seq: number, { plan, correction }: CorrectionOutcome, call: Call) {
  const ends: CorrectionView['status'][] = call.backend.events
    .read(seq, EVENTS_OF_ONE_CORRECTION, plan.planId)
    .flatMap(({ body }) =>
      body.type === 'CORRECTION_FINISHED' && body.correction.correctionId === correction?.correctionId
        ? [body.correction.status]
        : [],
    )
  return ends.at(-1) ?? null
}

const EVENTS_OF_ONE_CORRECTION = 10_000
