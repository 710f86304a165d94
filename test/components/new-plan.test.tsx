import { expect, test } from 'vitest'
import { gettingGoing } from '../../src/infrastructure/models/getting-going.ts'
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
  expect(drive.text()).toContain('Asks below .80: go from Strategize to Execute')
  expect(drive.text()).toContain('Always asks: go from Execute to Apply')
  await drive.keys(keys.ctrl('p'), keys.ctrl('p'))
  expect(drive.text()).toContain('3 of 3 never ask')
  expect(drive.text()).toContain('Nothing on the way waits for you.')
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

const newFolder = {
  name: 'local/shop-api',
  root: '/home/mira/shop-api',
  trusted: false,
  trust_asked: false,
  trust: 'unasked' as const,
  trust_digest: 'd1',
  would_run: [
    {
      ...{ kind: 'check' as const, name: 'test', command: 'npm test', from: 'package.json' },
      ...{ runs: 'node --test', is_new: false },
    },
  ],
  resource: 'git-checkout' as const,
  resources: [],
  branch: 'main',
  automation_profile: null,
  set_up: null,
  languages: ['typescript'],
  checks: [{ name: 'test', command: 'npm test', kind: 'test' }],
}

async function startingIn(project: typeof newFolder, more: Answers = {}) {
  const decided = () => ({ ...project, trust_asked: true })
  const drive = await choosing({
    '_cleveragents/project/show': () => project,
    '_cleveragents/project/trust': decided,
    '_cleveragents/project/untrust': decided,
    '_cleveragents/plan/use': () => aPlan({ plan_id: 'p' }),
    ...more,
  })
  await drive.keys(keys.enter, 'a', keys.tab, 'b')
  return drive
}

test('a plan in a new folder starts only after a person said whether its own commands may run', async () => {
  const drive = await startingIn(newFolder)
  expect(drive.text()).toContain("may the folder's own commands check the work?")
  expect(drive.text()).toContain('test: node --test')
  await drive.keys(keys.ctrl('s'))
  expect(drive.text()).toContain('First say with ctrl+t')
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toEqual([])
  await drive.keys(keys.ctrl('t'), keys.ctrl('s'))
  expect(drive.backend.callsOf('_cleveragents/project/trust')).toEqual([
    { project: 'local/shop-api', digest: 'd1' },
  ])
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toHaveLength(1)
  await drive.close()
})

test('what does not fit below the fields of a small window is reached by page down', async () => {
  const runs = 'node --test '.repeat(40)
  const would_run = [
    { name: 'test', kind: 'check' as const, command: runs, runs: null, from: null, is_new: false },
  ]
  const backend = shopBackend({ '_cleveragents/project/show': () => ({ ...newFolder, would_run }) })
  const drive = await driveScreen(backend, { columns: 80, rows: 24 })
  await drive.keys('n', keys.enter)
  expect(drive.text()).toContain('more: PgUp PgDn')
  expect(drive.text()).not.toContain('Always asks: go from Execute to Apply')
  await drive.keys(keys.pageDown, keys.pageDown, keys.pageDown, keys.pageDown)
  expect(drive.text()).toContain('Always asks: go from Execute to Apply')
  await drive.keys(keys.pageUp, keys.pageUp, keys.pageUp, keys.pageUp)
  expect(drive.text()).toContain("may the folder's own commands check the work?")
  await drive.close()
})

test('a second ctrl+t says no, and that is recorded as the answer', async () => {
  const drive = await startingIn(newFolder)
  await drive.keys(keys.ctrl('t'), keys.ctrl('t'))
  expect(drive.text()).toContain('no, these commands do not run')
  await drive.keys(keys.ctrl('s'))
  expect(drive.backend.callsOf('_cleveragents/project/untrust')).toEqual([{ project: 'local/shop-api' }])
  expect(drive.backend.callsOf('_cleveragents/project/trust')).toEqual([])
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toHaveLength(1)
  await drive.close()
})

test.each([
  ['was decided before', { ...newFolder, trust_asked: true }],
  ['is trusted', { ...newFolder, trusted: true, trust_asked: true }],
  ['has nothing of its own that would run', { ...newFolder, would_run: [] }],
])('nothing is asked about a folder that %s', async (_, project) => {
  const drive = await startingIn(project)
  expect(drive.text()).not.toContain('Trust')
  await drive.keys(keys.ctrl('s'))
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toHaveLength(1)
  expect(drive.backend.callsOf('_cleveragents/project/untrust')).toEqual([])
  await drive.close()
})

test('a plan is not started when the answer about the folder could not be kept', async () => {
  const drive = await startingIn(newFolder, {
    '_cleveragents/project/trust': () => refusal('store_busy', 'The store is busy. Try again.'),
  })
  await drive.keys(keys.ctrl('t'), keys.ctrl('s'))
  expect(drive.text()).toContain('The store is busy.')
  expect(drive.backend.callsOf('_cleveragents/plan/use')).toEqual([])
  await drive.close()
})

test('an action that needs a model says on the same screen how to get going, whole when it is chosen', async () => {
  const drive = await choosing({
    '_cleveragents/action/list': () => ({
      actions: [
        {
          name: 'builtin/task',
          description: 'Do a task in words, with a model',
          long_description: null,
          definition_of_done: 'What the prompt asks for is done.',
          strategy_actor: 'model',
          execution_actor: 'model',
          arguments: [],
          invariants: [],
          automation_profile: null,
          read_only: false,
          state: 'available',
          origin: 'built-in',
          starts: [],
          unavailable: gettingGoing,
        },
      ],
    }),
  })
  expect(drive.text()).toContain('No model can be used yet.')
  await drive.keys(keys.enter)
  for (const line of gettingGoing.split('\n').filter(each => each.trim() !== ''))
    expect(drive.text()).toContain(line)
  await drive.close()
})
