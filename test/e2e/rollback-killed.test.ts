import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views.ts'
import { startBackendChild } from '../support/backend-child.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sandboxRoot } from '../support/work-action.ts'

const MANY = 400

const ACTION = `name: local/many
description: Many files
definition_of_done: The files are there
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "one"}}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: "mkdir made; i=0; while [ $i -lt ${MANY} ]; do echo $i > made/$i.txt; i=$((i+1)); done; rm readme.md"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
`

const isLong = process.env['LONG'] === '1'

/** How many of the files to be removed are gone when the process dies. */
const moments = isLong ? [0, 1, 50, 200, 399] : [1, 200]

describe('a backend killed in the middle of a rollback', () => {
  it.each(moments)('ends in the state before or the state after, and says so (%i)', async removed => {
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
    const root = sandboxRoot(dataDir, plan.plan_id, repository.root)
    const before = await files(root)
    const { checkpoints } = await child.call('_cleveragents/plan/checkpoint/list', { plan_id: plan.plan_id })
    const checkpoint_id = checkpoints[0]?.checkpoint_id ?? ''

    void child.client.call('_cleveragents/plan/rollback', { plan_id: plan.plan_id, checkpoint_id })
    await until(async () => (await countIn(root)) <= MANY - removed)
    child.signal('SIGKILL')
    await child.closed
    const again = startBackendChild(dataDir)
    const now = await again.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true })

    const after = { 'first.txt': before['first.txt'], 'readme.md': expect.any(String) }
    const { steps } = await again.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    const restore = steps.find(step => step.kind === 'restore')
    if (restore?.status === 'done') {
      expect(await files(root)).toEqual(after)
      expect(now.gates[0]?.question).toContain('Rolled back to #2 One?')
    } else {
      expect(restore?.status).toBe('interrupted')
      expect(await files(root)).toEqual(before)
      expect(said(now)).toContain(
        'The rollback to #2 One? was cut short; the sandbox is as it was before it.',
      )
    }
    const rolled = await again.call('_cleveragents/plan/rollback', { plan_id: plan.plan_id, checkpoint_id })
    expect([rolled.status, await files(root)]).toEqual(['done', after])
    await again.close()
  })
})

function said(plan: PlanView): string {
  return [...plan.notices, ...plan.gates.map(gate => gate.question)].join('\n')
}

function files(root: string): Promise<Record<string, string>> {
  return snapshotFolder(root, { times: 'ignored' })
}

async function countIn(root: string): Promise<number> {
  return (await readdir(`${root}/made`).catch(() => [])).length
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
