import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/infrastructure/system/clock.ts'
import { startBackend } from '../support/backend.ts'
import { makeRepository } from '../support/repository.ts'
import { eventually } from '../support/wait-for.ts'

const DAY_MS = 86_400_000

it('is removed so many days after a plan has ended, and what was decided stays', async () => {
  const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
  const first = await startBackend()
  const { dataDir } = first
  const args = { find: 'colour', replace: 'color' }
  const wanted = { action_name: 'builtin/replace-text', args, folder: root }
  const applied = await first.use({ ...wanted, automation_profile: 'full-auto' })
  const waiting = await first.use({
    ...wanted,
    args: { find: 'color', replace: 'tint' },
    automation_profile: 'supervised',
  })
  expect([applied.state, waiting.state]).toEqual(['applied', 'awaiting_input'])
  await first.stop()

  const later = { ...systemClock, now: () => new Date(Date.now() + 3 * DAY_MS).toISOString() }
  const flags = { 'sandbox.keep-days': '2' }
  const second = await startBackend({ dataDir, clock: later, flags, recover: 'serve' })
  const folderOf = ({ plan_id }: { plan_id: string }) => join(dataDir, 'plans', plan_id)
  await eventually(() => expect(existsSync(folderOf(applied))).toBe(false))

  expect(existsSync(folderOf(waiting))).toBe(true)
  const gone = { errorType: 'not_found', message: expect.stringMatching(/^What plan .* did was removed on /) }
  const plan = { plan_id: applied.plan_id }
  expect(await second.refusal('_cleveragents/plan/diff', plan)).toMatchObject(gone)
  expect(await second.refusal('_cleveragents/plan/unapply', plan)).toMatchObject(gone)
  expect((await second.call('_cleveragents/plan/tree', plan)).decisions.length).toBeGreaterThan(1)
  expect(existsSync(folderOf(applied))).toBe(false)
})
