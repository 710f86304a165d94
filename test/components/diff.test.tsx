import { expect, test } from 'vitest'
import type { DiffView } from '../../src/a2a/protocol/views/changes.ts'
import { keys } from '../support/keys.ts'
import { driveScreen } from '../support/screen-driver.tsx'
import { aDecision } from '../support/screen-views.ts'
import { shopBackend, shopDecisions, shopPlan } from '../support/shop-story.ts'

function aDiff(files: readonly { path: string; lines: readonly string[] }[]): DiffView {
  const patch = files
    .map(
      ({ path, lines }) =>
        `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n` +
        lines.map(line => `+${line}\n`).join(''),
    )
    .join('')
  return {
    plan_id: shopPlan.plan_id,
    digest: 'sha256:diff',
    part: 'all',
    old: { title: 'before the plan' },
    new: { title: 'now' },
    files: files.map(({ path, lines }) => ({
      path,
      old_path: null,
      status: 'added',
      additions: lines.length,
      deletions: 0,
      binary: false,
    })),
    patch,
    patch_encoding: 'utf8',
  }
}

async function showing(diff: DiffView, size = { columns: 100, rows: 24 }) {
  const drive = await driveScreen(shopBackend({ '_cleveragents/plan/diff': () => diff }), size)
  await drive.keys('d')
  return drive
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

test('the diff of the selected decision is asked for, elsewhere that of the plan', async () => {
  const drive = await driveScreen(shopBackend())
  await drive.keys('d', 'q', keys.tab, 'j', 'j', 'd')
  expect(drive.backend.callsOf('_cleveragents/plan/diff')).toEqual([
    { plan_id: shopPlan.plan_id },
    { plan_id: shopPlan.plan_id, decision_id: '01J00000000000000000000D03' },
  ])
  await drive.close()
})

test('] and [ go through the files, a binary one is shown as such', async () => {
  const drive = await driveScreen(shopBackend(), { columns: 100, rows: 24 })
  await drive.keys('d', ']')
  expect(drive.text()).toContain('file 2 of 2')
  expect(drive.text()).toContain('Binary content: only that it changed is shown.')
  await drive.keys(']', '[')
  expect(drive.text()).toContain('file 1 of 2')
  await drive.close()
})

test('a long file is shown in part until the whole of it is asked for', async () => {
  const drive = await showing(aDiff([{ path: 'long.txt', lines: numbered(5_000) }]))
  await drive.keys(keys.end)
  expect(drive.text()).toContain('3001 more lines. Press e to show the whole file.')
  await drive.keys('e', keys.end)
  expect(drive.text()).toContain('5000 +line 5000')
  await drive.close()
})

test('hunks are jumped over', async () => {
  const diff = aDiff([{ path: 'a.txt', lines: ['x'] }])
  const hunk = (at: number) => `@@ -${at},1 +${at},1 @@\n-old ${at}\n+new ${at}\n`
  const patch = `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${Array.from({ length: 30 }, (_, at) => hunk(at * 10 + 1)).join('')}`
  const drive = await showing({ ...diff, patch })
  await drive.keys('}', '}')
  expect(drive.line(3)).toContain('@@ -21,1 +21,1 @@')
  await drive.keys('{')
  expect(drive.line(3)).toContain('@@ -11,1 +11,1 @@')
  await drive.close()
})

test('a line of megabytes is cut with its length, and wrapped when asked', async () => {
  const drive = await showing(aDiff([{ path: 'min.js', lines: ['x'.repeat(2_000_000)] }]))
  expect(drive.text()).toContain('2000001 characters')
  await drive.keys('w')
  expect(drive.line(10)).toContain('xxxxxxxxxxxxxxxx')
  await drive.close()
})

test('long lines can be read to their end sideways', async () => {
  const drive = await showing(aDiff([{ path: 'a.txt', lines: [`${'-'.repeat(120)}end`] }]))
  expect(drive.text()).not.toContain('end')
  for (let at = 0; at < 8; at++) await drive.keys(keys.right)
  expect(drive.text()).toContain('end')
  await drive.close()
})

test('a patch that is not UTF-8 is shown as well as it can be, and safely', async () => {
  const diff = aDiff([{ path: 'a.txt', lines: ['x'] }])
  const bytes = Buffer.concat([
    Buffer.from('diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+caf'),
    Buffer.from([0xe9, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0a]),
  ])
  const drive = await showing({ ...diff, patch: bytes.toString('base64'), patch_encoding: 'base64' })
  expect(drive.text()).toContain('+caf�␛[31m')
  await drive.close()
})

test('nothing changed is said', async () => {
  const empty = await showing({ ...aDiff([]), patch: '' })
  expect(empty.text()).toContain('Nothing has changed.')
  await empty.close()
})

const changed = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,4 +1,5 @@
 same
-old one
-old two
+new one
+new two
+new three
 end
@@ -20,2 +21,1 @@
-gone
 last
`

test('side by side what was taken away stands beside what came in its place, each with its own number', async () => {
  const drive = await showing({ ...aDiff([{ path: 'a.txt', lines: ['x'] }]), patch: changed }, middle)
  await drive.keys('v')
  const rows = drive
    .lines()
    .slice(3, 14)
    .map(row => row.slice(1, -1).trimEnd())
  expect(rows).toEqual([
    ' before the plan                                │ now',
    '      @@ -1,4 +1,5 @@',
    '    1  same                                     │    1  same',
    '    2 -old one                                  │    2 +new one',
    '    3 -old two                                  │    3 +new two',
    '                                                │    4 +new three',
    '    4  end                                      │    5  end',
    '      @@ -20,2 +21,1 @@',
    '   20 -gone                                     │',
    '   21  last                                     │   21  last',
    '',
  ])
  await drive.keys('}', 'v')
  expect(drive.text()).toContain('   20 -gone')
  await drive.close()
})

test('side by side long lines are wrapped on their own side', async () => {
  const lines = [`${'a'.repeat(60)} end`]
  const drive = await showing(aDiff([{ path: 'a.txt', lines }]), middle)
  await drive.keys('v', 'w')
  expect(drive.line(5)).toMatch(/^│ +│ {4}1 \+a{42}/)
  expect(drive.line(6)).toMatch(/^│ +│ {6}a{18} end/)
  await drive.close()
})

test('a plan is laid beside its own result before a correction, or beside another plan', async () => {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/tree': ({ plan_id }) => ({
        plan_id,
        decisions: [...shopDecisions, correctedAgain],
        edges: [],
        plans: [],
      }),
    }),
    middle,
  )
  await drive.keys('=')
  expect(drive.text()).toContain('before the correction of #6')
  await drive.keys(keys.enter)
  await drive.keys(keys.escape)
  await drive.pass(100)
  await drive.keys('j', keys.enter)
  const on = { plan_id: shopPlan.plan_id }
  expect(drive.backend.callsOf('_cleveragents/plan/diff')).toEqual([
    { ...on, correction_id: 'c1' },
    { ...on, against: '01J0000000000000000PLAN02' },
  ])
  expect(drive.text()).toContain('Diff of rename-auth against rate-limit')
  await drive.close()
})

const middle = { columns: 100, rows: 24 }

/** The superseded one of the story, taken again. */
const correctedAgain = aDecision({
  decision_id: '01J00000000000000000000D08',
  number: 8,
  plan_id: shopPlan.plan_id,
  parent_decision_id: '01J00000000000000000000D01',
  is_correction: true,
  corrects_decision_id: '01J00000000000000000000D06',
  correction_id: 'c1',
})
