/** The backend is killed while it writes a plan's changes into the user's files; the next one asks before anything else. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type BackendChild, startBackendChild } from '../support/backend-child.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { killAtChange, untilHit } from '../support/kill-in-the-middle.ts'
import { whereabouts } from '../support/purpose-made.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sandboxRoot } from '../support/work-action.ts'

const MANY = 300
/** Of the files that are there, every third stays, every third is replaced and every third goes; as many are new. */
const CHANGE_MANY =
  `cd many; i=0; while [ $i -lt ${MANY} ]; do ` +
  'echo new > $i.txt; rm $((i+1)).txt; echo added > $i.new; i=$((i+3)); done'
const ACTION = `name: local/many
description: Many files
definition_of_done: The files are changed
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: '${CHANGE_MANY}'}}
`
const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'
const ASKED = 'apply/awaiting_input resume -'

const isLong = process.env['LONG'] === '1'
/** How many of the files are written when the process dies. */
const moments = isLong ? [1, 2, 30, 90, 150, 210] : [90]

describe('a backend killed in the middle of Apply', () => {
  it.each(moments)('asks at its next start, and finishes exactly (%i files on)', async count => {
    const wasHit = await untilHit(async () => {
      const story = await begin()
      await story.killAt(count, story.apply)
      const { child, plan, written } = await story.startAgain()
      if (whereabouts(plan) === ASKED) {
        expect(plan.gates[0]?.question).toBe(
          `Apply was interrupted: ${written} of ${MANY} files were written. Finish it, or undo it?`,
        )
        const done = await approve(child, plan, 'finish')
        expect([whereabouts(done), done.applied]).toEqual(['apply/applied', 'all'])
      }
      expect(await story.files()).toEqual(story.wanted)
      return { wasHit: written > 0 && written < MANY }
    })
    expect(wasHit).toBe(true)
  })

  it.each(moments)(
    'refuses all else until it is undone, then asks before Apply again (%i files on)',
    async count => {
      const wasHit = await untilHit(async () => {
        const story = await begin()
        await story.killAt(count, story.apply)
        const { child, plan, written } = await story.startAgain()
        if (whereabouts(plan) !== ASKED) return { wasHit: false }
        await expectRefusals(child, plan)
        const undone = await approve(child, plan, 'undo')
        expect([whereabouts(undone), undone.applied]).toEqual([BEFORE_APPLY, 'nothing'])
        expect(await story.filesWithTimes()).toEqual(story.before)
        const done = await approve(child, undone, null)
        expect([whereabouts(done), await story.files()]).toEqual(['apply/applied', story.wanted])
        return { wasHit: written > 0 && written < MANY }
      })
      expect(wasHit).toBe(true)
    },
  )

  // Settling that is cut short itself is proven for each of its steps where sandboxes are tested.
  it.runIf(isLong).each(moments)(
    'and in the middle of undoing it asks whether to go on, and undoes exactly (%i files on)',
    async count => {
      const wasHit = await untilHit(async () => {
        const story = await begin()
        await story.killAt(MANY - 1, story.apply)
        const first = await story.startAgain()
        if (whereabouts(first.plan) !== ASKED) return { wasHit: false }
        await story.killAt(
          Math.min(count, first.written - 1),
          () => approve(first.child, first.plan, 'undo'),
          first.child,
        )
        const { child, plan, written } = await story.startAgain()
        if (whereabouts(plan) === ASKED) {
          expect(plan.gates[0]?.question).toBe(
            `Undoing an interrupted Apply was interrupted: ${written} of ${MANY} files still have the plan's changes. Go on?`,
          )
          await approve(child, plan, 'undo')
        }
        expect(await story.filesWithTimes()).toEqual(story.before)
        return { wasHit: written > 0 && written < first.written }
      })
      expect(wasHit).toBe(true)
    },
  )
})

async function expectRefusals(child: BackendChild, { plan_id }: PlanView): Promise<void> {
  const { decisions } = await child.call('_cleveragents/plan/tree', { plan_id })
  const decision_id = decisions.find(each => each.key === 'one')?.decision_id ?? ''
  const words = `First finish or undo it: agents plan approve ${plan_id.slice(-6)} --option finish, or --option undo`
  const { client } = child
  const refused = [
    await client.call('_cleveragents/plan/cancel', { plan_id }),
    await client.call('_cleveragents/plan/rollback', { plan_id }),
    await client.call('_cleveragents/plan/correct', { decision_id, mode: 'revert', guidance: 'x' }),
  ]
  expect(refused.map(answer => (answer.ok ? 'not refused' : answer.failure.message))).toEqual(
    refused.map(() => expect.stringContaining(words)),
  )
}

function approve(child: BackendChild, { plan_id }: PlanView, option_id: string | null): Promise<PlanView> {
  return child.call('_cleveragents/plan/approve', { plan_id, ...(option_id && { option_id }), wait: true })
}

/** A plan that waits before Apply with many changes. */
async function begin() {
  const dataDir = await temporaryFolder()
  const names = Array.from({ length: MANY }, (_, index) => `many/${index}.txt`)
  const repository = await makeRepository({
    files: Object.fromEntries(names.map(name => [name, `${name}\n`])),
  })
  const begun = startBackendChild(dataDir)
  await begun.call('_cleveragents/action/create', { text: ACTION, file: 'many.yaml' })
  const plan = await begun.call('_cleveragents/plan/use', {
    action_name: 'many',
    folder: repository.root,
    automation_profile: 'auto',
    wait: true,
  })
  expect([whereabouts(plan), plan.changes?.files]).toEqual([BEFORE_APPLY, MANY])
  const files = () => snapshotFolder(repository.root, { times: 'ignored' })
  const filesWithTimes = () => snapshotFolder(repository.root)
  const before = await filesWithTimes()
  const old = await files()
  const wanted = await snapshotFolder(sandboxRoot(dataDir, plan.plan_id, repository.root), {
    times: 'ignored',
  })
  return {
    before,
    wanted,
    files,
    filesWithTimes,
    apply: () => begun.client.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, wait: true }),
    killAt: (count: number, ask: () => Promise<unknown>, child = begun) =>
      killAtChange(child, { folder: join(repository.root, 'many'), count }, ask),
    /** The next backend, what it asks, and how many of the files had the plan's changes before it came. */
    async startAgain() {
      const now = await files()
      const changed = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].filter(
        path => old[path] !== wanted[path],
      )
      const written = changed.filter(path => now[path] === wanted[path]).length
      const child = startBackendChild(dataDir)
      return {
        child,
        written,
        plan: await child.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true }),
      }
    },
  }
}
