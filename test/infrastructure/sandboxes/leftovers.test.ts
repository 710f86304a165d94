import { chmod, lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PlanId } from '../../../src/domain/ids.ts'
import type { SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../../src/infrastructure/system/host.ts'
import { identify } from '../../../src/infrastructure/system/process-identity.ts'
import { bytes, contractFiles } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { makeRepository, userEnvironment, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, otherPlanId, planId } from '../../support/sandbox.ts'
import { type ChildStep, giveTo, startSandboxProcess } from '../../support/sandbox-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { eventually } from '../../support/wait-for.ts'

const dead = JSON.stringify({ pid: 1, startedAt: 'an earlier boot' })

async function world() {
  const repository = await makeRepository({ files: contractFiles })
  const stateDir = await temporaryFolder()
  const host = createHost({ pid: process.pid, dataDir: stateDir })
  const sandboxes = createSandboxes({ stateDir, environment: userEnvironment(), host })
  const strategy = expectOk(sandboxes.strategy('git_worktree'))
  const spec = { planId, projectRoot: repository.root }
  const folder = join(stateDir, 'plans', planId)
  const child = { stateDir, strategy: 'git_worktree', spec, environment: userEnvironment() } as const
  return { repository, stateDir, sandboxes, strategy, spec, folder, child }
}

/** The clock of files is coarse, so a sweep takes only what is a little older than the moment it begins at. */
const CLOCK_STEP_MS = 50

function beginAt(moment: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: moment })
  onTestFinished(() => void vi.useRealTimers())
}

const known = (id: PlanId) => id === planId

describe('a sweep', () => {
  test('removes what was half made or half removed, and nothing while an owner lives', async () => {
    const { stateDir, sandboxes } = await world()
    const place = (name: string) => join(stateDir, 'plans', name)
    for (const name of ['HALFDEAD', 'HALFALIVE', '.removed-x', 'BEGUN', 'JUSTBEGUN'])
      await mkdir(place(name), { recursive: true })
    await writeFiles(place('HALFDEAD'), { 'owner.json': dead, 'root/project/a.txt': 'a\n' })
    await writeFiles(place('HALFALIVE'), { 'owner.json': JSON.stringify(identify(process.ppid)) })
    await utimes(place('BEGUN'), 1_000, 1_000)
    beginAt(Date.now() + 1_000)

    const gone = await sandboxes.sweep(() => true)

    expect(gone.toSorted()).toEqual(['.removed-x', 'BEGUN', 'HALFDEAD'].map(place))
    expect((await readdir(join(stateDir, 'plans'))).toSorted()).toEqual(['HALFALIVE', 'JUSTBEGUN'])
  })

  test('keeps the states and the unrecorded work of a plan, and takes its locks and temporary files', async () => {
    const { sandboxes, strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(sandbox.root, { 'work.txt': 'recorded\n' })
    const state = await checkpoint(sandbox)
    await writeFiles(sandbox.root, { 'more.txt': 'not recorded\n' })
    const before = await snapshotFolder(folder, { except: ['owner.json'] })
    await plantLeftovers(folder, state)
    beginAt(Date.now() + 1_000)

    await sandboxes.sweep(known)

    expect(await snapshotFolder(folder, { except: ['owner.json'] })).toEqual(before)
    expectOk(await sandbox.restore(state))
    expect(await readFile(join(sandbox.root, 'work.txt'), 'utf8')).toBe('recorded\n')
  })

  test('leaves what was made when somebody may have taken the folder meanwhile', async () => {
    const { sandboxes, strategy, spec, folder } = await world()
    expectOk(await strategy.open(spec, never))
    const changedAt = async (name: string) => (await lstat(join(folder, name))).ctimeMs
    await writeFiles(folder, { 'owner.json': dead, 'idx/work.lock': '' })
    await eventually(async () => {
      await writeFiles(folder, { 'git/HEAD.lock': '' })
      expect(await changedAt('git/HEAD.lock')).toBeGreaterThan(await changedAt('idx/work.lock'))
    })
    beginAt((await changedAt('git/HEAD.lock')) + CLOCK_STEP_MS)

    await sandboxes.sweep(known)

    expect([await readdir(join(folder, 'idx')), await readdir(join(folder, 'git'))]).toEqual([
      expect.not.arrayContaining(['work.lock']),
      expect.arrayContaining(['HEAD.lock']),
    ])
  })

  test('removes what a process that is gone made under its id, and not what a living one is making', async () => {
    const { sandboxes, stateDir, strategy, spec, folder } = await world()
    expectOk(await strategy.open(spec, never))
    const [gone, here] = [2 ** 22 + 1, process.ppid]
    for (const pid of [gone, here]) {
      await mkdir(join(stateDir, `overlay-probe-${pid}-abc`))
      await mkdir(join(folder, 'databases', `SHOP.${pid}.new`), { recursive: true })
    }
    await writeFiles(folder, { 'owner.json': dead })

    const removed = await sandboxes.sweep(known)

    expect(removed).toEqual([
      join(stateDir, `overlay-probe-${gone}-abc`),
      join(folder, 'databases', `SHOP.${gone}.new`),
    ])
  })

  test('never touches a plan that the store does not know; it is listed', async () => {
    const { sandboxes, strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(sandbox.root, { 'work.txt': 'work\n' })
    await plantLeftovers(folder, await checkpoint(sandbox))
    const before = await snapshotFolder(folder)

    expect(await sandboxes.sweep(() => false)).toEqual([])

    expect(await snapshotFolder(folder)).toEqual(before)
    expect(await sandboxes.listUnknown(() => false)).toEqual([folder])
    expect(await sandboxes.listUnknown(known)).toEqual([])
  })

  test('finishes the removal of a working folder whose plan has ended', async () => {
    const { sandboxes, strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(folder, { released: '', 'owner.json': dead })

    expect(await sandboxes.sweep(known)).toEqual([dirname(sandbox.root)])

    expect(expectOk(await strategy.open(spec, never)).baseline).toBe(sandbox.baseline)
  })
})

describe('a lock', () => {
  test('of a living process is not touched, and the answer names the process', async () => {
    const { strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(folder, { 'idx/work.lock': '', 'owner.json': JSON.stringify(identify(process.ppid)) })

    const refused = await sandbox.checkpoint('work', 'unknown')

    expect(refused).toMatchObject({
      ok: false,
      failure: { code: 'transient', message: expect.stringContaining(`Process ${process.ppid} is writing`) },
    })
    expect(await readdir(join(folder, 'idx'))).toContain('work.lock')
  })

  test('of a git that was killed under this very process holds nothing up', async () => {
    const { strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await checkpoint(sandbox)
    await writeFiles(folder, { 'idx/work.lock': '' })

    expect(await sandbox.checkpoint('work', 'unknown')).toEqual({ ok: true, value: sandbox.baseline })
  })
})

describe('a folder that somebody deleted', () => {
  test('is named, records nothing, and comes back from any state', async () => {
    const { strategy, spec } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(sandbox.root, { 'work.txt': 'work\n' })
    const state = await checkpoint(sandbox)
    const there = await bytes(sandbox.root)
    await rm(sandbox.root, { recursive: true })

    const again = expectOk(await strategy.open(spec, never))
    const answers = [
      await again.enter(),
      await again.checkpoint('gone', 'unknown'),
      await again.drift(state, []),
    ]

    for (const answer of answers)
      expect(answer).toMatchObject({
        ok: false,
        failure: { code: 'sandbox_failed', facts: { missing: sandbox.root } },
      })
    expect(expectOk(await again.changes(sandbox.baseline, state)).files.map(file => file.path)).toEqual([
      'work.txt',
    ])
    expectOk(await again.restore(state))
    expect(await bytes(sandbox.root)).toEqual(there)
    expect(await checkpoint(again)).toBe(state)
  })

  test('or its store: the other is left as it is, with what to do', async () => {
    const { strategy, spec, folder } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    await writeFiles(sandbox.root, { 'work.txt': 'work\n' })
    await checkpoint(sandbox)
    await rename(join(folder, 'git'), join(folder, 'elsewhere'))
    const withoutStore = await strategy.open(spec, never)
    await rename(join(folder, 'elsewhere'), join(folder, 'git'))
    await writeFile(join(folder, 'sandbox.json'), '{"version":')
    const withoutRecord = await strategy.open(spec, never)

    for (const refused of [withoutStore, withoutRecord])
      expect(refused).toMatchObject({
        ok: false,
        failure: { message: expect.stringContaining('left as it is') },
      })
    expect(await readFile(join(sandbox.root, 'work.txt'), 'utf8')).toBe('work\n')
  })
})

describe('a process killed at any moment', () => {
  test('of making a sandbox leaves what the next use replaces', async () => {
    const { repository, child, strategy, spec } = await world()
    const total = await countChanges(child, { do: 'open' })
    await strategy.discard(planId)

    for (const dieAfter of samples(total)) {
      const killed = await startSandboxProcess(child)
      expect(await killed.perform({ do: 'open' }, dieAfter)).toBeNull()
      const sandbox = expectOk(await strategy.open(spec, never))
      expect(await bytes(sandbox.root)).toEqual(await bytes(repository.root))
      expect(await checkpoint(sandbox)).toBe(sandbox.baseline)
      await strategy.discard(planId)
    }
  })

  test('of making the sandbox of a child leaves the parent as it is, and what the next use replaces', async () => {
    const { child, strategy, spec } = await world()
    const parent = expectOk(await strategy.open(spec, never))
    await writeFiles(parent.root, { 'src/one.txt': 'parent\n', 'new.txt': 'parent\n' })
    const state = await checkpoint(parent)
    const startsFrom = { planId, state }
    const ofChild = { ...child, spec: { ...spec, planId: otherPlanId, startsFrom } }
    const before = await snapshotFolder(parent.root)
    const total = await countChanges(ofChild, { do: 'open' })
    await strategy.discard(otherPlanId)

    for (const dieAfter of samples(total)) {
      const killed = await startSandboxProcess(ofChild)
      expect(await killed.perform({ do: 'open' }, dieAfter)).toBeNull()
      const sandbox = expectOk(await strategy.open(ofChild.spec, never))
      expect(await bytes(sandbox.root)).toEqual(await bytes(parent.root))
      expect(await checkpoint(sandbox)).toBe(sandbox.baseline)
      await strategy.discard(otherPlanId)
    }
    expect(await snapshotFolder(parent.root)).toEqual(before)
    expect(await checkpoint(parent)).toBe(state)
  })

  test('of a merge leaves a sandbox that goes back to before it, and merges when it is asked again', async () => {
    const { child, strategy, spec } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    const startsFrom = { planId, state: sandbox.baseline }
    const other = expectOk(await strategy.open({ ...spec, planId: otherPlanId, startsFrom }, never))
    await writeFiles(other.root, { 'src/one.txt': 'child\n', 'new/a.txt': 'child\n' })
    await rm(join(other.root, 'readme.md'))
    const source = { planId: otherPlanId, from: other.baseline, to: await checkpoint(other) }
    await writeFiles(sandbox.root, { 'src/two.txt': 'here\n' })
    const first = await checkpoint(sandbox)
    const there = await filesIn(sandbox.root)
    const total = await countChanges(child, { do: 'merge', source })
    const merged = await filesIn(sandbox.root)

    for (const dieAfter of samples(total)) {
      expectOk(await sandbox.restore(first))
      const killed = await startSandboxProcess(child)
      await killed.perform({ do: 'open' })
      expect(await killed.perform({ do: 'merge', source }, dieAfter)).toBeNull()
      const next = expectOk(await strategy.open(spec, never))
      expectOk(await next.restore(first))
      expect(await filesIn(sandbox.root)).toEqual(there)
      expect(await next.merge(source, never)).toMatchObject({ value: { outcome: 'merged' } })
      expect(await filesIn(sandbox.root)).toEqual(merged)
    }
  })

  test('of a checkpoint or a restore leaves every earlier state and a sandbox that goes on', async () => {
    const { child, strategy, spec } = await world()
    const sandbox = expectOk(await strategy.open(spec, never))
    const edit = async (text: string) => {
      await writeFiles(sandbox.root, { 'src/one.txt': text, [`new/${text}.txt`]: text, 'a.txt': text })
    }
    await edit('first')
    const first = await checkpoint(sandbox)
    const there = await bytes(sandbox.root)
    await edit('second')
    const steps: ChildStep[] = [
      { do: 'checkpoint', label: 'cut', written: 'unknown' },
      { do: 'checkpoint', label: 'cut', written: ['src/one.txt', 'a.txt'] as never },
      { do: 'restore', state: sandbox.baseline },
    ]
    for (const step of steps) {
      const total = await countChanges(child, step)
      for (const dieAfter of samples(total)) {
        await edit(`again ${step.do} ${dieAfter}`)
        const killed = await startSandboxProcess(child)
        await killed.perform({ do: 'open' })
        await killed.perform(step, dieAfter)
        await killed.kill()
        const next = expectOk(await strategy.open(spec, never))
        expectOk(await next.restore(first))
        expect(await bytes(sandbox.root)).toEqual(there)
        expectOk(await next.checkpoint('goes on', 'unknown'))
      }
    }
  })
})

test('folders that a program protected from writing are restored and removed', async () => {
  const { repository, child, folder } = await world()
  const uid = 65_534
  await giveTo(uid, dirname(repository.root))
  await giveTo(uid, child.stateDir)
  const worker = await startSandboxProcess(child, process.getuid?.() === 0 ? { uid } : {})
  const opened = await worker.perform({ do: 'open' })
  if (opened === null) throw new Error('it did not open')
  const { root, baseline } = opened.answer as { root: string; baseline: SandboxState }
  await writeFiles(root, { 'cache/deep/file.txt': 'cached\n', 'src/one.txt': 'changed\n' })
  await giveTo(uid, root)
  for (const name of ['cache/deep', 'cache', 'src']) await chmod(join(root, name), 0o555)
  await worker.perform({ do: 'checkpoint', label: 'work', written: 'unknown' })

  const restored = await worker.perform({ do: 'restore', state: baseline })

  expect(restored?.answer).toEqual({
    ok: true,
    value: { restored: ['src/one.txt'], removed: ['cache/deep/file.txt'] },
  })
  expect(await bytes(root)).toEqual(await bytes(repository.root))
  await writeFiles(root, { 'cache/deep/file.txt': 'cached\n' })
  await giveTo(uid, root)
  for (const name of ['cache/deep', 'cache']) await chmod(join(root, name), 0o555)
  expect(await worker.perform({ do: 'discard' })).toMatchObject({ answer: null })
  expect(await readdir(dirname(folder))).toEqual([])
})

/** Without folders: an empty one is no part of any state. */
async function filesIn(root: string): Promise<Record<string, string>> {
  const found = Object.entries(await bytes(root))
  return Object.fromEntries(found.filter(([, entry]) => entry !== 'folder'))
}

/** A few in every run, all of them in a long one. */
function samples(total: number): number[] {
  const step = process.env['LONG'] === '1' ? 1 : Math.max(1, Math.ceil(total / 2))
  return Array.from({ length: total }, (_, index) => index).filter(index => index % step === 0)
}

async function countChanges(
  child: Parameters<typeof startSandboxProcess>[0],
  step: ChildStep,
): Promise<number> {
  const whole = await startSandboxProcess(child)
  if (step.do !== 'open') await whole.perform({ do: 'open' })
  const performed = await whole.perform(step)
  await whole.kill()
  return performed?.changes ?? 0
}

async function plantLeftovers(folder: string, state: SandboxState): Promise<void> {
  await writeFiles(folder, {
    'owner.json': dead,
    'owner.json.99': dead,
    'sandbox.json.new': '{',
    'idx/work.lock': '',
    'idx/scratch/left/index': '',
    'staging/0.new': '',
    'git/packed-refs.lock': '',
    'git/refs/plans/checkpoints/latest.lock': '',
    'git/refs/plans/baseline/latest.lock': '',
    [`git/objects/${state.slice(0, 2)}/tmp_obj_x`]: 'half',
  })
}
