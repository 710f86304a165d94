import { expect, test } from 'vitest'
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { applyEvent } from '../../stores/apply-event.ts'
import { inbox } from '../../stores/gates.ts'
import { markOf } from '../../stores/marks.ts'
import { createModel, stepsOf } from '../../stores/model.ts'
import { createPlanTree, fillTree } from '../../stores/plan-tree.ts'
import { putPlan } from '../../stores/plans.ts'
import { waitingPlans } from '../../stores/selectors.ts'
import { setAllOpen } from '../../stores/tree.ts'
import { windowOf } from '../../stores/tree-window.ts'
import { aDecision, aGate, aPlan, aStep, createEventMaker } from '../support/screen-views.ts'

function modelWithTree() {
  const model = createModel()
  const planTree = createPlanTree('plan-1')
  planTree.status = { kind: 'ready' }
  model.trees.set('plan-1', planTree)
  const rows = () => windowOf(planTree.tree, 0, 20).map(line => `${line.depth} ${line.node.id}`)
  const mark = (id: string) => {
    const node = planTree.tree.nodes.get(id)
    return node && markOf(node, waitingPlans(model))
  }
  return { model, planTree, rows, mark, anEvent: createEventMaker() }
}

test('a recorded decision stands below its parent, and the ids that changed are told', () => {
  const { model, rows, anEvent } = modelWithTree()
  applyEvent(
    model,
    anEvent('_cleveragents/decision/recorded', { decision: aDecision({ decision_id: 'd1' }), edges: [] }),
  )
  const changed = applyEvent(
    model,
    anEvent('_cleveragents/decision/recorded', {
      decision: aDecision({ decision_id: 'd2', parent_decision_id: 'd1' }),
      edges: [],
    }),
  )
  expect(rows()).toEqual(['0 d1', '1 d2'])
  expect(changed).toEqual({ ids: ['plan-1', 'd2'], stalePlanIds: ['plan-1'] })
})

test('an event that was already applied changes nothing', () => {
  const { model, rows, anEvent } = modelWithTree()
  const event = anEvent('_cleveragents/decision/recorded', {
    decision: aDecision({ decision_id: 'd1' }),
    edges: [],
  })
  applyEvent(model, event)
  expect(applyEvent(model, event)).toEqual({ ids: [], stalePlanIds: [] })
  expect(rows()).toEqual(['0 d1'])
})

test('superseded decisions leave the picture and come back when they are restored', () => {
  const { model, rows, mark, anEvent } = modelWithTree()
  for (const id of ['d1', 'd2'])
    applyEvent(
      model,
      anEvent('_cleveragents/decision/recorded', { decision: aDecision({ decision_id: id }), edges: [] }),
    )
  applyEvent(
    model,
    anEvent('_cleveragents/decision/superseded', {
      decision_ids: ['d2'],
      reason: 'correction',
      correction_id: 'c1',
      superseded_by: null,
    }),
  )
  expect([rows(), mark('d2')]).toEqual([['0 d1'], 'superseded'])
  applyEvent(model, anEvent('_cleveragents/decision/restored', { decision_ids: ['d2'] }))
  expect([rows(), mark('d2')]).toEqual([['0 d1', '0 d2'], 'done'])
})

test('a decision runs while a step under it runs, and has failed when its last step failed', () => {
  const { model, mark, anEvent } = modelWithTree()
  const step = aStep({ step_id: 's1', decision_id: 'd1' })
  applyEvent(
    model,
    anEvent('_cleveragents/decision/recorded', { decision: aDecision({ decision_id: 'd1' }), edges: [] }),
  )
  applyEvent(model, anEvent('_cleveragents/step/started', { step }))
  expect(mark('d1')).toBe('running')
  const failed = { ...step, status: 'failed' as const, ended_at: '2026-11-30T10:03:00.000Z' }
  applyEvent(model, anEvent('_cleveragents/step/finished', { step: failed }))
  expect(mark('d1')).toBe('failed')
})

test('an open gate is in the inbox and in the tree until it is answered', () => {
  const { model, planTree, rows, anEvent } = modelWithTree()
  fillTree(
    planTree,
    {
      plan_id: 'plan-1',
      decisions: [aDecision({ decision_id: 'd1', type: 'prompt_definition' })],
      edges: [],
      plans: [],
    },
    [],
  )
  const gate = aGate({ gate_id: 'g1' })
  applyEvent(model, anEvent('_cleveragents/gate/opened', { gate }))
  expect([inbox(model.gates).map(each => each.gate_id), rows()]).toEqual([['g1'], ['0 d1', '1 g1']])
  applyEvent(model, anEvent('_cleveragents/gate/resolved', { gate: { ...gate, status: 'resolved' } }))
  expect([inbox(model.gates), rows()]).toEqual([[], ['0 d1']])
})

test('a child plan stands below the decision that started it, whichever is told first, and its decisions below it', () => {
  const child = aPlan({
    plan_id: 'child',
    name: 'rename-auth/tests',
    parent_plan_id: 'plan-1',
    root_plan_id: 'plan-1',
    spawn_decision_id: 'd1',
  })
  const facts = [
    { method: 'task/statusUpdate' as const, planId: 'child', facts: statusOf(child) },
    recordedIn('plan-1', aDecision({ decision_id: 'd1', type: 'subplan_spawn' })),
    recordedIn('child', aDecision({ decision_id: 'c1', plan_id: 'child' })),
    recordedIn('child', aDecision({ decision_id: 'c2', plan_id: 'child', parent_decision_id: 'c1' })),
  ]
  for (const [first, ...others] of [facts, facts.toReversed(), [...facts.slice(2), ...facts.slice(0, 2)]]) {
    const { model, planTree, rows, anEvent } = modelWithTree()
    putPlan(model.plans, child)
    for (const each of first ? [first, ...others] : [])
      applyEvent(model, anEvent(each.method, each.facts as never, each.planId))
    expect(rows()).toEqual(['0 d1'])
    setAllOpen(planTree.tree, 'open')
    expect(rows()).toEqual(['0 d1', '1 child', '2 c1', '3 c2'])
  }
})

test('a question of a child stands in the child and marks the way up to the root', () => {
  const { model, planTree, mark, anEvent } = modelWithTree()
  for (const [id, above] of [
    ['child', 'plan-1'],
    ['grandchild', 'child'],
  ] as const)
    applyEvent(
      model,
      anEvent(
        'task/statusUpdate',
        statusOf(
          aPlan({
            plan_id: id,
            parent_plan_id: above,
            root_plan_id: 'plan-1',
            spawn_decision_id: above === 'plan-1' ? 'd1' : 'c1',
          }),
        ),
        id,
      ),
    )
  const spawns = [
    recordedIn('plan-1', aDecision({ decision_id: 'd1', type: 'subplan_parallel_spawn' })),
    recordedIn('child', aDecision({ decision_id: 'c1', plan_id: 'child', type: 'subplan_spawn' })),
  ]
  for (const { method, facts, planId } of spawns) applyEvent(model, anEvent(method, facts, planId))
  expect([mark('d1'), mark('child'), mark('c1')]).toEqual(['child', 'running', 'child'])
  const gate = aGate({ gate_id: 'g1', plan_id: 'grandchild' })
  applyEvent(model, anEvent('_cleveragents/gate/opened', { gate }, 'grandchild'))
  expect([mark('d1'), mark('child'), mark('c1'), mark('grandchild')]).toEqual(Array(4).fill('waits'))
  setAllOpen(planTree.tree, 'open')
  expect(windowOf(planTree.tree, 0, 9).at(-1)?.node).toMatchObject({ id: 'g1', parent: { id: 'grandchild' } })
})

test('with a spawn that is superseded its plans go, and come back with it', () => {
  const { model, planTree, rows, anEvent } = modelWithTree()
  const spawn = aDecision({ decision_id: 'd1', type: 'subplan_spawn' })
  const child = aPlan({ plan_id: 'child', parent_plan_id: 'plan-1', spawn_decision_id: 'd1' })
  applyEvent(model, anEvent('_cleveragents/decision/recorded', { decision: spawn, edges: [] }))
  applyEvent(model, anEvent('task/statusUpdate', statusOf(child), 'child'))
  const { method, facts, planId } = recordedIn('child', aDecision({ decision_id: 'c1', plan_id: 'child' }))
  applyEvent(model, anEvent(method, facts, planId))
  setAllOpen(planTree.tree, 'open')
  const whole = rows()
  const superseded = { decision_ids: ['d1'], reason: 'rollback', correction_id: null, superseded_by: null }
  applyEvent(model, anEvent('_cleveragents/decision/superseded', superseded))
  expect([whole, rows()]).toEqual([['0 d1', '1 child', '2 c1'], []])
  applyEvent(model, anEvent('_cleveragents/decision/restored', { decision_ids: ['d1'] }))
  expect(rows()).toEqual(whole)
})

test('of the output of a step only the end is kept', () => {
  const { model, anEvent } = modelWithTree()
  applyEvent(model, anEvent('_cleveragents/step/output', { step_id: 's1', text: 'a'.repeat(20_000) }))
  applyEvent(model, anEvent('_cleveragents/step/output', { step_id: 's1', text: 'end' }))
  const kept = stepsOf(model, 'plan-1').outputs.get('s1') ?? ''
  expect([kept.length, kept.slice(-4)]).toEqual([16_384, 'aend'])
})

function statusOf(plan: PlanView) {
  const { plan_id, phase, state, task_state, reason } = plan
  return { taskId: plan_id, state: task_state, phase, plan_state: state, reason, plan }
}

function recordedIn(planId: string, decision: DecisionView) {
  return { method: '_cleveragents/decision/recorded' as const, planId, facts: { decision, edges: [] } }
}
