import { expect, test } from 'vitest'
import { driveScreen } from '../support/screen-driver.tsx'
import { shopBackend, shopPlan } from '../support/shop-story.ts'

test('a plan without a sandbox says so in the header, and its details what that means', async () => {
  const sandbox = {
    strategy: 'none',
    place: 'in_place' as const,
    restores: 'never' as const,
    protects: [],
    does_not_protect: ['Nothing can be rolled back.'],
  }
  const plan = { ...shopPlan, sandbox }
  const drive = await driveScreen(
    shopBackend({ '_cleveragents/plan/list': () => ({ plans: [plan], seq: 10 }) }),
    {
      columns: 160,
      rows: 40,
    },
  )

  expect(drive.lines()[0]).toContain('no sandbox')
  expect(drive.text()).toContain('Not protected')
  expect(drive.text()).toContain('Nothing can be rolled back.')
  await drive.close()
})

test('a plan with a sandbox names it in its details', async () => {
  const drive = await driveScreen(shopBackend(), { columns: 160, rows: 40 })

  expect(drive.lines()[0]).not.toContain('no sandbox')
  expect(drive.text()).toMatch(/sandbox +git_worktree/)
  await drive.close()
})
