import { expect, test } from 'vitest'
import { driveScreen } from '../support/screen-driver.tsx'
import { aPlan } from '../support/screen-views.ts'
import { type Answers, createScriptedClient, refusal } from '../support/scripted-client.ts'
import { shopBackend } from '../support/shop-story.ts'

const empty: Answers = {
  '_cleveragents/plan/list': () => ({ plans: [], seq: 0 }),
  '_cleveragents/gate/list': () => ({ gates: [] }),
  '_cleveragents/diagnostics/run': () => ({
    status: 'warn',
    checks: [
      { name: 'checkpoints', status: 'ok', message: 'every step can be taken back', remedy: null },
      {
        name: 'confinement',
        status: 'warn',
        message: 'commands are not confined: bubblewrap is not installed',
        remedy: null,
      },
    ],
  }),
}

test('the first frame is drawn before the backend is up, and says so', async () => {
  const drive = await driveScreen(shopBackend(), { columns: 80, rows: 24, start: false })
  expect(drive.line(0)).toContain('starting the backend')
  await expect(drive.text()).toMatchFileSnapshot('frames/starting-80x24.txt')
  await drive.close()
})

test('the first start says what this is, three keys, and which protections are in force', async () => {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
  ] as const) {
    const drive = await driveScreen(createScriptedClient(empty), { columns, rows })
    await expect(drive.text()).toMatchFileSnapshot(`frames/first-start-${columns}x${rows}.txt`)
    await drive.close()
  }
})

test('D makes the demo and selects its plan', async () => {
  const plan = aPlan({ plan_id: 'demo-1', name: 'demo' })
  const backend = createScriptedClient({
    ...empty,
    '_cleveragents/demo/create': () => ({ folder: '/tmp/demo', action_name: 'builtin/demo' }),
    '_cleveragents/plan/use': () => plan,
  })
  const drive = await driveScreen(backend)
  await drive.keys('D')
  expect(backend.callsOf('_cleveragents/plan/use')).toEqual([
    { action_name: 'builtin/demo', folder: '/tmp/demo', automation_profile: 'demo', trust: true },
  ])
  expect(drive.screen.store.ui().selectedPlanId).toBe('demo-1')
  await drive.close()
})

test('a lost backend is told with its reason, what is known stays, and R starts it again', async () => {
  const backend = shopBackend()
  const drive = await driveScreen(backend, { columns: 80, rows: 24 })
  backend.lose('The backend was ended by SIGKILL.')
  await drive.pass(50)
  await expect(drive.text()).toMatchFileSnapshot('frames/disconnected-80x24.txt')
  await drive.keys('n')
  expect(drive.text()).toContain('The backend is not connected.')
  await drive.keys('R')
  expect(backend.subscribedAfter).toEqual([10, 10])
  await drive.close()
})

test('the loss is told even where something else had just been told, and nothing spins on', async () => {
  const backend = shopBackend()
  const drive = await driveScreen(backend, { columns: 80, rows: 24 })
  await drive.keys('y')
  expect(drive.text()).toContain('The id was sent to the clipboard')
  backend.lose('The backend was ended by SIGKILL.')
  await drive.pass(50)
  expect(drive.line(23)).toContain('The backend was ended by SIGKILL.')
  const written = drive.writes.length
  await drive.pass(5_000)
  expect(drive.writes.length).toBe(written)
  await drive.close()
})

test('a backend that refuses to list plans is told in the middle of the screen', async () => {
  const backend = createScriptedClient({
    ...empty,
    '_cleveragents/plan/list': () =>
      refusal('store_newer', 'The store was written by a newer version. Update this program.'),
  })
  const drive = await driveScreen(backend, { columns: 80, rows: 24 })
  await expect(drive.text()).toMatchFileSnapshot('frames/error-80x24.txt')
  await drive.close()
})
