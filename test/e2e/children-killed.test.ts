/** A backend is killed hard while children run: another one goes on, and each child has run once and is merged once. */
import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { processesOf, startBackendChild } from '../support/backend-child.ts'
import { readFiles } from '../support/read-files.ts'
import { makeRepository, type TestRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const heads = (name: string) =>
  `name: local/${name}\ndescription: ${name}\ndefinition_of_done: done\nstrategy_actor: builtin/recipe\nexecution_actor: builtin/recipe\n`

/** Adds one line at its own place of a file that all children change. */
const WORK = `${heads('work')}
arguments: [{name: word, type: string, required: true}]
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: go, options: [{id: go, label: Go}], confidence: 0.9}
    - tool: {name: builtin/edit_file, with: {path: all.txt, find: "\${{ args.word }}\\n", replace: "\${{ args.word }} done\\n"}}
    - tool: {name: builtin/write_file, with: {path: "made/\${{ args.word }}.txt", content: "made"}}
`

const PARENT = `${heads('parent')}
recipe:
  execute:
    - spawn: {parallel: [{action: local/work, args: {word: one}, as: one}, {action: local/work, args: {word: two}, as: two}, {action: local/work, args: {word: three}, as: three, after: [one]}], max_parallel: 2}
    - tool: {name: builtin/write_file, with: {path: end.txt, content: "end"}}
`

const files = { 'all.txt': 'one\n\n\n\n\ntwo\n\n\n\n\nthree\n' }

const result = {
  'all.txt': 'one done\n\n\n\n\ntwo done\n\n\n\n\nthree done\n',
  'end.txt': 'end',
  'made/one.txt': 'made',
  'made/three.txt': 'made',
  'made/two.txt': 'made',
}

type Point = (event: WireEvent) => boolean

const points: Record<string, Point> = {
  'when the first child is to be merged': handedOver(1),
}

const morePoints: Record<string, Point> = {
  'while a child writes': event =>
    event.method === '_cleveragents/step/started' && event.step.tool === 'builtin/edit_file',
  'when the children are made': event =>
    event.method === 'task/statusUpdate' && event.plan.parent_plan_id !== null,
  'when the second child is to be merged': handedOver(2),
  'when the last child is to be merged': handedOver(3),
  'when all are merged': event =>
    event.method === '_cleveragents/step/finished' && event.step.kind === 'spawn',
}

const isLong = process.env['LONG'] === '1'

describe('a backend killed hard while children run', () => {
  for (const [name, isPoint] of Object.entries({ ...points, ...(isLong && morePoints) })) {
    it(`${name} loses no child and runs none twice`, async () => {
      const story = await begin()
      await story.killAt(isPoint)
      await story.goOn()
    })
  }
})

describe.runIf(isLong)('a campaign of kills after random times', () => {
  for (let round = 0; round < 30; round++) {
    const afterMs = 400 + round * 230
    it(`loses no child after ${afterMs} ms`, async () => {
      const story = await begin()
      const enough = AbortSignal.timeout(afterMs)
      await story.killAt(() => enough.aborted)
      await story.goOn()
    })
  }
})

async function begin() {
  const dataDir = await temporaryFolder()
  const repository = await makeRepository({ files })
  const child = startBackendChild(dataDir)
  for (const text of [WORK, PARENT])
    await child.call('_cleveragents/action/create', { text, file: 'action.yaml' })
  const plan = await child.call('_cleveragents/plan/use', {
    action_name: 'local/parent',
    folder: repository.root,
    automation_profile: 'trusted',
  })
  return { killAt, goOn: () => goOn(dataDir, repository, plan) }

  async function killAt(isPoint: Point): Promise<void> {
    await new Promise<void>(resolve => {
      child.follow(event => {
        const waits = event.method === '_cleveragents/gate/opened'
        if (!isPoint(event) && !waits) return
        child.signal('SIGKILL')
        resolve()
      })
    })
    await child.closed
  }
}

async function goOn(dataDir: string, repository: TestRepository, { plan_id }: PlanView): Promise<void> {
  const child = startBackendChild(dataDir)
  let now = await child.call('_cleveragents/plan/status', { plan_id, wait: true })
  while (now.state === 'awaiting_input' || now.state === 'paused') {
    const [gate] = now.gates
    now = gate
      ? await child.call('_cleveragents/plan/approve', { plan_id, gate_id: gate.gate_id, wait: true })
      : await child.call('_cleveragents/plan/resume', { plan_id, wait: true })
  }
  expect(`${now.phase}/${now.state}`).toBe('apply/applied')
  expect(await readFiles(repository.root)).toEqual(result)
  expect(now.children.map(each => [each.key, each.state])).toEqual([
    ['one', 'applied'],
    ['two', 'applied'],
    ['three', 'applied'],
  ])
  for (const each of now.children) {
    const { steps } = await child.call('_cleveragents/plan/steps', { plan_id: each.plan_id })
    expect(steps.map(step => [step.path, step.status])).toEqual([
      ['execute[1]', 'done'],
      ['execute[2]', 'done'],
    ])
  }
  const { steps } = await child.call('_cleveragents/plan/steps', { plan_id })
  expect(steps.filter(step => step.kind === 'spawn').map(step => step.status)).toEqual(['done'])
  await child.close()
  await waitFor(async () => (await processesOf(dataDir)).length === 0)
}

/** The so many-th child that has ended. */
function handedOver(count: number): Point {
  const ended = new Set<string>()
  return event => {
    if (event.method !== 'task/statusUpdate' || event.plan.applies_to !== 'parent') return false
    if (event.plan.phase === 'apply' && event.plan.state === 'complete') ended.add(event.plan_id)
    return ended.size === count
  }
}
