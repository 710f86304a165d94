/** A correction as the tree lives through it, with its events in the orders in which they may come. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { applyEvent } from '../../stores/apply-event.ts'
import { markOf } from '../../stores/marks.ts'
import { createModel } from '../../stores/model.ts'
import { createPlanTree, fillTree, type PlanTree } from '../../stores/plan-tree.ts'
import { setAllOpen } from '../../stores/tree.ts'
import { windowOf } from '../../stores/tree-window.ts'
import { aDecision, aGate, aPlan, createEventMaker } from '../support/screen-views.ts'

/** goal > first, target > (below > leaf), kept; `target` is corrected. */
const before = [
  decision({ decision_id: 'goal', key: null, type: 'prompt_definition', parent_decision_id: null }),
  decision({ decision_id: 'first', phase: 'strategize' }),
  decision({ decision_id: 'target' }),
  decision({ decision_id: 'below', parent_decision_id: 'target' }),
  decision({ decision_id: 'leaf', parent_decision_id: 'below' }),
  decision({ decision_id: 'kept' }),
]
const redone = { is_correction: true, corrects_decision_id: 'target', correction_id: 'c1', attempt: 2 }
const said = decision({ decision_id: 'said', key: null, type: 'user_intervention' })
const newTarget = decision({ ...redone, decision_id: 'target2', key: 'target' })
const newBelow = decision({ ...redone, decision_id: 'below2', key: 'below', parent_decision_id: 'target2' })
const newLeaf = decision({ ...redone, decision_id: 'leaf2', key: 'leaf', parent_decision_id: 'below2' })

const after = ['0 goal', '1 first', '1 said', '1 target2', '2 below2', '3 leaf2', '1 kept']

test('what is redone stays in sight until it is taken again, and what is kept stays where it is', () => {
  const { tell, rows } = aTree()
  const frames = [
    tell(recorded(said), superseded(), running()),
    tell(recorded(newTarget)),
    tell(recorded(newBelow)),
    tell(recorded(newLeaf)),
  ]
  expect(frames).toEqual([
    ['0 goal', '1 first', '1 ◌target', '2 ◌below', '3 ◌leaf', '1 said', '1 kept'],
    ['0 goal', '1 first', '1 said', '1 target2', '2 ◌below', '3 ◌leaf', '1 kept'],
    ['0 goal', '1 first', '1 said', '1 target2', '2 below2', '3 ◌leaf', '1 kept'],
    after,
  ])
  expect(rows()).toEqual(after)
})

test('what is taken again beside the corrected decision stands in its own place too', () => {
  const { tell } = aTree()
  const newKept = decision({ ...redone, decision_id: 'kept2', key: 'kept' })
  tell(
    recorded(said),
    superseded(['target', 'below', 'leaf', 'kept']),
    recorded(newTarget),
    recorded(newKept),
  )
  expect(tell(asksForApply())).toEqual(['0 goal', '1 first', '1 said', '1 target2', '1 kept2', '1 gate'])
})

test('what is not taken again is gone when the phase ends', () => {
  const { tell } = aTree()
  tell(recorded(said), superseded(), recorded(newTarget))
  const gone = ['0 goal', '1 first', '1 said', '1 target2', '1 kept']
  expect(tell(asksForApply())).toEqual([...gone.slice(0, 1), ...gone.slice(1), '1 gate'])
})

test('what belongs to a later phase stays in sight while the earlier one is taken again', () => {
  const { tell } = aTree()
  tell(
    recorded(said),
    superseded(['first', 'target', 'below', 'leaf', 'kept']),
    status('strategize', 'running'),
  )
  const all = ['0 goal', '1 ◌first', '1 said', '1 ◌target', '2 ◌below', '3 ◌leaf', '1 ◌kept']
  expect(tell()).toEqual(all)
  const newFirst = decision({ ...redone, decision_id: 'first2', key: 'first', phase: 'strategize' })
  expect(tell(recorded(newFirst))).toEqual(['0 goal', '1 said', '1 first2', ...all.slice(3)])
  expect(tell(status('execute', 'running'))).toEqual(['0 goal', '1 said', '1 first2', ...all.slice(3)])
  expect(tell(status('execute', 'errored'))).toEqual(['0 goal', '1 said', '1 first2'])
})

test('the old line stands where it stood when it is asked for', () => {
  const { tell, planTree, rows } = aTree()
  tell(recorded(said), superseded(), recorded(newTarget), recorded(newBelow), recorded(newLeaf))
  planTree.tree.showHidden = true
  setAllOpen(planTree.tree, 'open')
  expect(rows()).toEqual([
    '0 goal',
    '1 first',
    '1 target',
    '2 below',
    '3 leaf',
    '1 said',
    '1 target2',
    '2 below2',
    '3 leaf2',
    '1 kept',
  ])
})

test('taken back, the correction leaves the line that was', () => {
  const { tell, rows } = aTree()
  const start = rows()
  tell(recorded(said), superseded(), recorded(newTarget), recorded(newBelow), recorded(newLeaf))
  tell(
    anEvent('_cleveragents/decision/superseded', {
      decision_ids: ['said', 'target2', 'below2', 'leaf2'],
      reason: 'rollback',
      correction_id: null,
      superseded_by: null,
    }),
    anEvent('_cleveragents/decision/restored', { decision_ids: ['target', 'below', 'leaf'] }),
  )
  expect(rows()).toEqual(start)
})

test.each(['lived through', 'loaded from the backend'])(
  'after one that was taken back, the next correction stands in place of the line that holds (%s)',
  how => {
    const undone = { status: 'superseded' as const, superseded_reason: 'rollback' }
    const { tell } = how === 'lived through' ? aTree() : aTree([...before, { ...newTarget, ...undone }])
    if (how === 'lived through')
      tell(
        superseded(),
        recorded(newTarget),
        anEvent('_cleveragents/decision/superseded', {
          decision_ids: ['target2'],
          reason: 'rollback',
          correction_id: null,
          superseded_by: null,
        }),
        anEvent('_cleveragents/decision/restored', { decision_ids: ['target', 'below', 'leaf'] }),
      )
    tell(superseded())
    const third = decision({ ...redone, decision_id: 'target3', key: 'target', attempt: 4 })
    expect(tell(recorded(third))).toEqual(['0 goal', '1 first', '1 target3', '2 ◌below', '3 ◌leaf', '1 kept'])
  },
)

test('the events of one correction leave the same tree in whatever order they come', () => {
  const facts = [recorded(said), superseded(), running(), recorded(newTarget), recorded(newBelow)]
  fc.assert(
    fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), shuffled => {
      const { tell } = aTree()
      tell(...shuffled, recorded(newLeaf))
      expect(tell(status('execute', 'complete'))).toEqual(after)
    }),
  )
})

test('a tree loaded from the backend stands as the one that lived through the correction', () => {
  const { model, planTree, rows } = aTree([])
  const old = new Set(['target', 'below', 'leaf'])
  const told = [...before, said, newTarget, newBelow, newLeaf].map(each =>
    old.has(each.decision_id)
      ? { ...each, status: 'superseded' as const, superseded_reason: 'correction', superseded_by: 'said' }
      : each,
  )
  fillTree(planTree, { plan_id: 'plan-1', decisions: told, edges: [], plans: [] }, [])
  expect(model.trees.get('plan-1')).toBe(planTree)
  expect(rows()).toEqual(after)
})

let anEvent = createEventMaker()

function aTree(decisions: readonly DecisionView[] = before) {
  anEvent = createEventMaker()
  const model = createModel()
  const planTree = createPlanTree('plan-1')
  planTree.status = { kind: 'ready' }
  model.trees.set('plan-1', planTree)
  fillTree(planTree, { plan_id: 'plan-1', decisions: [...decisions], edges: [], plans: [] }, [])
  const rows = () => rowsOf(planTree)
  let seq = 0
  const tell = (...events: WireEvent[]) => {
    for (const event of events) applyEvent(model, { ...event, seq: ++seq })
    return rows()
  }
  return { model, planTree, rows, tell }
}

function rowsOf({ tree }: PlanTree): string[] {
  return windowOf(tree, 0, 99).map(({ node, depth }) => {
    return `${depth} ${markOf(node) === 'toCome' ? '◌' : ''}${node.id}`
  })
}

/** Below the goal, with its id as its key, unless told otherwise. */
function decision(of: Partial<DecisionView> & { decision_id: string }): DecisionView {
  return aDecision({ key: of.decision_id, parent_decision_id: 'goal', ...of })
}

function recorded(of: DecisionView): WireEvent {
  return anEvent('_cleveragents/decision/recorded', { decision: of, edges: [] })
}

function superseded(decision_ids: string[] = ['target', 'below', 'leaf']): WireEvent {
  return anEvent('_cleveragents/decision/superseded', {
    decision_ids,
    reason: 'correction',
    correction_id: 'c1',
    superseded_by: 'said',
  })
}

function asksForApply(): WireEvent {
  return anEvent('_cleveragents/gate/opened', { gate: aGate({ gate_id: 'gate', phase: 'execute' }) })
}

function running(): WireEvent {
  return status('execute', 'running')
}

function status(phase: PlanView['phase'], state: PlanView['state']): WireEvent {
  return anEvent('task/statusUpdate', {
    taskId: 'plan-1',
    state: 'working',
    phase,
    plan_state: state,
    reason: null,
    plan: aPlan({ plan_id: 'plan-1', phase, state }),
  })
}
