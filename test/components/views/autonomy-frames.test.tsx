/** The views of profiles, limits and audit as a person sees them, whole. `vitest -u` writes the pictures anew. */
import { expect, test } from 'vitest'
import { autonomyBackend } from '../../support/autonomy-story.ts'
import { familyBackend, familyGate } from '../../support/family-story.ts'
import { keys } from '../../support/keys.ts'
import { type DriveOptions, driveScreen } from '../../support/screen-driver.tsx'
import { type Answers, refusal } from '../../support/scripted-client.ts'

const { tab, right } = keys

/** How each view is reached from a screen that has just loaded. */
const ways: Record<string, readonly string[]> = {
  limits: [tab, tab, keys.pageDown],
  'profile-table': ['P', 'jjjjjjj'],
  'profile-own': ['P', right, right, right, right, right, right, tab],
  'profile-plan': ['P', tab, tab],
  'profile-waits': ['P', tab, tab, tab],
  'profile-calibration': ['P', keys.shiftTab],
  audit: ['A', 'jj'],
  'audit-export': ['A', tab, tab, 'E'],
  'form-waits': ['n', '\r'],
}

const sizes: readonly DriveOptions[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]

for (const [name, pressed] of Object.entries(ways)) {
  for (const size of sizes) {
    test(`${name} at ${size.columns} by ${size.rows} without colours`, async () => {
      const drive = await driveTo(pressed, size)
      await expect(drive.text()).toMatchFileSnapshot(`frames/${name}-${size.columns}x${size.rows}.txt`)
      await drive.close()
    })
  }
}

test.each([
  ['limits', 'dark'],
  ['profile-table', 'dark'],
  ['audit', 'dark'],
  ['profile-table', 'light'],
  ['audit', 'light'],
] as const)('%s in the %s theme', async (name, themeName) => {
  const drive = await driveTo(ways[name] ?? [], { columns: 120, rows: 30, depth: 'truecolor', themeName })
  await expect(drive.styled()).toMatchFileSnapshot(`frames/${name}-${themeName}.txt`)
  await drive.close()
})

test.each(['limits', 'profile-table', 'audit'])('%s is readable in plain letters', async name => {
  const plain = { '_cleveragents/plan/guard/audit': () => refusal('store_busy', 'The store is busy.') }
  const drive = await driveTo(ways[name] ?? [], { columns: 80, rows: 24, charset: 'ascii' }, plain)
  expect(drive.text()).toMatch(/^[\n -~]*$/)
  await drive.close()
})

test('all eight built-in profiles and their flags stand side by side in a wide window', async () => {
  const drive = await driveTo(ways['profile-table'] ?? [], { columns: 170, rows: 24 })
  await expect(drive.text()).toMatchFileSnapshot('frames/profile-table-170x24.txt')
  await drive.close()
})

test.each(sizes)('each child plan shows what it used of its slice, at $columns by $rows', async size => {
  const drive = await driveScreen(await familyWithBudgets(), size)
  await drive.keys(tab, 'j', keys.right)
  await expect(drive.text()).toMatchFileSnapshot(`frames/family-budget-${size.columns}x${size.rows}.txt`)
  await drive.close()
})

/** Three slices of one budget: nearly used, with something reserved, and not begun. */
async function familyWithBudgets() {
  const list = await familyBackend().client.call('_cleveragents/plan/list', {})
  if (!list.ok) throw new Error('the story lists its plans')
  const spent = [0.75, 0.45, 0.2, 0]
  const plans = list.value.plans.map((plan, at) => ({
    ...plan,
    budget: {
      spent: spent[at] ?? 0,
      assumed: 0,
      reserved: at === 2 ? 0.1 : 0,
      limit: at === 0 ? 1.5 : 0.5,
      source: at === 0 ? 'action' : 'parent',
      of: plan.plan_id,
    },
  }))
  return familyBackend([familyGate], { '_cleveragents/plan/list': () => ({ ...list.value, plans }) })
}

async function driveTo(pressed: readonly string[], options: DriveOptions, more: Answers = {}) {
  const drive = await driveScreen(autonomyBackend(more), options)
  for (const key of pressed)
    await drive.keys(...(key.startsWith('\u001b') || key.length === 1 ? [key] : [...key]))
  return drive
}
