/** The backend is killed while it brings a sandbox back to an earlier state; the next one puts it in order and says so. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type BackendChild, startBackendChild } from '../support/backend-child.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { killAtChange, killNow, untilHit } from '../support/kill-in-the-middle.ts'
import { whereabouts } from '../support/purpose-made.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sandboxRoot } from '../support/work-action.ts'

const MANY = 400
const MAKE_MANY = `mkdir made; i=0; while [ $i -lt ${MANY} ]; do echo $i > made/$i.txt; i=$((i+1)); done; rm readme.md`
const ACTION = `name: local/many
description: Many files
definition_of_done: The files are there
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "one"}}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: '${MAKE_MANY}'}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
`
const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'

const isLong = process.env['LONG'] === '1'
/** How many of the files to be removed are gone when the process dies. */
const moments = isLong ? [1, 2, 40, 120, 200, 280, 360] : [120]

describe('a backend killed in the middle of a rollback', () => {
  it.each(moments)('goes back to the state before it and says so (%i files on)', async count => {
    const wasHit = await untilHit(async () => {
      const story = await begin()
      const left = await story.killAt(count, story.rollback)
      const again = await story.startAgain()
      if (left > 0) expect(again.ended).toBe('interrupted')
      expectToSay(again, 'The rollback to #2 One?', 'execute/awaiting_input resume -')
      const rolled = await again.child.call('_cleveragents/plan/rollback', story.target)
      expect([rolled.status, await story.files()]).toEqual(['done', story.after])
      return { wasHit: left > 0 && left < MANY }
    })
    expect(wasHit).toBe(true)
  })

  it.runIf(isLong)('and again while it is put back, is put back by the one after that', async () => {
    const wasHit = await untilHit(async () => {
      const story = await begin()
      const left = await story.killAt(MANY / 2, story.rollback)
      const between = left > 0 ? await story.killWhilePuttingBack(MANY / 4) : left
      const again = await story.startAgain()
      if (left > 0) expect(again.ended).toBe('interrupted')
      expectToSay(again, 'The rollback to #2 One?', 'execute/awaiting_input resume -')
      return { wasHit: left < between && between < MANY }
    })
    expect(wasHit).toBe(true)
  })

  it('before its first file changed is as it was, and says so; once it has ended it stays rolled back', async () => {
    const story = await begin()
    await story.killOnceBegun(story.rollback)
    const before = await story.startAgain()
    expect(before.ended).toBe('interrupted')
    expectToSay(before, 'The rollback to #2 One?', 'execute/awaiting_input resume -')

    await before.child.call('_cleveragents/plan/rollback', story.target)
    await killNow(before.child)
    const after = await story.startAgain()
    expect([after.ended, whereabouts(after.plan)]).toEqual(['done', 'execute/awaiting_input resume -'])
  })
})

describe('a backend killed in the middle of a correction', () => {
  it.runIf(isLong).each(moments)(
    'goes back to the state before it and says so (%i files on)',
    async count => {
      const wasHit = await untilHit(async () => {
        const story = await begin()
        const { decisions } = await story.child.call('_cleveragents/plan/tree', { plan_id: story.planId })
        const decision_id = decisions.find(each => each.key === 'one')?.decision_id ?? ''
        const correction = { decision_id, mode: 'revert', guidance: 'x' } as const
        const left = await story.killAt(count, () =>
          story.child.client.call('_cleveragents/plan/correct', correction),
        )
        const again = await story.startAgain()
        if (left > 0) expect(again.ended).toBe('interrupted')
        expectToSay(again, 'The correction of #2 One?', BEFORE_APPLY)
        if (again.ended === 'interrupted')
          await again.child.call('_cleveragents/plan/correct', { ...correction, wait: true })
        const end = await again.child.call('_cleveragents/plan/status', { plan_id: story.planId, wait: true })
        expect([whereabouts(end), end.attempt, await story.files()]).toEqual([BEFORE_APPLY, 2, story.before])
        return { wasHit: left > 0 && left < MANY }
      })
      expect(wasHit).toBe(true)
    },
  )
})

interface Again {
  readonly child: BackendChild
  readonly plan: PlanView
  readonly ended: 'done' | 'interrupted'
}

/** What was undone is said, and the plan waits where it did; what was done asks at its own place. */
function expectToSay({ plan, ended }: Again, what: string, afterDone: string): void {
  const words = `${what} was cut short; the sandbox is as it was before it.`
  expect([whereabouts(plan), plan.notices.includes(words)]).toEqual(
    ended === 'interrupted' ? [BEFORE_APPLY, true] : [afterDone, false],
  )
}

/** A plan before Apply that has made many files since its first decision. */
async function begin() {
  const dataDir = await temporaryFolder()
  const repository = await makeRepository({ files: { 'readme.md': '# Project\n' } })
  const child = startBackendChild(dataDir)
  await child.call('_cleveragents/action/create', { text: ACTION, file: 'many.yaml' })
  const plan = await child.call('_cleveragents/plan/use', {
    action_name: 'many',
    folder: repository.root,
    automation_profile: 'auto',
    wait: true,
  })
  expect(whereabouts(plan)).toBe(BEFORE_APPLY)
  const { plan_id } = plan
  const root = sandboxRoot(dataDir, plan_id, repository.root)
  const made = join(root, 'made')
  const files = () => snapshotFolder(root, { times: 'ignored' })
  const countMade = async () => (await readdir(made).catch(() => [])).length
  const before = await files()
  const after = {
    'first.txt': before['first.txt'],
    ...(await snapshotFolder(repository.root, { times: 'ignored' })),
  }
  const { checkpoints } = await child.call('_cleveragents/plan/checkpoint/list', { plan_id })
  const target = { plan_id, checkpoint_id: checkpoints[0]?.checkpoint_id ?? '' }
  return {
    planId: plan_id,
    child,
    before,
    after,
    target,
    files,
    rollback: () => child.client.call('_cleveragents/plan/rollback', target),
    /** Returns how many of the files to be removed are left then. */
    async killAt(count: number, ask: () => Promise<unknown>): Promise<number> {
      await killAtChange(child, { folder: made, count }, ask)
      return countMade()
    },
    /** The next backend dies as well. Returns how many of the files are there then. */
    async killWhilePuttingBack(count: number): Promise<number> {
      const next = startBackendChild(dataDir)
      await killAtChange(next, { folder: made, count }, () =>
        next.client.call('_cleveragents/plan/status', { plan_id, wait: true }),
      )
      return countMade()
    },
    async killOnceBegun(ask: () => Promise<unknown>): Promise<void> {
      child.follow(event => {
        if (event.method === '_cleveragents/step/started' && event.step.kind === 'restore')
          child.signal('SIGKILL')
      })
      await ask()
      await child.closed
    },
    /** The next backend, and what it found: the files are wholly before or wholly after. */
    async startAgain(): Promise<Again> {
      const next = startBackendChild(dataDir)
      const now = await next.call('_cleveragents/plan/status', { plan_id, wait: true })
      const { steps } = await next.call('_cleveragents/plan/steps', { plan_id })
      const restore = steps.findLast(step => step.kind === 'restore')
      const ended = restore?.status === 'done' ? 'done' : 'interrupted'
      expect([restore?.status, await files()]).toEqual([ended, ended === 'done' ? after : before])
      return { child: next, plan: now, ended }
    },
  }
}
