import { expect, test } from 'vitest'
import { keys } from '../support/keys.ts'
import { type Drive, driveScreen } from '../support/screen-driver.tsx'
import { aDecision, aPlan, createEventMaker } from '../support/screen-views.ts'
import { type Answers, createScriptedClient, refusal } from '../support/scripted-client.ts'
import { shopAnswers, shopBackend, shopDecisions, shopPlan } from '../support/shop-story.ts'

const planId = shopPlan.plan_id
const running = { ...shopPlan, state: 'running' as const, task_state: 'working' as const }

async function inTree(more: Answers = {}, size = { columns: 120, rows: 30 }) {
  const drive = await driveScreen(shopBackend(more), size)
  await drive.keys(keys.tab)
  return drive
}

function selectedRow(drive: Drive): string {
  const line = drive.lines().find(each => each.includes('│▌') && !each.startsWith('│▌')) ?? ''
  return line.slice(27, 60).trim()
}

test('enter goes from the plan to its tree and on to the details, escape goes back', async () => {
  const drive = await driveScreen(shopBackend())
  const focus = () => drive.screen.store.ui().focus
  await drive.keys(keys.enter, keys.enter)
  expect(focus()).toBe('inspector')
  await drive.keys(keys.escape)
  await drive.pass(100)
  expect(focus()).toBe('tree')
  await drive.close()
})

test('enter on an open question opens its card', async () => {
  const drive = await inTree()
  await drive.keys(keys.end, keys.enter)
  expect(drive.text()).toContain('A question for you')
  await drive.close()
})

test('left folds and then goes to the parent, right opens again', async () => {
  const drive = await inTree()
  await drive.keys('j', 'j', keys.left)
  expect(drive.text()).toContain('2 folded')
  expect(drive.text()).not.toContain('extract requireSession')
  await drive.keys(keys.right)
  expect(drive.text()).toContain('extract requireSession')
  await drive.keys('j', keys.left)
  expect(selectedRow(drive)).toContain('strategy')
  await drive.close()
})

test('z folds all and opens all', async () => {
  const drive = await inTree()
  await drive.keys('z')
  expect(drive.text()).not.toContain('No new dependencies  ')
  await drive.keys('z')
  expect(drive.text()).toContain('extract requireSession')
  await drive.close()
})

test('the selection stays on its node while others come above it', async () => {
  const drive = await inTree()
  await drive.keys('j', 'j', 'j')
  expect(selectedRow(drive)).toContain('impl')
  const anEvent = createEventMaker(10)
  for (let at = 0; at < 5; at++)
    drive.backend.send(
      anEvent(
        '_cleveragents/decision/recorded',
        {
          decision: aDecision({
            decision_id: `new-${at}`,
            plan_id: planId,
            parent_decision_id: '01J00000000000000000000D02',
            chosen_option: { id: 'x', label: `comes above ${at}`, rationale: null },
          }),
          edges: [],
        },
        planId,
      ),
    )
  await drive.pass(50)
  expect(drive.text()).toContain('comes above 4')
  expect(selectedRow(drive)).toContain('impl')
  await drive.close()
})

test('acting keys are off while the selected node is gone, until the person moves', async () => {
  const drive = await inTree()
  await drive.keys('j', 'j', 'j')
  const anEvent = createEventMaker(10)
  drive.backend.send(
    anEvent(
      '_cleveragents/decision/superseded',
      {
        decision_ids: ['01J00000000000000000000D04'],
        reason: 'rollback',
        correction_id: null,
        superseded_by: null,
      },
      planId,
    ),
  )
  await drive.pass(50)
  await drive.keys('c')
  expect(drive.text()).toContain('The selected node is no longer shown')
  expect(drive.text()).not.toContain('Correct a decision')
  await drive.keys('j', 'c')
  expect(drive.text()).toContain('Correct a decision')
  expect(drive.text()).toContain('tests  as it is now')
  await drive.close()
})

test('f follows the newest decision until the person moves', async () => {
  const drive = await inTree()
  await drive.keys('f')
  const anEvent = createEventMaker(10)
  const record = (id: string) =>
    drive.backend.send(
      anEvent(
        '_cleveragents/decision/recorded',
        {
          decision: aDecision({
            decision_id: id,
            plan_id: planId,
            parent_decision_id: '01J00000000000000000000D01',
            chosen_option: { id, label: id, rationale: null },
          }),
          edges: [],
        },
        planId,
      ),
    )
  record('first')
  await drive.pass(50)
  expect(selectedRow(drive)).toContain('first')
  await drive.keys('k')
  record('second')
  await drive.pass(50)
  expect(selectedRow(drive)).not.toContain('second')
  await drive.close()
})

test('the filter narrows the tree as it is typed; enter keeps it and escape takes it back', async () => {
  const drive = await inTree()
  await drive.keys('/', 'npm')
  expect(drive.text()).not.toContain('No new dependencies')
  await drive.keys(keys.enter)
  expect(drive.text()).toContain('filter "npm"')
  await drive.keys('/', 'zzz')
  expect(drive.text()).toContain('Nothing here contains "npmzzz".')
  await drive.keys(keys.escape)
  await drive.pass(100)
  expect(drive.text()).toContain('filter "npm"')
  await drive.close()
})

test('ctrl+c interrupts the running step only when it is pressed twice', async () => {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/list': () => ({ plans: [running], seq: 10 }),
      '_cleveragents/plan/interrupt': () => running,
    }),
  )
  const interrupts = () => drive.backend.callsOf('_cleveragents/plan/interrupt')
  await drive.keys(keys.ctrl('c'))
  expect(drive.text()).toContain('Press ctrl+c again to interrupt the running step of rename-auth.')
  await drive.keys('j', keys.ctrl('c'))
  expect(interrupts()).toEqual([])
  await drive.keys(keys.ctrl('c'))
  expect(interrupts()).toEqual([{ plan_id: planId }])
  expect(drive.lefts).toEqual([])
  await drive.close()
})

test('p pauses what runs and resumes what does not', async () => {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/list': () => ({ plans: [running], seq: 10 }),
      '_cleveragents/plan/pause': () => running,
      '_cleveragents/plan/resume': () => running,
    }),
  )
  await drive.keys('p')
  expect(drive.backend.callsOf('_cleveragents/plan/pause')).toEqual([{ plan_id: planId }])
  const anEvent = createEventMaker(10)
  drive.backend.send(
    anEvent(
      'task/statusUpdate',
      {
        taskId: planId,
        state: 'input-required',
        phase: 'execute',
        plan_state: 'paused',
        reason: null,
        plan: { ...running, state: 'paused' },
      },
      planId,
    ),
  )
  await drive.pass(50)
  await drive.keys('p')
  expect(drive.backend.callsOf('_cleveragents/plan/resume')).toEqual([{ plan_id: planId }])
  await drive.close()
})

test('X asks, and only a second X cancels', async () => {
  const drive = await driveScreen(shopBackend({ '_cleveragents/plan/cancel': () => shopPlan }))
  await drive.keys('X', keys.enter, keys.escape)
  await drive.pass(100)
  expect(drive.backend.callsOf('_cleveragents/plan/cancel')).toEqual([])
  await drive.keys('X', 'X')
  expect(drive.backend.callsOf('_cleveragents/plan/cancel')).toEqual([{ plan_id: planId }])
  await drive.close()
})

test('y sends the id of the selected node to the clipboard', async () => {
  const drive = await inTree()
  await drive.keys('j', 'y')
  const id = Buffer.from('01J00000000000000000000D02').toString('base64')
  expect(drive.sequences).toEqual([`\u001b]52;c;${id}\u0007`])
  await drive.close()
})

test('a refusal of the backend is told until the next key', async () => {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/resume': () => refusal('denied', 'The folder is not trusted.'),
    }),
  )
  await drive.keys('p')
  expect(drive.text()).toContain('The folder is not trusted.')
  await drive.keys('j')
  expect(drive.text()).not.toContain('The folder is not trusted.')
  await drive.close()
})

test('q leaves at once when nothing runs, and asks otherwise', async () => {
  const idle = await driveScreen(
    shopBackend({ '_cleveragents/plan/list': () => ({ plans: [shopPlan], seq: 10 }) }),
  )
  await idle.keys('q')
  expect(idle.lefts).toEqual(['leave, backend ends'])
  await idle.close()
  const busy = await driveScreen(shopBackend({ '_cleveragents/plan/pause': () => running }))
  await busy.keys('q')
  expect(busy.text()).toContain('1 plan is running.')
  expect(busy.lefts).toEqual([])
  await busy.keys('p')
  expect(busy.backend.callsOf('_cleveragents/plan/pause')).toEqual([{ plan_id: '01J0000000000000000PLAN02' }])
  expect(busy.lefts).toEqual(['leave, backend ends'])
  await busy.close()
})

test('leaving can keep the plans running, and stays when the backend refuses that', async () => {
  let answer: object = refusal('not_available', 'This backend cannot go on alone.')
  const drive = await driveScreen(
    shopBackend({ '_cleveragents/backend/keep-running': () => answer as { running: number } }),
  )
  await drive.keys('q', 'b')
  expect(drive.text()).toContain('This backend cannot go on alone.')
  expect(drive.lefts).toEqual([])
  answer = { running: 1 }
  await drive.keys('b')
  expect(drive.lefts).toEqual(['leave, backend goesOn'])
  await drive.close()
})

test('t changes the theme, ctrl+l repaints, ctrl+z suspends', async () => {
  const drive = await driveScreen(shopBackend())
  await drive.keys('t', keys.ctrl('l'), keys.ctrl('z'))
  expect([drive.screen.store.ui().themeName, ...drive.lefts]).toEqual(['light', 'repaint', 'suspend'])
  await drive.close()
})

test('o puts what waits first in the list of plans', async () => {
  const plans = [
    aPlan({ plan_id: 'b', name: 'newer' }),
    aPlan({ plan_id: 'a', name: 'older', state: 'awaiting_input' }),
  ]
  const drive = await driveScreen(shopBackend({ '_cleveragents/plan/list': () => ({ plans, seq: 10 }) }))
  const first = () => drive.line(2).slice(3, 9)
  expect(first().trim()).toBe('newer')
  await drive.keys('o')
  expect(first().trim()).toBe('older')
  await drive.close()
})

test('a palette command runs as its key would', async () => {
  const drive = await driveScreen(shopBackend())
  await drive.keys(':', 'profiles', keys.enter)
  expect(drive.text()).toContain('Profiles: [All]')
  await drive.close()
})

test('200 keys in one read all count', async () => {
  const decisions = [
    ...shopDecisions,
    ...Array.from({ length: 300 }, (_, at) =>
      aDecision({
        decision_id: `many-${at}`,
        plan_id: planId,
        parent_decision_id: '01J00000000000000000000D01',
        chosen_option: { id: 'x', label: `number ${at}`, rationale: null },
      }),
    ),
  ]
  const drive = await inTree({
    ...shopAnswers,
    '_cleveragents/plan/tree': () => ({ plan_id: planId, decisions, edges: [], plans: [] }),
  })
  await drive.press('j'.repeat(200))
  await drive.pass(50)
  expect(selectedRow(drive)).toContain('number 194')
  await drive.close()
})

test('nothing is written while nothing changes, also while a gate waits', async () => {
  const drive = await driveScreen(
    shopBackend({ '_cleveragents/plan/list': () => ({ plans: [shopPlan], seq: 10 }) }),
  )
  await drive.pass(1_000)
  expect(
    await drive.bytesOf(async () => {
      for (let second = 0; second < 10; second++) await drive.pass(1_000)
    }),
  ).toBe(0)
  await drive.close()
})

test('a spinner in sight moves eight times a second, one out of sight does not', async () => {
  const drive = await driveScreen(shopBackend())
  const frames = drive.writes.length
  for (let tick = 0; tick < 8; tick++) await drive.pass(125)
  const drawn = drive.writes.length - frames
  expect([drawn > 0, drawn <= 8]).toEqual([true, true])
  await drive.keys('?')
  await drive.pass(200)
  expect(await drive.bytesOf(() => drive.pass(1_000))).toBe(0)
  await drive.close()
})

test('hostile and wide text is drawn safe and keeps the borders in line', async () => {
  const hostile = 'red \u001b[31m\u202egnp.exe\u202c \u0007 会话检查 é́́́ end'
  const plans = [aPlan({ plan_id: planId, name: '重命名会话检查模块的所有引用', description: hostile })]
  const decisions = [
    aDecision({
      decision_id: 'd1',
      plan_id: planId,
      question: hostile,
      chosen_option: { id: 'x', label: hostile, rationale: hostile },
    }),
  ]
  const backend = createScriptedClient({
    ...shopAnswers,
    '_cleveragents/plan/list': () => ({ plans, seq: 10 }),
    '_cleveragents/plan/tree': () => ({ plan_id: planId, decisions, edges: [], plans: [] }),
  })
  const drive = await driveScreen(backend, { columns: 120, rows: 24 })
  await drive.keys(keys.tab)
  const written = drive.writes.join('')
  expect(written).not.toContain('\u001b[31m')
  expect(written).not.toContain('\u202e')
  await expect(drive.text()).toMatchFileSnapshot('frames/hostile-120x24.txt')
  for (let row = 2; row < 20; row++) {
    expect([drive.cell(row, 0).text, drive.cell(row, 27).text, drive.cell(row, 119).text]).toEqual([
      '│',
      '│',
      '│',
    ])
  }
  await drive.close()
})

test.each([
  ['bubblewrap', /cautious +confined/],
  ['none', /cautious +commands not confined/],
] as const)('the head says what keeps the commands of the plan in: %s', async (confinement, expected) => {
  const plans = [{ ...shopPlan, confinement }]
  const drive = await inTree({ '_cleveragents/plan/list': () => ({ plans, seq: 0 }) })
  expect(drive.lines()[0]).toMatch(expected)
  await drive.close()
})
