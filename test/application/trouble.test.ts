import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Ports } from '../../src/application/ports.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { readFiles } from '../support/read-files.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  commandRuns,
  letItEnd,
  sandboxRoot,
  workAction,
  workFiles,
  workResult,
} from '../support/work-action.ts'

describe('a bug in a tool', () => {
  it('ends the plan as failed with its reason, and the backend goes on', async () => {
    const backend = await startBackend({ tools: tools => throwing(tools, 'builtin/write_file') })
    await backend.call('_cleveragents/action/create', { text: workAction('sleeps'), file: 'work.yaml' })
    const repository = await makeRepository({ files: workFiles })
    const params = { action_name: 'work', folder: repository.root, automation_profile: 'trusted' }
    const failed = await backend.use(params)
    expect([position(failed), failed.reason, failed.runner]).toEqual([
      'execute/errored',
      'internal error: a tool with a bug',
      null,
    ])
    const { steps } = await backend.call('_cleveragents/plan/steps', { plan_id: failed.plan_id })
    expect(steps.at(-1)).toMatchObject({ tool: 'builtin/write_file', status: 'interrupted' })
    expect(
      (await backend.use({ ...params, action_name: 'replace-text', args: { find: 'x', replace: 'y' } }))
        .state,
    ).toBe('applied')
  })
})

const fullDisk = smallDisk()
if (!fullDisk.ok) process.stderr.write(`not tested: a full disk, because ${fullDisk.reason}\n`)

describe.runIf(fullDisk.ok)('a disk that is full', () => {
  it('makes the plan ask, keeps what was recorded, and goes on when there is room again', async () => {
    const dataDir = mountSmallDisk(await temporaryFolder())
    const backend = await startBackend({ dataDir })
    await backend.call('_cleveragents/action/create', { text: workAction('waits'), file: 'work.yaml' })
    const repository = await makeRepository({ files: workFiles })
    const plan = await backend.call('_cleveragents/plan/use', {
      action_name: 'work',
      folder: repository.root,
      automation_profile: 'trusted',
    })
    const { plan_id } = plan
    const root = sandboxRoot(dataDir, plan_id, repository.root)
    await waitFor(() => commandRuns(root))
    const before = await backend.call('_cleveragents/plan/checkpoint/list', { plan_id })
    fill(dataDir)
    // An empty file needs no room.
    await letItEnd(root)

    // The store may find no room for the question either; it is put as soon as there is.
    const waiting = backend.call('_cleveragents/plan/status', { plan_id, wait: true })
    await waitFor(
      () =>
        backend.logged.some(message => message.startsWith('a plan was stopped by an error')) ||
        settledNow(backend, plan_id),
    )
    rmSync(join(dataDir, 'ballast'))
    const asked = await waiting
    expect([position(asked), asked.gates.map(gate => gate.kind)]).toEqual([
      'execute/awaiting_input',
      ['error'],
    ])
    expect(asked.gates[0]?.question).toMatch(/run_command.* failed: The disk .* is full/)
    const after = await backend.call('_cleveragents/plan/checkpoint/list', { plan_id })
    expect(after.checkpoints).toEqual(expect.arrayContaining(before.checkpoints))

    await backend.call('_cleveragents/plan/approve', { plan_id, option_id: 'retry' })
    await waitFor(async () => (await lastStep(backend, plan_id)).status === 'started' && commandRuns(root))
    await letItEnd(root)
    const retried = await backend.call('_cleveragents/plan/status', { plan_id, wait: true })
    expect(retried.gates.map(gate => gate.kind)).toEqual(['phase'])
    await backend.call('_cleveragents/plan/approve', { plan_id, wait: true })
    expect(await readFiles(repository.root)).toEqual(workResult)
  })
})

async function lastStep(backend: TestBackend, plan_id: string) {
  const { steps } = await backend.call('_cleveragents/plan/steps', { plan_id })
  return steps.at(-1) ?? { status: 'none' }
}

async function settledNow(backend: TestBackend, plan_id: string): Promise<boolean> {
  return (await backend.call('_cleveragents/plan/status', { plan_id })).state === 'awaiting_input'
}

function throwing(tools: Ports['tools'], name: string): Ports['tools'] {
  const broken = (tool: ReturnType<typeof tools.find>) =>
    tool?.name === name ? { ...tool, run: () => Promise.reject(new Error('a tool with a bug')) } : tool
  return { list: tools.list, find: wanted => broken(tools.find(wanted)) }
}

function smallDisk(): { ok: true } | { ok: false; reason: string } {
  if (process.platform !== 'linux') return { ok: false, reason: 'small disks are made on Linux only' }
  if (process.getuid?.() !== 0) return { ok: false, reason: 'only root can mount one' }
  const probe = '/tmp/agents-probe-disk'
  try {
    mkdirSync(probe, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'probe', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return { ok: true }
  } catch {
    return { ok: false, reason: 'nothing can be mounted here' }
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

function mountSmallDisk(folder: string): string {
  const place = join(folder, 'disk')
  mkdirSync(place)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'small', place])
  onTestFinished(() => void execFileSync('umount', ['--lazy', place]))
  return place
}

/** To the last block, so that not even a small object finds room. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'ballast'), new Uint8Array(bavail * bsize))
}

function position(plan: { phase: string; state: string }): string {
  return `${plan.phase}/${plan.state}`
}
