import { expect, test } from 'vitest'
import { keys } from '../support/keys.ts'
import { driveScreen } from '../support/screen-driver.tsx'
import { shopBackend, shopGate, shopPlan } from '../support/shop-story.ts'

const hunk = (at: number) => `@@ -${at},1 +${at},1 @@\n-old ${at}\n+new ${at}\n`
const diff = {
  plan_id: shopPlan.plan_id,
  digest: 'sha256:left',
  part: 'all' as const,
  old: { title: 'before the plan' },
  new: { title: 'now' },
  files: [
    { path: 'a.txt', old_path: null, status: 'modified', additions: 2, deletions: 2, binary: false },
    { path: 'logo.png', old_path: null, status: 'modified', additions: 0, deletions: 0, binary: true },
  ],
  patch: `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${hunk(1)}${hunk(30)}diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n`,
  patch_encoding: 'utf8' as const,
}
const gate = {
  ...shopGate,
  kind: 'phase',
  question: 'Apply these changes to your files?',
  subject: { kind: 'phase', from: 'Execute', to: 'Apply', changes_digest: diff.digest, summary: '2 files' },
}

async function atApply(size: { columns: number; rows: number }, open = gate) {
  const backend = shopBackend({
    '_cleveragents/gate/list': () => ({ gates: [open] }),
    '_cleveragents/plan/diff': () => diff,
    '_cleveragents/plan/approve': () => ({ ...shopPlan, gates: [] }),
  })
  const drive = await driveScreen(backend, size)
  await drive.keys('g', keys.enter, 'd')
  return drive
}

test.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('hunks and files are chosen at $columns x $rows, and the approval is for just those', async size => {
  const drive = await atApply(size)
  expect(drive.text()).toContain('nothing chosen: approving applies all')
  await drive.keys('}', ' ', ']', 'm')
  expect(drive.text()).toContain('2 of 3 hunks chosen')
  await drive.keys('[')
  await expect(drive.text()).toMatchFileSnapshot(`views/frames/choose-${size.columns}x${size.rows}.txt`)
  await drive.keys('q')
  await drive.pass(1_000)
  await expect(drive.text()).toMatchFileSnapshot(`views/frames/chosen-${size.columns}x${size.rows}.txt`)
  await drive.keys(keys.end)
  await drive.pass(1_000)
  await drive.keys('a', keys.enter)
  expect(drive.backend.callsOf('_cleveragents/plan/approve')).toEqual([
    {
      plan_id: gate.plan_id,
      gate_id: gate.gate_id,
      digest: gate.digest,
      picks: [{ path: 'a.txt', hunks: [2] }, { path: 'logo.png' }],
    },
  ])
  await drive.close()
})

test('what is chosen twice is chosen no longer, and without a choice all is applied', async () => {
  const drive = await atApply({ columns: 100, rows: 24 })
  await drive.keys(' ', ' ', 'm', 'm')
  expect(drive.text()).toContain('nothing chosen: approving applies all')
  await drive.keys('q', keys.end)
  await drive.pass(1_000)
  await drive.keys('a', keys.enter)
  expect(drive.backend.callsOf('_cleveragents/plan/approve')).toEqual([
    { plan_id: gate.plan_id, gate_id: gate.gate_id, digest: gate.digest },
  ])
  await drive.close()
})

test('nothing can be chosen where nothing waits to be applied, and the key says so', async () => {
  const drive = await atApply({ columns: 100, rows: 24 }, shopGate as typeof gate)
  await drive.keys(' ')
  expect(drive.text()).toContain('Nothing of this plan waits to be applied.')
  expect(drive.text()).not.toContain('[ ]')
  await drive.close()
})
