/** The backend is killed at a step boundary of a correction; what is left is the old line or the new one, never between. */
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type BackendChild, startBackendChild } from '../support/backend-child.ts'
import { killNow } from '../support/kill-in-the-middle.ts'
import { whereabouts } from '../support/purpose-made.ts'
import { readFiles } from '../support/read-files.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sandboxRoot } from '../support/work-action.ts'

const choice = (id: string, text: string) =>
  `    - decide: {id: ${id}, type: implementation_choice, question: "${id}?", choose: x, options: [{id: x, label: X, set: {${id}: x}}, {id: y, label: Y, set: {${id}: y}}]}
    - tool: {name: builtin/write_file, with: {path: ${id}.txt, content: "${text}"}}
`
const ACTION = `name: local/apart
description: Work in files of its own
definition_of_done: The files are there
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
${choice('one', '${{ vars.one }}')}${choice('two', 'two')}${choice('three', 'three ${{ vars.one }}')}${choice('four', 'four')}`

const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'
const OLD = { 'one.txt': 'x', 'two.txt': 'two', 'three.txt': 'three x', 'four.txt': 'four' }
const NEW = { ...OLD, 'one.txt': 'y', 'three.txt': 'three y' }

const isLong = process.env['LONG'] === '1'
/** How many events of the correction are on record when the process dies. */
const moments = isLong ? Array.from({ length: 24 }, (_, at) => at + 1) : [5]

describe('a backend killed in a correction that keeps later work', () => {
  it.each(moments)('leaves the old line or the new one (after event %i)', async count => {
    const dataDir = await temporaryFolder()
    const repository = await makeRepository({ files: { 'readme.md': '# Project\n' } })
    const child = startBackendChild(dataDir)
    const plan = await begin(child, repository.root)
    const { plan_id } = plan
    const before = await holdingIn(child, plan)
    const { events } = await child.call('_cleveragents/event/list', { plan_id })
    const since = events.at(-1)?.seq ?? 0
    let seen = 0
    child.follow(event => {
      if (event.seq > since && ++seen === count) child.signal('SIGKILL')
    })
    const decision_id = before.get('one') ?? ''
    const correction = { decision_id, mode: 'revert', guidance: 'y' } as const
    await child.client.call('_cleveragents/plan/correct', { ...correction, wait: true })
    await killNow(child)

    const next = startBackendChild(dataDir)
    const found = await next.call('_cleveragents/plan/status', { plan_id, wait: true })
    const isNew = found.attempt === 2
    const root = sandboxRoot(dataDir, plan_id, repository.root)
    if (!isNew) {
      expect([whereabouts(found), await holdingIn(next, plan)]).toEqual([BEFORE_APPLY, before])
      expect(await filesIn(root)).toEqual(OLD)
      await next.call('_cleveragents/plan/correct', { ...correction, wait: true })
    }
    const end = await toTheEnd(next, plan)
    expect([whereabouts(end), end.attempt, await filesIn(root)]).toEqual([BEFORE_APPLY, 2, NEW])
    const after = await holdingIn(next, plan)
    expect([after.get('two'), after.get('four')]).toEqual([before.get('two'), before.get('four')])
    const { steps } = await next.call('_cleveragents/plan/steps', { plan_id })
    for (const key of ['two', 'four'])
      expect(steps.filter(step => step.decision_id === before.get(key))).toHaveLength(1)
  })
})

async function begin(child: BackendChild, folder: string): Promise<PlanView> {
  await child.call('_cleveragents/action/create', { text: ACTION, file: 'apart.yaml' })
  const plan = await child.call('_cleveragents/plan/use', {
    action_name: 'apart',
    folder,
    automation_profile: 'auto',
    wait: true,
  })
  expect(whereabouts(plan)).toBe(BEFORE_APPLY)
  return plan
}

/** Whoever was cut off asks, or waits to be resumed. */
async function toTheEnd(child: BackendChild, { plan_id }: PlanView): Promise<PlanView> {
  for (;;) {
    const plan = await child.call('_cleveragents/plan/status', { plan_id, wait: true })
    if (plan.state === 'paused') await child.call('_cleveragents/plan/resume', { plan_id, wait: true })
    else if (plan.gates[0]?.kind === 'resume')
      await child.call('_cleveragents/plan/approve', { plan_id, wait: true })
    else return plan
  }
}

async function holdingIn(child: BackendChild, { plan_id }: PlanView): Promise<Map<string, string>> {
  const { decisions } = await child.call('_cleveragents/plan/tree', { plan_id })
  return new Map(decisions.flatMap(each => (each.key === null ? [] : [[each.key, each.decision_id]])))
}

async function filesIn(root: string): Promise<Record<string, string>> {
  const { '.git': _git, 'readme.md': _readme, ...files } = await readFiles(root)
  return files
}
