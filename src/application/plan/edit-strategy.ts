/** The strategy of a plan in words: read by anybody, edited by a person while the plan waits before Execute. */
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { type Gate, isPhaseQuestion, namesDigest } from '../../domain/gate/gate.ts'
import { positionWords } from '../../domain/plan/lifecycle.ts'
import type { Plan, StrategyText } from '../../domain/plan/plan.ts'
import { unifiedDiff } from '../../domain/unified-diff.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { closeGate } from '../gate/close-gates.ts'
import { openGate } from '../gate/open-gate.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { savePlan } from './change-plan.ts'
import { phaseQuestion } from './decide-phase.ts'

export interface PlanStrategy {
  readonly plan: Plan
  readonly strategy: StrategyText
  /** Of exactly this revision; an edit names what it was made from. */
  readonly digest: string
}

export interface EditStrategy {
  readonly planRef: string
  readonly text: string
  readonly digest: string | null
  readonly by: string
}

export function showStrategy(ports: Ports, planRef: string): Result<PlanStrategy> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const { strategy, name } = plan.value
  if (strategy === null) {
    const message = `Plan ${name} has no strategy in words. What was decided: agents plan tree ${name}`
    return refuse('not_found', message, { plan_id: plan.value.planId })
  }
  return ok({ plan: plan.value, strategy, digest: digestOf(ports, plan.value, strategy) })
}

function digestOf(ports: Ports, { planId }: Plan, strategy: StrategyText): string {
  return ports.digest(JSON.stringify([planId, strategy]))
}

/**
 * The edit is a person's decision in the tree, with what it changed. Whatever was asked about the strategy as it was is
 * void, and asked anew about what it is.
 */
export function editStrategy(
  ports: Ports,
  { planRef, text, digest, by }: EditStrategy,
): Result<PlanStrategy> {
  return ports.store.transaction(() => {
    const shown = showStrategy(ports, planRef)
    if (!shown.ok) return shown
    const { plan, strategy } = shown.value
    const gate = ports.store.gates.listOpen(plan.planId).find(isBeforeExecute)
    if (plan.position !== 'strategize/awaiting_input' || !gate) {
      const message = `The strategy of ${plan.name} can be edited while it waits before Execute; it is ${positionWords(plan.position)}. To change it later, correct one of its decisions.`
      return refuse('invalid_state', message, { position: plan.position })
    }
    if (digest !== null && !namesDigest(shown.value.digest, digest)) {
      const message = `The strategy of ${plan.name} is another one by now (revision ${strategy.revision}). Read it again.`
      return refuse('stale_answer', message, { revision: strategy.revision, digest: shown.value.digest })
    }
    const edited = text.trimEnd()
    if (edited.trim() === '')
      return refuse('invalid_input', 'The strategy is empty. To stop the plan, reject it.')
    if (edited === strategy.text.trimEnd()) return shown
    return ok(replace(ports, { plan, gate, text: edited, by }))
  })
}

function isBeforeExecute(gate: Gate): boolean {
  return isPhaseQuestion(gate) && gate.automation === 'autoExecute'
}

interface Replacing {
  readonly plan: Plan
  readonly gate: Gate
  readonly text: string
  readonly by: string
}

function replace(ports: Ports, { plan, gate, text, by }: Replacing): PlanStrategy {
  const before = plan.strategy ?? { text: '', revision: 0, editedBy: null }
  const strategy: StrategyText = { text, revision: before.revision + 1, editedBy: by }
  recordDirectly(ports, plan, {
    type: 'user_intervention',
    phase: 'strategize',
    question: 'Edit of the strategy',
    chosenOption: { id: 'edited', label: `revision ${strategy.revision}, by ${by}`, rationale: null },
    rationale: unifiedDiff(before.text, text, 'strategy'),
    parentDecisionId: rootOf(ports, plan),
    decidedBy: 'human',
  })
  const edited: Plan = { ...plan, strategy, updatedAt: ports.clock.now() }
  savePlan(ports, edited)
  const reason = `the strategy was edited by ${by}`
  closeGate(ports, edited, gate, { kind: 'void', reason, at: ports.clock.now() })
  openGate(ports, edited, phaseQuestion({ ports }, edited, 'autoExecute', null))
  return { plan: edited, strategy, digest: digestOf(ports, edited, strategy) }
}
