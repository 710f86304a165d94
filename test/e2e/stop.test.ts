import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BackendChild, processesOf, startBackendChild } from '../support/backend-child.ts'
import { readFiles } from '../support/read-files.ts'
import { makeRepository } from '../support/repository.ts'
import { agentsIn } from '../support/run-agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  commandRuns,
  letItEnd,
  sandboxRoot,
  traceOf,
  workAction,
  workFiles,
  workResult,
} from '../support/work-action.ts'

const ways: Record<string, (child: BackendChild) => unknown> = {
  'its input ends': child => child.close(),
  'SIGTERM comes': child => child.signal('SIGTERM'),
  ...(process.env['LONG'] === '1' && { 'SIGHUP comes': child => child.signal('SIGHUP') }),
}

describe('a backend that is to stop', () => {
  for (const [name, stop] of Object.entries(ways)) {
    it(`pauses what runs and leaves no process behind when ${name}, also for a stubborn command`, async () => {
      const { dataDir, repository, child, plan_id, root } = await midCommand()
      // A client that stops waiting for it ends it by SIGTERM after two seconds: it must be gone by itself before.
      void stop(child)
      expect(await child.closed).toMatch(/closed|ended with 0/)
      await waitFor(async () => (await processesOf(dataDir)).length === 0)

      const next = startBackendChild(dataDir)
      const paused = await next.call('_cleveragents/plan/status', { plan_id, wait: true })
      expect([paused.state, paused.runner]).toEqual(['paused', null])
      expect(paused.reason).toContain('the program ended')
      const { steps } = await next.call('_cleveragents/plan/steps', { plan_id })
      expect(steps.at(-1)).toMatchObject({ tool: 'builtin/run_command', status: 'interrupted' })

      const resumed = next.call('_cleveragents/plan/resume', { plan_id, wait: true })
      await waitFor(async () => traceOf(root) === 'ran\n' && running(next, plan_id))
      await letItEnd(root)
      expect((await resumed).gates.map(gate => gate.kind)).toEqual(['phase'])
      await next.call('_cleveragents/plan/approve', { plan_id, wait: true })
      expect(await readFiles(repository.root)).toEqual(workResult)
    })
  }
})

describe('a command that only looks', () => {
  it('leaves a plan alone that a living backend runs', async () => {
    const { dataDir, repository, child, plan_id, root } = await midCommand()
    const agents = await agentsIn(repository.root)
    const looked = await agents.run('--data-dir', dataDir, 'plan', 'status', plan_id)
    expect(looked.out).toContain('running')
    await letItEnd(root)
    const waiting = await child.call('_cleveragents/plan/status', { plan_id, wait: true })
    expect(waiting.gates.map(gate => gate.kind)).toEqual(['phase'])
  })

  it('never runs a plan that a killed backend left', async () => {
    const { dataDir, repository, child, plan_id } = await midCommand('supervised')
    child.signal('SIGKILL')
    await child.closed
    const agents = await agentsIn(repository.root)
    const looked = await agents.run('--data-dir', dataDir, 'plan', 'status', plan_id)
    expect(looked.out).toMatch(/Interrupted during builtin\/run_command/)
    expect(existsSync(join(repository.root, 'log.txt'))).toBe(false)
  })
})

/** A plan whose command runs, ignores SIGTERM, and ends only when it is let. */
async function midCommand(profile = 'trusted') {
  const dataDir = await temporaryFolder()
  const repository = await makeRepository({ files: workFiles })
  const child = startBackendChild(dataDir)
  await child.call('_cleveragents/action/create', { text: workAction('stubborn'), file: 'work.yaml' })
  child.follow(event => {
    if (event.method === '_cleveragents/gate/opened' && event.gate.flag !== 'select_tool')
      void child.client.call('_cleveragents/plan/approve', {
        plan_id: event.plan_id,
        gate_id: event.gate.gate_id,
      })
  })
  const { plan_id } = await child.call('_cleveragents/plan/use', {
    action_name: 'work',
    folder: repository.root,
    automation_profile: profile,
  })
  const root = sandboxRoot(dataDir, plan_id, repository.root)
  await waitFor(() => commandRuns(root))
  return { dataDir, repository, child, plan_id, root }
}

async function running(child: BackendChild, plan_id: string): Promise<boolean> {
  const { steps } = await child.call('_cleveragents/plan/steps', { plan_id })
  return steps.at(-1)?.status === 'started'
}
