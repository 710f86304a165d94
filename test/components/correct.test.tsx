import { expect, test } from 'vitest'
import type { CorrectionView } from '../../src/a2a/protocol/views.ts'
import { keys } from '../support/keys.ts'
import { type Drive, driveScreen } from '../support/screen-driver.tsx'
import { type Answers, refusal } from '../support/scripted-client.ts'
import { shopBackend, shopPlan } from '../support/shop-story.ts'

const target = '01J00000000000000000000D03'

function preview(digest: string, more: Partial<CorrectionView['impact']> = {}): CorrectionView {
  return {
    correction_id: null,
    plan_id: shopPlan.plan_id,
    decision_id: target,
    mode: 'revert',
    status: 'preview',
    guidance: '',
    attempt: 2,
    child_plan_id: null,
    impact: {
      decisions: [
        { decision_id: '01J00000000000000000000D04', number: 4, question: 'How?', why: 'below it' },
      ],
      plans: [],
      restored: [{ path: 'src/middleware/session.ts', how: 'rewritten' }],
      left_alone: [{ what: '/home/mira/shop-api', why: 'your own files; a rollback never touches them' }],
      cannot_restore: [],
      kept: [],
      tier: 'full',
      warnings: [],
      gates_again: [],
      digest,
      ...more,
    },
  }
}

async function correcting(more: Answers) {
  const drive = await driveScreen(shopBackend(more), { columns: 100, rows: 30 })
  await drive.keys(keys.tab, 'j', 'j', 'c')
  return drive
}

function sent(drive: Drive) {
  return drive.backend.callsOf('_cleveragents/plan/correct')
}

const asked = { plan_id: shopPlan.plan_id, decision_id: target, mode: 'revert' }

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
  expect(drive.text()).toContain('This cannot be corrected.')
  expect(sent(drive)).toHaveLength(1)
  await drive.close()
})

test('adding work on top is shown as not available, with why', async () => {
  const drive = await correcting({})
  await drive.keys(keys.end, keys.enter)
  expect(drive.text()).toContain('Adding work on top without undoing anything is not available yet.')
  expect(sent(drive)).toEqual([])
  await drive.close()
})

test('keys typed ahead of the preview do not confirm it', async () => {
  const drive = await correcting({ '_cleveragents/plan/correct': () => preview('sha256:one') })
  await drive.press(`${keys.enter}a`)
  await drive.pass(50)
  expect(sent(drive)).toEqual([{ ...asked, guidance: 'guards', dry_run: true }])
  await drive.close()
})

test('a plan that was applied cannot be corrected, and the key says why', async () => {
  const applied = { ...shopPlan, phase: 'apply' as const, state: 'applied' as const }
  const drive = await correcting({ '_cleveragents/plan/list': () => ({ plans: [applied], seq: 10 }) })
  expect(drive.text()).toContain('rename-auth has been applied.')
  await drive.close()
})
