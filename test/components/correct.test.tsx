import { expect, test } from 'vitest'
import type { CorrectionView } from '../../src/a2a/protocol/views/correction.ts'
import { aCorrection, anUndo, correctedId } from '../support/correction-story.ts'
import { keys } from '../support/keys.ts'
import { type Drive, driveScreen } from '../support/screen-driver.tsx'
import { type Answers, refusal } from '../support/scripted-client.ts'
import { shopBackend, shopPlan } from '../support/shop-story.ts'

function preview(digest: string, more: Partial<CorrectionView['impact']> = {}): CorrectionView {
  return aCorrection({}, { digest, ...more })
}

async function correcting(more: Answers) {
  const drive = await driveScreen(shopBackend(more), { columns: 100, rows: 30 })
  await drive.keys(keys.tab, 'j', 'j', 'c')
  return drive
}

function sent(drive: Drive) {
  return drive.backend.callsOf('_cleveragents/plan/correct')
}

const asked = { plan_id: shopPlan.plan_id, decision_id: correctedId, mode: 'revert' }

test('a recorded alternative is previewed first, and confirmed as it was shown', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.keys('j', keys.enter)
  expect(drive.text()).toContain('corrected here')
  expect(drive.text()).toContain('rolled back, redone')
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'decorator', dry_run: true }])
  await drive.keys('a')
  expect(sent(drive).slice(1)).toEqual([{ ...asked, guidance: 'decorator', digest: 'sha256:one' }])
  expect(drive.text()).toContain('The decision is taken again.')
  await drive.close()
})

test('own words go the same way', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.keys('j', 'j', keys.enter, 'use the router', keys.enter)
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'use the router', dry_run: true }])
  await drive.close()
})

test('when something moved since the preview, it is shown again before it can be confirmed', async () => {
  let digest = 'sha256:one'
  const drive = await correcting({
    '_cleveragents/plan/correct': params => {
      if (params.dry_run)
        return preview(
          digest,
          digest === 'sha256:two' ? { restored: [{ path: 'other.ts', how: 'removed' }] } : {},
        )
      if (params.digest === digest) return preview(digest)
      return refusal('stale_answer', 'What this changes has moved since the preview.')
    },
  })
  await drive.keys(keys.enter)
  digest = 'sha256:two'
  await drive.keys('a')
  expect(drive.text()).toContain('What this changes has moved since the preview. This is how it is now:')
  expect(drive.text()).toContain('other.ts')
  await drive.keys('a')
  expect(drive.text()).toContain('The decision is taken again.')
  await drive.close()
})

test('what cannot be corrected says so and cannot be confirmed', async () => {
  const drive = await correcting({
    '_cleveragents/plan/correct': () => preview('sha256:one', { tier: 'none' }),
  })
  await drive.keys(keys.enter, 'a')
  expect(drive.text()).toContain('There is no way back to this decision.')
  expect(sent(drive)).toHaveLength(1)
  await drive.close()
})

test('a number takes its alternative at once', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.keys('2')
  expect(drive.text()).toContain('corrected here')
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'decorator', dry_run: true }])
  await drive.close()
})

test('the reason of each mark is told for the selected row', async () => {
  const drive = await correcting({
    '_cleveragents/plan/correct': () => preview('sha256:one'),
  })
  await drive.keys('1')
  expect(drive.text()).toContain(
    '#3 middleware/session.ts: corrected here. Taken again as: one guard per route',
  )
  await drive.keys('j')
  expect(drive.text()).toContain(
    '#4 extract requireSession: rolled back, redone. Made under #3. Its changes are taken',
  )
  await drive.keys('j', 'j')
  expect(drive.text()).toContain(
    '#7 npm test: kept. Made later, but it does not depend on what is taken again',
  )
  await drive.close()
})

test('work on top is added to the plan and leaves everything as it is', async () => {
  const append = { ...preview('sha256:one'), mode: 'append' as const }
  const drive = await correcting({ '_cleveragents/plan/correct': () => append })
  await drive.keys(keys.end, keys.enter, 'add a changelog', keys.enter)
  expect(drive.text()).toContain('Everything stays as it is.')
  expect(drive.text()).not.toContain('rolled back')
  await drive.keys('a')
  const on = { plan_id: shopPlan.plan_id, mode: 'append', guidance: 'add a changelog' }
  expect(sent(drive)).toEqual([
    { ...on, dry_run: true },
    { ...on, digest: 'sha256:one' },
  ])
  expect(drive.text()).toContain('A child plan does it on top.')
  await drive.close()
})

test('work on top can be done by another action', async () => {
  const append = { ...preview('sha256:one'), mode: 'append' as const }
  const drive = await correcting({ '_cleveragents/plan/correct': () => append })
  await drive.keys(keys.end, keys.enter, 'add a changelog')
  expect(drive.text()).toContain("the plan's own action")
  await drive.keys(keys.tab, keys.enter)
  const on = {
    plan_id: shopPlan.plan_id,
    mode: 'append',
    guidance: 'add a changelog',
    action: 'builtin/replace-text',
  }
  expect(drive.text()).toContain('Everything stays as it is.')
  await drive.keys('a')
  expect(sent(drive)).toEqual([
    { ...on, dry_run: true },
    { ...on, digest: 'sha256:one' },
  ])
  await drive.close()
})

test('words that were typed are there again after the preview', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.keys('3', 'use the router', keys.enter, keys.escape)
  await drive.pass(100)
  expect(drive.text()).toContain('What should be different?')
  expect(drive.text()).toContain('use the router')
  await drive.close()
})

test('guidance can be written in the own editor, and what it was saved as is taken over', async () => {
  const drive = await driveScreen(
    shopBackend({ '_cleveragents/plan/correct': () => preview('sha256:one') }),
    { columns: 100, rows: 30, edit: text => ({ kind: 'text', text: `${text} and keep the names` }) },
  )
  await drive.keys(keys.tab, 'j', 'j', 'c', '3', 'use the router', keys.ctrl('e'))
  expect(drive.text()).toContain('use the router and keep the names')
  await drive.keys(keys.enter)
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'use the router and keep the names', dry_run: true }])
  await drive.close()
})

test('without an editor it is said how to name one, and the text stays', async () => {
  const drive = await correcting({})
  await drive.keys('3', 'use the router', keys.ctrl('e'))
  expect(drive.text()).toContain('Set EDITOR')
  expect(drive.text()).toContain('use the router')
  await drive.close()
})

test('why a correction failed is said, and what would change is shown again', async () => {
  const drive = await correcting({
    '_cleveragents/plan/correct': ({ dry_run }) =>
      dry_run
        ? preview('sha256:one')
        : refusal('restore_failed', 'src/a.ts could not be put back: no space left.'),
  })
  await drive.keys('1')
  await drive.keys('a')
  expect(drive.text()).toContain('src/a.ts could not be put back: no space left.')
  expect(drive.text()).not.toContain('This is how it is now')
  expect(drive.text()).toContain('corrected here')
  await drive.close()
})

test('keys typed ahead of the preview do not confirm it', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.press(`${keys.enter}a`)
  await drive.pass(50)
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'guards', dry_run: true }])
  await drive.close()
})

test('on an applied plan work can only be added, and the reason is said', async () => {
  const applied = { ...shopPlan, phase: 'apply' as const, state: 'applied' as const }
  const drive = await correcting({ '_cleveragents/plan/list': () => ({ plans: [applied], seq: 10 }) })
  expect(drive.text()).toContain('rename-auth has been applied: your files are not taken back here.')
  await drive.keys('1')
  expect(sent(drive)).toEqual([])
  await drive.keys(keys.enter)
  expect(drive.text()).toContain('rename-auth has been applied')
  await drive.keys('4')
  expect(drive.text()).toContain('What is to be added to the result?')
  await drive.close()
})

test('a cancelled plan cannot be corrected, and the key says why', async () => {
  const cancelled = { ...shopPlan, state: 'cancelled' as const }
  const drive = await correcting({ '_cleveragents/plan/list': () => ({ plans: [cancelled], seq: 10 }) })
  expect(drive.text()).toContain('rename-auth was cancelled.')
  await drive.close()
})

test('undo shows what comes back and what goes, and is confirmed as shown', async () => {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/undo': ({ dry_run }) => anUndo(dry_run ? 'preview' : 'done'),
    }),
    { columns: 110, rows: 30 },
  )
  await drive.keys('u')
  expect(drive.text()).toContain('Everything is again as it was before the correction of #3')
  expect(drive.text()).toMatch(/one guard per route.*holds again/)
  expect(drive.text()).toMatch(/middleware\/session\.ts.*taken back/)
  await drive.keys('a')
  expect(drive.text()).toContain('It is again as it was before.')
  const on = { plan_id: shopPlan.plan_id }
  expect(drive.backend.callsOf('_cleveragents/plan/undo')).toEqual([
    { ...on, dry_run: true },
    { ...on, digest: 'sha256:undo' },
  ])
  await drive.close()
})

test('where nothing was corrected or rolled back, undo says so', async () => {
  const drive = await driveScreen(
    shopBackend({ '_cleveragents/plan/undo': () => refusal('not_found', 'There is nothing to undo.') }),
  )
  await drive.keys('u', 'a')
  expect(drive.text()).toContain('There is nothing to undo')
  await drive.close()
})
