import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import { keys } from '../support/keys.ts'
import { type Drive, driveScreen } from '../support/screen-driver.tsx'
import { createEventMaker } from '../support/screen-views.ts'
import { type Answers, refusal } from '../support/scripted-client.ts'
import { shopBackend, shopGate, shopPlan } from '../support/shop-story.ts'

const bound = { plan_id: shopGate.plan_id, gate_id: shopGate.gate_id, digest: shopGate.digest }

const accepting: Answers = {
  '_cleveragents/plan/approve': () => shopPlan,
  '_cleveragents/plan/reject': () => shopPlan,
  '_cleveragents/plan/request-changes': () => shopPlan,
}

/** Answers that reached the backend. */
function answers({ backend }: Drive) {
  return backend.calls.filter(call => /approve|reject|request-changes/.test(call.name))
}

async function openCard(gate: GateView = shopGate, more: Answers = {}, size: { rows?: number } = {}) {
  const backend = shopBackend({
    ...accepting,
    '_cleveragents/gate/list': () => ({ gates: [gate] }),
    ...more,
  })
  const drive = await driveScreen(backend, { columns: 100, rows: 30, ...size })
  await drive.keys('g', keys.enter)
  return drive
}

async function armed(drive: Drive): Promise<Drive> {
  await drive.pass(1_000)
  return drive
}

test('a card that was just opened says that it is being read, and takes no answer', async () => {
  const drive = await openCard()
  expect(drive.text()).toContain('reading')
  await drive.type('a', keys.enter)
  await drive.pass(50)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('after it was seen and the keyboard was quiet, a and then enter approve what was shown', async () => {
  const drive = await armed(await openCard())
  expect(drive.text()).toContain('a approve')
  await drive.keys('a')
  expect(drive.text()).toContain('Press enter to approve')
  await drive.keys(keys.enter)
  expect(answers(drive)).toEqual([{ name: '_cleveragents/plan/approve', params: bound }])
  expect(drive.text()).not.toContain('A question for you')
  expect(drive.text()).toContain('Approved: Delete src/legacy/session.js?')
  await drive.close()
})

test('another key after the choice takes it back', async () => {
  const drive = await armed(await openCard())
  await drive.keys('a', 'k', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('x and then enter reject', async () => {
  const drive = await armed(await openCard())
  await drive.keys('x', keys.enter)
  expect(answers(drive)).toEqual([{ name: '_cleveragents/plan/reject', params: bound }])
  await drive.close()
})

test('a number and then enter answer with that option, also one that stops the work', async () => {
  const options = [
    { id: 'retry', label: 'Try again', description: null, effect: 'approve' as const },
    { id: 'stop', label: 'Give up', description: 'the plan fails', effect: 'reject' as const },
  ]
  const first = await armed(await openCard({ ...shopGate, options }))
  expect(first.text()).toContain('2  Give up  (stops the work)')
  await first.keys('1', keys.enter)
  expect(answers(first)).toEqual([
    { name: '_cleveragents/plan/approve', params: { ...bound, option_id: 'retry' } },
  ])
  await first.close()
  const second = await armed(await openCard({ ...shopGate, options }))
  await second.keys('3', '2', keys.enter)
  expect(answers(second)).toEqual([
    { name: '_cleveragents/plan/reject', params: { ...bound, note: 'Give up' } },
  ])
  await second.close()
})

test('requesting changes sends the guidance, and going back keeps what was typed', async () => {
  const drive = await armed(await openCard())
  await drive.keys('r', 'keep it', keys.escape)
  await drive.pass(1_000)
  await drive.keys('r')
  expect(drive.text()).toContain('keep it')
  await drive.keys(' please', keys.enter)
  expect(answers(drive)).toEqual([
    { name: '_cleveragents/plan/request-changes', params: { ...bound, guidance: 'keep it please' } },
  ])
  await drive.close()
})

test('where changes are not taken they are neither offered nor typed', async () => {
  const drive = await armed(await openCard({ ...shopGate, takes_changes: false }))
  expect(drive.text()).not.toContain('request changes')
  await drive.keys('r')
  expect(drive.text()).toContain('This question takes approve or reject, not changes.')
  await drive.keys('more', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('empty guidance is not sent', async () => {
  const drive = await armed(await openCard())
  await drive.keys('r', keys.enter)
  expect(answers(drive)).toEqual([])
  expect(drive.text()).toContain('Write what should be different.')
  await drive.close()
})

test('a destructive act is approved by typing the shown word', async () => {
  const drive = await armed(await openCard({ ...shopGate, confirm_word: 'delete' }))
  expect(drive.text()).toContain('type the word delete')
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.pass(1_000)
  await drive.keys('d', 'e', 'l', 'e', 't', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.pass(1_000)
  await drive.keys('d', 'e', 'l', 'e', 't', 'e')
  expect(drive.text()).toContain('Press enter to approve')
  await drive.keys(keys.enter)
  expect(answers(drive)).toEqual([
    { name: '_cleveragents/plan/approve', params: { ...bound, confirm_word: 'delete' } },
  ])
  await drive.close()
})

test('escape and q close the card and leave the gate open', async () => {
  for (const key of [keys.escape, 'q']) {
    const drive = await armed(await openCard())
    await drive.keys(key)
    await drive.pass(100)
    expect(drive.text()).toContain('Gates (1)')
    expect(answers(drive)).toEqual([])
    await drive.close()
  }
})

test('nobody can answer before the end of a long question was shown', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `rm file-${at}`).join('\n')
  const gate = { ...shopGate, subject: { kind: 'tool', tool: 'run', folder: '/', input: { command: lines } } }
  const drive = await armed(await openCard(gate))
  expect(drive.text()).toContain('More below')
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.keys(keys.end)
  expect(drive.text()).toContain('rm file-39')
  await drive.pass(1_000)
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toHaveLength(1)
  await drive.close()
})

test('a list that comes later and pushes the end out of sight is to be read before an answer', async () => {
  const files = Array.from({ length: 40 }, (_, at) => ({
    path: `src/file-${at}.ts`,
    old_path: null,
    status: 'modified',
    additions: 1,
    deletions: 0,
    binary: false,
  }))
  const diff = {
    plan_id: shopGate.plan_id,
    digest: 'd',
    part: 'all' as const,
    old: { title: 'before the plan' },
    new: { title: 'now' },
    files,
    patch: '',
    patch_encoding: 'utf8' as const,
  }
  const late = Promise.withResolvers<typeof diff>()
  const subject = { kind: 'phase', from: 'Execute', to: 'Apply', changesDigest: 'd', summary: '40 files' }
  const drive = await armed(
    await openCard({ ...shopGate, subject }, { '_cleveragents/plan/diff': () => late.promise }),
  )
  expect(drive.text()).not.toContain('More below')
  late.resolve(diff)
  await drive.pass(1_000)
  expect(drive.text()).toContain('More below')
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.keys(keys.end)
  await drive.pass(1_000)
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toHaveLength(1)
  await drive.close()
})

test('a refused answer tells why, shows what is asked now, and arms anew', async () => {
  let gates = [shopGate]
  const drive = await openCard(shopGate, {
    '_cleveragents/gate/list': () => ({ gates }),
    '_cleveragents/plan/approve': () => {
      gates = [{ ...shopGate, digest: 'sha256:two', question: 'Delete two files?' }]
      return refusal('stale_answer', 'The question has changed since it was shown.')
    },
  })
  await armed(drive)
  await drive.keys('a', keys.enter)
  expect(drive.text()).toContain('The question has changed since it was shown.')
  expect(drive.text()).toContain('Delete two files?')
  await drive.type('a', keys.enter)
  expect(answers(drive)).toHaveLength(1)
  await drive.close()
})

test('a gate that somebody else answers says so in the open card', async () => {
  const drive = await armed(await openCard())
  const anEvent = createEventMaker(10)
  const gate = { ...shopGate, status: 'resolved' as const, resolved_by: 'noor' }
  drive.backend.send(anEvent('_cleveragents/gate/resolved', { gate }, shopGate.plan_id))
  await drive.pass(50)
  expect(drive.text()).toContain('was answered by noor')
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('looking at the diff in between makes the card arm anew', async () => {
  const drive = await armed(await openCard())
  await drive.keys('d')
  expect(drive.text()).toContain('Diff of rename-auth')
  await drive.keys('q')
  await drive.type('a', keys.enter)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('keys typed before the card opened do not answer it, in one read or in several', async () => {
  const drive = await driveScreen(shopBackend(accepting), { columns: 100, rows: 30 })
  await drive.press(`g${keys.enter}a${keys.enter}`)
  await drive.pass(50)
  for (let at = 0; at < 12; at++) {
    drive.clock.advance(80)
    await drive.press(at % 2 === 0 ? 'a' : keys.enter)
  }
  await drive.pass(50)
  expect(answers(drive)).toEqual([])
  await drive.close()
})

test('no burst of typing, however it falls, approves', async () => {
  const burst = fc.array(
    fc.record({
      pause: fc.integer({ min: 0, max: 240 }),
      chunk: fc.constantFrom('a', keys.enter, `a${keys.enter}`, '1', 'y', ' ', keys.paste(`a${keys.enter}`)),
    }),
    { minLength: 1, maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(burst, async presses => {
      const drive = await openCard()
      for (const { pause, chunk } of presses) {
        drive.clock.advance(pause)
        await drive.press(chunk)
      }
      expect(answers(drive)).toEqual([])
      await drive.close()
    }),
    { numRuns: 12 },
  )
})

test('after the last answer from the inbox the plan is shown that now goes on', async () => {
  const drive = await openCard()
  await drive.keys(keys.escape, keys.escape)
  await drive.keys(keys.down, 'g', keys.enter)
  await armed(drive)
  await drive.keys('a', keys.enter)
  const { dialogs, selectedPlanId, focus } = drive.screen.store.ui()
  expect({ dialogs, selectedPlanId, focus }).toEqual({
    dialogs: [],
    selectedPlanId: shopGate.plan_id,
    focus: 'tree',
  })
  await drive.close()
})

test('while other questions wait the inbox stays, on the next of them', async () => {
  const other = {
    ...shopGate,
    gate_id: 'other',
    question: 'And this?',
    opened_at: '2026-11-30T10:30:00.000Z',
  }
  const both: Answers = { '_cleveragents/gate/list': () => ({ gates: [shopGate, other] }) }
  const drive = await armed(await openCard(shopGate, both))
  await drive.keys('a', keys.enter)
  expect(drive.screen.store.ui().dialogs).toEqual([{ kind: 'gates', gateId: 'other' }])
  await drive.close()
})

test("a guard's card shows the whole command, marks the part it is about without colours, and takes the same keys", async () => {
  const guarded: GateView = {
    ...shopGate,
    kind: 'guard',
    flag: null,
    question: 'A guard stopped builtin/run_command. Let this one call through?',
    subject: {
      kind: 'guard',
      guard: 'denylist',
      scope: 'PLAN',
      tool: 'builtin/run_command',
      folder: '/home/ada/shop',
      command: 'npm test && git push',
      input: {},
      marked: [{ start: 12, end: 20, text: 'git push', why: 'run_command(git push *) denies it' }],
    },
    options: [{ id: 'run', label: 'Run it, this once', description: null, effect: 'approve' }],
  }
  const drive = await armed(await openCard(guarded))
  expect(drive.text()).toContain('builtin/run_command in /home/ada/shop')
  expect(drive.text()).toMatch(/npm test && git push.*\n.* {14}\^{8}/)
  expect(drive.text()).toContain('git push: run_command(git push *) denies it')
  await drive.keys('a', keys.enter)
  expect(answers(drive)).toEqual([{ name: '_cleveragents/plan/approve', params: bound }])
  await drive.close()
})

test('ctrl+e opens the strategy that is asked about in the own editor and hands it back; elsewhere it says why not', async () => {
  const plan_id = shopGate.plan_id
  const subject = {
    kind: 'phase',
    from: 'Strategize',
    to: 'Execute',
    summary: '',
    strategy: 'Write it.',
    strategy_revision: 1,
  }
  const strategy = { plan_id, plan_name: 'p', text: 'Write it.', revision: 1, edited_by: null, digest: 'd1' }
  const backend = shopBackend({
    '_cleveragents/gate/list': () => ({
      gates: [{ ...shopGate, kind: 'phase', phase: 'strategize', subject }],
    }),
    '_cleveragents/plan/strategy/show': () => strategy,
    '_cleveragents/plan/strategy/edit': () => ({ ...strategy, revision: 2 }),
  })
  const edit = (text: string) => ({ kind: 'text', text: `${text} Then stop.` }) as const
  const drive = await driveScreen(backend, { columns: 100, rows: 30, edit })
  await drive.keys('g', keys.enter)
  expect(drive.text()).toContain('Strategy, revision 1. Press ctrl+e to edit it.')
  await drive.keys(keys.ctrl('e'))
  await drive.pass(10)
  expect(backend.calls.find(call => call.name.endsWith('strategy/edit'))?.params).toEqual({
    plan_id,
    text: 'Write it. Then stop.',
    digest: 'd1',
  })
  expect(drive.text()).toContain('The strategy is now revision 2; it is asked about anew.')
  await drive.close()

  const other = await openCard()
  await other.keys(keys.ctrl('e'))
  expect(other.text()).toContain('No strategy in words is asked about here.')
  await other.close()
})
