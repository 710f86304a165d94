/** Child plans as a person sees them: in the list, in the tree, in the inbox and on cards. `vitest -u` writes them anew. */
import { expect, test } from 'vitest'
import type { GateView } from '../../../src/a2a/protocol/views/gate.ts'
import { conflictGate, familyBackend, familyGate, startGate } from '../../support/family-story.ts'
import { keys } from '../../support/keys.ts'
import { type DriveOptions, driveScreen } from '../../support/screen-driver.tsx'
import { aStep } from '../../support/screen-views.ts'
import { shopAnswers } from '../../support/shop-story.ts'

const small = { columns: 80, rows: 24 }
const middle = { columns: 120, rows: 40 }
const large = { columns: 250, rows: 70 }

const frames: readonly [string, readonly string[], DriveOptions, GateView[]?][] = [
  ['family-plans-80x24', [], small],
  ['family-tree-80x24', [keys.tab, 'j'], small],
  ['family-tree-120x40', [keys.tab, 'j'], middle],
  ['family-open-80x24', [keys.tab, 'j', keys.right, 'j', 'j', keys.right, 'j'], small],
  ['family-open-120x40', [keys.tab, 'j', keys.right, 'j', 'j', keys.right, 'j'], middle],
  ['family-open-250x70', [keys.tab, 'j', keys.right, 'j', 'j', keys.right, 'j'], large],
  ['family-open-light', [keys.tab, 'j', keys.right], { ...middle, depth: 'truecolor', themeName: 'light' }],
  ['family-open-ascii', [keys.tab, 'j', keys.right, 'j'], { columns: 120, rows: 24, charset: 'ascii' }],
  ['family-inside-80x24', [keys.tab, 'j', keys.right, 'j', 'j', keys.right, 'j', keys.tab], small],
  ['family-gates-80x24', ['g'], small],
  ['family-gates-120x40', ['g'], middle],
  ['family-start-80x24', ['g', keys.enter], small, [startGate]],
  ['family-conflict-80x24', ['g', keys.enter], small, [conflictGate]],
  ['family-conflict-120x40', ['g', keys.enter], middle, [conflictGate]],
  ['family-cancel-80x24', ['X'], small],
]

test.each(frames)('%s', async (name, way, options, gates = [familyGate]) => {
  const drive = await driveScreen(familyBackend(gates), options)
  for (const key of way) {
    await drive.keys(key)
    await drive.pass(700)
  }
  const picture = options.depth ? drive.styled() : drive.text()
  await expect(picture).toMatchFileSnapshot(`frames/${name}.txt`)
  await drive.close()
})

test('a decision of a child is inspected with its own steps, and says when it is kept from before a correction', async () => {
  const steps = [aStep({ step_id: 's1', decision_id: 'c1', summary: 'translated four texts' })]
  const explain = shopAnswers['_cleveragents/plan/explain']
  if (!explain) throw new Error('nothing to explain with')
  const backend = familyBackend([familyGate], {
    '_cleveragents/plan/steps': ({ plan_id }) => ({
      steps: plan_id === '01J0000000000000000CHILD1' ? steps : [],
    }),
    '_cleveragents/plan/explain': params => ({ ...explain(params), standing: 'kept' }),
  })
  const drive = await driveScreen(backend, large)
  for (const key of [keys.tab, 'j', keys.right, 'j', keys.right, 'j']) {
    await drive.keys(key)
    await drive.pass(700)
  }
  expect(drive.text()).toContain('Kept through a correction')
  await drive.keys('i')
  await drive.pass(700)
  expect(drive.text()).toContain('translated four texts')
  await drive.close()
})
