import { expect, test } from 'vitest'
import { followCorrection } from '../../stores/follow-correction.ts'
import { initialUi, selectNode, type Ui } from '../../stores/ui.ts'
import { aDecision, createEventMaker } from '../support/screen-views.ts'

const anEvent = createEventMaker()
const superseded = anEvent('_cleveragents/decision/superseded', {
  decision_ids: ['target', 'below'],
  reason: 'correction',
  superseded_by: 'said',
  correction_id: 'c1',
})
const successor = recorded('new', 'target')

test('a confirmed correction takes the selection along, to what was said and then to the new decision', () => {
  const ui = followed(correcting(), superseded)
  expect(ui.nodes).toEqual({ 'plan-1': { id: 'said', offset: 3 } })
  expect(followed(ui, recorded('aside', null), successor).nodes).toEqual({
    'plan-1': { id: 'new', offset: 3 },
  })
})

test('it is over with the new decision', () => {
  const ui = followed(correcting(), superseded, successor)
  expect(followed(ui, recorded('another', 'target'))).toBe(ui)
})

test('it leaves the selection alone when the person moved meanwhile', () => {
  const moved = selectNode(correcting(), 'plan-1', { id: 'elsewhere', offset: 1 })
  expect(followed(moved, superseded, successor).nodes).toEqual(moved.nodes)
})

test('a correction that somebody else made moves nothing', () => {
  const ui = { ...correcting(), correcting: null }
  expect(followed(ui, superseded, successor)).toBe(ui)
})

function correcting(): Ui<never> {
  const ui = initialUi<never>({ size: { columns: 80, rows: 24 }, themeName: 'dark' })
  const selected = selectNode({ ...ui, selectedPlanId: 'plan-1' }, 'plan-1', { id: 'target', offset: 3 })
  return { ...selected, correcting: { planId: 'plan-1', decisionId: 'target', heirId: 'target' } }
}

function followed(ui: Ui<never>, ...events: Parameters<typeof followCorrection>[1][]): Ui<never> {
  return events.reduce(followCorrection<never>, ui)
}

function recorded(decision_id: string, corrects_decision_id: string | null) {
  const decision = aDecision({ decision_id, corrects_decision_id, is_correction: true })
  return anEvent('_cleveragents/decision/recorded', { decision, edges: [] })
}
