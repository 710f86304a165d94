import { expect, test } from 'vitest'
import { systemClock } from '../../../components/terminal/clock.ts'

test('a timer never runs before its time', async () => {
  const early = await Promise.all(Array.from({ length: 400 }, (_, at) => earlyBy(5 + at / 10)))
  expect(early.filter(ms => ms > 0)).toEqual([])
})

test('a cancelled timer does not run', async () => {
  const ran: string[] = []
  const cancel = systemClock.after(1, () => ran.push('cancelled'))
  systemClock.after(2, () => ran.push('kept'))
  cancel()
  await earlyBy(5)
  expect(ran).toEqual(['kept'])
})

function earlyBy(ms: number): Promise<number> {
  const dueAt = systemClock.now() + ms
  return new Promise(resolve => {
    systemClock.after(ms, () => resolve(dueAt - systemClock.now()))
  })
}
