import type { SpawnRequest } from '../../domain/actor/actor.ts'
import { MAX_PARALLEL } from '../../domain/actor/recipe-format.ts'
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import { automationGates } from '../../domain/gate/automation.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { asId, type DecisionId, type PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { beginSpawn, readSpawn, wavesOf } from '../../domain/plan/spawn.ts'
import { addInfluence } from '../decision/record-influences.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { authoriseStep } from '../plan/journal-step.ts'
import { type Next, withCommit } from '../plan/next.ts'
import { worksInPlace } from '../plan/sandbox-facts.ts'
import { guide, requestKey, type Turn, tellFailure } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { type CheckedChild, checkChild, insertChild } from './create-child.ts'
import { driveSpawn } from './drive-spawn.ts'

/**
 * An actor wants child plans. They are made once, with the row that names them, and then driven on from that row, also
 * by another process, and also when the same request comes again after a correction that kept their decision.
 */
export async function settleSpawn(turn: Turn, request: SpawnRequest): Promise<Next> {
  const { ports } = turn.session
  const begun = openSpawn(ports, turn, request)
  if (begun) return driveSpawn(turn, begun)
  const wanted = checkSpawn(turn, request)
  if (!wanted.ok) return tellFailure(turn, wanted.failure)
  const key = `${requestKey(turn)}:children`
  const answer = answerTo(ports, turn.plan, key)
  if (answer?.decision === 'request_changes') return guide(turn, questionFor(request), answer)
  if (answer?.decision === 'reject') return tellFailure(turn, refusedBy(answer))
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'spawnChildren',
    decisionType: null,
    stated: null,
  })
  if (answer) return create(turn, request, wanted.value)
  if (verdict.passes)
    return withCommit(create(turn, request, wanted.value), plan =>
      recordPass(ports, plan, verdict, automationGates.spawnChildren.what),
    )
  return askToStart(turn, request, key, verdict)
}

/** The row of this very request, from whatever turn or attempt it is. */
function openSpawn(ports: Ports, { plan, cursor }: Turn, request: SpawnRequest): Step | undefined {
  return ports.store.steps
    .listOpenSpawns(plan.planId)
    .find(step => step.path === request.step && step.decisionId === cursor.decisionId)
}

interface CheckedSpawn {
  readonly decisionId: DecisionId
  readonly waves: readonly number[]
  readonly children: readonly CheckedChild[]
}

function checkSpawn({ session, plan, cursor }: Turn, request: SpawnRequest): Result<CheckedSpawn> {
  const { ports } = session
  const refused = refusalToSpawn(ports, plan, request)
  if (refused) return refuse('denied', refused, { step: request.step })
  const { decisionId } = cursor
  if (decisionId === null)
    return refuse('step_failed', 'Child plans are started under a decision; record one first.')
  const waves = wavesOf(request)
  if (!waves.ok) return waves
  const children: CheckedChild[] = []
  for (const child of request.children) {
    const checked = checkChild(ports, plan, child)
    if (!checked.ok) return checked
    children.push(checked.value)
  }
  return { ok: true, value: { decisionId, waves: waves.value, children } }
}

function refusalToSpawn(ports: Ports, plan: Plan, { children, maxParallel }: SpawnRequest): string | null {
  if (plan.position !== 'execute/running') return 'Strategize only reads; child plans are started in Execute.'
  if (worksInPlace(ports, plan))
    return 'Child plans need sandboxes of their own, and this plan works in your own files.'
  if (children.length === 0) return 'There is no child to start.'
  if (!Number.isInteger(maxParallel) || maxParallel < 1 || maxParallel > MAX_PARALLEL)
    return `max_parallel is ${maxParallel}; it can be 1 to ${MAX_PARALLEL}.`
  return null
}

function refusedBy({ note }: GateAnswer): Failure {
  const message = `A person refused to start child plans: ${note ?? 'no reason given'}.`
  return refuse('denied', message).failure
}

function create(turn: Turn, request: SpawnRequest, { decisionId, waves, children }: CheckedSpawn): Next {
  const { session, cursor } = turn
  const { ports } = session
  return {
    event: null,
    commit: plan => {
      const planIds = children.map(() => asId<PlanId>(ports.newId()))
      const row = authoriseStep(ports, plan, cursor, {
        path: request.step,
        kind: 'spawn',
        tool: null,
        input: beginSpawn(request, waves, planIds),
        readOnly: false,
        idempotencyKey: requestKey(turn),
      })
      insertChildren(ports, plan, row, children, 'parent')
      const known = ports.store.decisions
        .listByPlan(plan.planId)
        .filter(each => each.status.kind === 'active')
      for (const { key, why } of request.influencedBy) {
        const upstream = known.findLast(each => each.key === key)
        if (!upstream || upstream.decisionId === decisionId) continue
        const downstream = { kind: 'decision', decisionId } as const
        addInfluence(ports, plan, {
          upstreamDecisionId: upstream.decisionId,
          downstream,
          origin: 'derived',
          why,
        })
      }
    },
  }
}

/** The children that a row names, each below its decision. Call it inside a transaction. */
export function insertChildren(
  ports: Ports,
  plan: Plan,
  row: Step,
  children: readonly CheckedChild[],
  appliesTo: Plan['appliesTo'],
): Plan[] {
  const { decisionId: spawnDecisionId } = row
  const decision = spawnDecisionId && ports.store.decisions.find(spawnDecisionId)
  if (!decision) throw new Error(`the children of step ${row.stepId} have no decision`)
  const planned = readSpawn(row).children
  return children.map((child, at) => {
    const planId = planned[at]?.planId
    if (planId === undefined) throw new Error(`step ${row.stepId} names no plan for ${child.request.key}`)
    addInfluence(ports, plan, {
      upstreamDecisionId: decision.decisionId,
      downstream: { kind: 'plan', planId },
      origin: 'derived',
      why: `started under #${decision.number}`,
    })
    return insertChild(ports, plan, child, { planId, spawnDecisionId: decision.decisionId, appliesTo })
  })
}

function askToStart(turn: Turn, request: SpawnRequest, requestKey: string, confidence: Verdict): Next {
  const { session, plan } = turn
  return ask(session.ports, {
    kind: 'child',
    requestKey,
    question: questionFor(request),
    subject: {
      kind: 'children',
      mode: request.mode,
      maxParallel: request.maxParallel,
      merge: request.merge,
      profile: plan.profile.name,
      children: request.children,
    },
    options: [
      {
        id: 'start',
        label: request.children.length === 1 ? 'Start it' : 'Start them',
        description: 'What they change is merged into this plan; your files stay as they are until Apply.',
        effect: 'approve',
      },
    ],
    reason: null,
    confidence,
  })
}

function questionFor({ children }: SpawnRequest): string {
  const [only, second] = children
  if (only && !second) return `Start the child plan ${only.key}?`
  return `Start ${children.length} child plans: ${children.map(({ key }) => key).join(', ')}?`
}
