import { expect, test } from 'vitest'
import { applyEvent } from '../../stores/apply-event.ts'
import { inbox } from '../../stores/gates.ts'
import { createModel, stepsOf } from '../../stores/model.ts'
import { createPlanTree, fillTree } from '../../stores/plan-tree.ts'
import { markOf } from '../../stores/selectors.ts'
import { setOpen } from '../../stores/tree.ts'
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
    return node && markOf(node)
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

test("a child plan's decisions stand folded below the decision that started it", () => {
  const { model, planTree, rows, anEvent } = modelWithTree()
  applyEvent(
    model,
    anEvent('task/statusUpdate', {
      taskId: 'child',
      state: 'working',
      phase: 'execute',
      plan_state: 'running',
      reason: null,
      plan: aPlan({ plan_id: 'child', parent_plan_id: 'plan-1', root_plan_id: 'plan-1' }),
    }),
  )
  const spawn = aDecision({ decision_id: 'd1', type: 'subplan_spawn' })
  const edge = {
    upstream_decision_id: 'd1',
    downstream_ref: 'child',
    dependency_type: 'plan' as const,
    origin: 'derived' as const,
    why: '',
  }
  applyEvent(model, anEvent('_cleveragents/decision/recorded', { decision: spawn, edges: [edge] }))
  applyEvent(
    model,
    anEvent(
      '_cleveragents/decision/recorded',
      { decision: aDecision({ decision_id: 'c1', plan_id: 'child' }), edges: [] },
      'child',
    ),
  )
  expect(rows()).toEqual(['0 d1'])
  setOpen(planTree.tree, 'd1', 'open')
  expect(rows()).toEqual(['0 d1', '1 c1'])
})

test('of the output of a step only the end is kept', () => {
  const { model, anEvent } = modelWithTree()
  applyEvent(model, anEvent('_cleveragents/step/output', { step_id: 's1', text: 'a'.repeat(20_000) }))
  applyEvent(model, anEvent('_cleveragents/step/output', { step_id: 's1', text: 'end' }))
  const kept = stepsOf(model, 'plan-1').outputs.get('s1') ?? ''
  expect([kept.length, kept.slice(-4)]).toEqual([16_384, 'aend'])
})
