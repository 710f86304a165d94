import { expect, test } from 'vitest'
import { keys } from '../support/keys.ts'
import { driveScreen } from '../support/screen-driver.tsx'
import { aPlan } from '../support/screen-views.ts'
import { type Answers, refusal } from '../support/scripted-client.ts'
import { shopBackend } from '../support/shop-story.ts'

async function choosing(more: Answers = {}) {
  const drive = await driveScreen(shopBackend(more), { columns: 100, rows: 30 })
  await drive.keys('n')
  return drive
}

test('an abbreviation finds the action, and its form starts the plan with typed values', async () => {
  const plan = aPlan({ plan_id: 'new-plan-1', name: 'replace-text-1' })
  const drive = await choosing({ '_cleveragents/plan/use': () => plan })
  await drive.keys('rplctxt', keys.enter, 'oldName', keys.tab, 'newName', keys.tab)
  await drive.keys(keys.ctrl('u'), 'yes', keys.tab, 'my plan', keys.enter)
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toEqual([
    {
      action_name: 'builtin/replace-text',
      folder: '/home/mira/shop-api',
      args: { find: 'oldName', replace: 'newName', regex: true },
      name: 'my plan',
    },
  ])
  expect(drive.screen.store.ui().selectedPlanId).toBe('new-plan-1')
  expect(drive.text()).toContain('replace-text-1 has been started.')
  await drive.close()
})

test('what is missing or of the wrong type is told at its field and nothing is started', async () => {
  const drive = await choosing()
  await drive.keys(keys.enter, keys.tab, keys.tab, 'x', keys.ctrl('s'))
  expect(drive.text()).toContain('This is needed.')
  expect(drive.text()).toContain('This must be true or false.')
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toEqual([])
  await drive.close()
})

test('ctrl+p goes through the profiles, and what will wait follows', async () => {
  const drive = await choosing({ '_cleveragents/plan/use': () => aPlan({ plan_id: 'p' }) })
  await drive.keys(keys.enter)
  expect(drive.text()).toContain('go from Strategize to Execute: asks below .80')
  expect(drive.text()).toContain('go from Execute to Apply: always asks')
  await drive.keys(keys.ctrl('p'), keys.ctrl('p'))
  expect(drive.text()).toContain('3 of 3 never ask')
  await drive.keys('a', keys.tab, 'b', keys.ctrl('s'))
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toMatchObject([{ automation_profile: 'ci' }])
  await drive.close()
})

test('a refusal is told and the form stays as it is', async () => {
  const drive = await choosing({
    '_cleveragents/plan/use': () => refusal('preflight_failed', 'The repository has no commits.'),
  })
  await drive.keys(keys.enter, 'a', keys.tab, 'b', keys.ctrl('s'))
  expect(drive.text()).toContain('The repository has no commits.')
  expect(drive.text()).toContain('find *    a')
  await drive.close()
})

test('a pasted text of several lines stays in its field and starts nothing', async () => {
  const drive = await choosing()
  await drive.keys(keys.enter, keys.paste('one\ntwo\n'))
  expect(drive.text()).toContain('find *    one two')
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toEqual([])
  await drive.close()
})
