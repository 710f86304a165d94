import { expect, test } from 'vitest'
import type { AuditView } from '../../src/a2a/protocol/views/limits.ts'
import { autonomyBackend, limitedPlan, shopAudit } from '../support/autonomy-story.ts'
import { keys } from '../support/keys.ts'
import { driveScreen } from '../support/screen-driver.tsx'
import { createEventMaker } from '../support/screen-views.ts'
import { type Answers, refusal } from '../support/scripted-client.ts'

const planId = limitedPlan.plan_id

async function looking(more: Answers = {}) {
  return driveScreen(autonomyBackend(more), { columns: 100, rows: 30 })
}

test('a person goes by keys from the profiles to what would wait, and back to the plan', async () => {
  const drive = await looking()
  await drive.keys('P')
  expect(drive.text()).toContain('[cautious]')
  await drive.keys(keys.right, keys.down)
  expect(drive.text()).toContain('Go from Strategize to Execute: trusted never asks.')
  expect(drive.text()).toContain('autoExecute; create_tool in files and on the wire')
  await drive.keys(keys.tab, keys.tab)
  expect(drive.text()).toContain('runs under cautious, named by the project')
  await drive.keys(keys.end)
  expect(drive.text()).toMatch(/max total cost +\$2\.00 +the plan/)
  expect(drive.text()).toContain('$0.42 of $2.00 spent  █████▒')
  expect(drive.text()).toMatch(/require approval for apply +yes +the plan above it/)
  await drive.keys(keys.tab)
  expect(drive.text()).toContain('If a plan of local/rename-auth began under trusted in local/shop-api:')
  expect(drive.backend.callsOf('_cleveragents/automation-profile/preview')).toEqual([
    { action_name: 'local/rename-auth', automation_profile: 'trusted', project: '/home/mira/shop-api' },
  ])
  await drive.keys(keys.tab)
  expect(drive.text()).toContain('Let strategy choices ask below .90.')
  await drive.keys(keys.tab, keys.escape)
  expect(drive.screen.store.ui().dialogs).toEqual([])
  await drive.close()
})

test('the profile of a plan stands among the others though it is none of them', async () => {
  const backend = autonomyBackend()
  const list = await backend.client.call('_cleveragents/automation-profile/list', {})
  if (!list.ok) throw new Error('the story lists its profiles')
  const profiles = list.value.profiles.filter(({ name }) => name !== 'cautious')
  const drive = await looking({ '_cleveragents/automation-profile/list': () => ({ profiles }) })
  await drive.keys('P')
  expect(drive.text()).toContain('[cautious]')
  await drive.close()
})

test('the audit is narrowed by type and result, keeps its place while entries come, and is exported once', async () => {
  let audit: AuditView = shopAudit
  const drive = await looking({ '_cleveragents/plan/guard/audit': () => audit })
  await drive.keys('A', 'j', 'j')
  expect(drive.text()).toContain('cost usd: 0.09')
  const [oldest] = shopAudit.entries
  if (!oldest) throw new Error('the story has entries')
  const newest = { ...oldest, timestamp: '2026-11-30T10:05:00.000Z', event_type: 'step_blocked' }
  audit = { ...shopAudit, entries: [...shopAudit.entries, newest] }
  const anEvent = createEventMaker(10)
  drive.backend.send(anEvent('_cleveragents/gate/passed', { about: 'x', confidence: passed }, planId))
  await drive.pass(1_000)
  await drive.pass(50)
  expect(drive.text()).toContain('step_blocked')
  expect(drive.text()).toContain('cost usd: 0.09')

  await drive.keys(keys.right, keys.tab)
  expect(drive.backend.callsOf('_cleveragents/plan/guard/audit').at(-1)).toEqual({
    plan_id: planId,
    type: 'budget_blocked',
    result: 'allowed',
    limit: 2_000,
  })
  await drive.keys('E', keys.ctrl('u'), 'night.jsonl', keys.enter)
  expect(drive.text()).toContain('5 entries written to /home/mira/shop-api/night.jsonl')
  const lines = (drive.files.get('/home/mira/shop-api/night.jsonl') ?? '').trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { plan_id: planId, ...audit.metadata },
    ...audit.entries,
  ])
  await drive.keys('E', keys.ctrl('u'), 'night.jsonl', keys.enter)
  expect(drive.text()).toContain('The audit was not written: /home/mira/shop-api/night.jsonl exists.')
  await drive.keys(keys.escape, keys.escape)
  expect(drive.screen.store.ui().dialogs).toEqual([])
  await drive.close()
})

test('details of an entry that do not fit are reached by their own keys, and begin anew with the next entry', async () => {
  const [first] = shopAudit.entries
  if (!first) throw new Error('the story has entries')
  const context = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`fact_${at}`, `value ${at}`]))
  const long = { ...shopAudit, entries: [...shopAudit.entries, { ...first, context }] }
  const drive = await looking({ '_cleveragents/plan/guard/audit': () => long })
  await drive.keys('A')
  expect(drive.text()).not.toContain('fact 19: value 19')
  await drive.keys(...'J'.repeat(40))
  expect(drive.text()).toContain('fact 19: value 19')
  await drive.keys('K')
  expect(drive.text()).not.toContain('fact 19: value 19')
  await drive.keys('j', 'k')
  expect(drive.text()).toContain('step_allowed  by max_steps  allowed')
  await drive.close()
})

test('limits that a person raised, and what steps used of them, are seen without asking', async () => {
  let status = limitedPlan
  const drive = await looking({ '_cleveragents/plan/status': () => status })
  expect(drive.line(0)).toContain('$0.42 of $0.50')
  status = { ...limitedPlan, budget: { ...limitedPlan.budget, limit: 5 } }
  const anEvent = createEventMaker(10)
  const values = {
    max_steps: 50,
    tool_budget: 5,
    max_tokens: null,
    max_wall_clock_seconds: 600,
    max_tool_calls_per_invocation: null,
    max_retries_per_failure: null,
    required_confirmations: [],
  }
  const change = { before: { ...values, tool_budget: 0.5 }, after: values, by: 'mira' }
  drive.backend.send(anEvent('_cleveragents/limits/changed', change, planId))
  await drive.pass(1_000)
  await drive.pass(50)
  expect(drive.line(0)).toContain('$0.42 of $5.00')
  await drive.close()
})

const never = () => new Promise<never>(() => {})
const closed = () => refusal('store_busy', 'The store is busy. Try again.')

test.each<[string, Answers, string[], string]>([
  ['an audit that is under way', { '_cleveragents/plan/guard/audit': never }, ['A'], 'Loading the audit'],
  ['an audit that is refused', { '_cleveragents/plan/guard/audit': closed }, ['A'], 'The store is busy.'],
  [
    'an empty audit',
    { '_cleveragents/plan/guard/audit': () => ({ ...shopAudit, entries: [] }) },
    ['A'],
    'Nothing was checked, asked or changed yet.',
  ],
  [
    'an audit where nothing fits',
    {
      '_cleveragents/plan/guard/audit': ({ result }) => (result ? { ...shopAudit, entries: [] } : shopAudit),
    },
    ['A', keys.tab],
    'No entry fits this type and result.',
  ],
  ['profiles under way', { '_cleveragents/automation-profile/list': never }, ['P'], 'Loading the profiles'],
  [
    'profiles that are refused',
    { '_cleveragents/automation-profile/list': closed },
    ['P'],
    'The store is busy.',
  ],
  [
    "a plan's profile that is refused",
    { '_cleveragents/plan/profile/show': closed },
    ['P', keys.tab, keys.tab],
    'The store is busy.',
  ],
  [
    'no calibration yet',
    { '_cleveragents/profile/calibration': () => ({ bands: [] }) },
    ['P', keys.shiftTab],
    'Nothing has passed at a stated confidence yet.',
  ],
  [
    'profiles without a plan',
    { '_cleveragents/plan/list': () => ({ plans: [], seq: 10 }) },
    ['P', keys.tab, keys.tab],
    'No plan is selected',
  ],
])('%s is said', async (_, answers, pressed, words) => {
  const drive = await looking(answers)
  await drive.keys(...pressed)
  expect(drive.text()).toContain(words)
  await drive.close()
})

const passed = {
  flag: 'edit_code',
  effective: 0.9,
  computed: 0.9,
  stated: 0.9,
  threshold: 0.8,
  factors: { success: 1, familiarity: 1, risk: 1, invariants: 1 },
  weights: { success: 0.3, familiarity: 0.2, risk: 0.3, invariants: 0.2 },
}
