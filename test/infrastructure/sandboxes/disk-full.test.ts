import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SandboxState, SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { bytes } from '../../support/contract-files.ts'
import { makeRepository, userEnvironment, writeFiles } from '../../support/repository.ts'
import { planId } from '../../support/sandbox.ts'
import { type SandboxProcess, startSandboxProcess } from '../../support/sandbox-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Runs a program over a small file system of its own, which nobody else sees and which goes with it. */
const privately = process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '-Urm']
const canMount =
  spawnSync(privately[0] ?? '', [...privately.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

const strategies: readonly SandboxStrategyName[] = ['git_worktree', 'filesystem_copy']

describe.skipIf(!canMount).each(strategies)('on a disk that is full, %s', strategy => {
  const openOnSmallDisk = async () => {
    const repository = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
    const stateDir = await temporaryFolder()
    const settings = {
      stateDir,
      strategy,
      spec: { planId, projectRoot: repository.root },
      environment: userEnvironment(),
    }
    const mount = `mount -t tmpfs -o size=12m none '${stateDir}' && exec "$@"`
    const worker = await startSandboxProcess(settings, { prefix: [...privately, 'sh', '-c', mount, 'sh'] })
    const opened = await worker.perform({ do: 'open' })
    if (opened === null) throw new Error('the process died')
    const { root, baseline } = opened.answer as { readonly root: string; readonly baseline: SandboxState }
    // The way to the files of another process's own file system.
    const seen = (path: string) => `/proc/${worker.pid}/root${path}`
    return { worker, baseline, root: seen(root), folder: seen(join(stateDir, 'plans', planId)) }
  }

  test('fails a checkpoint in words and keeps every state and every file', async () => {
    const { worker, root, folder } = await openOnSmallDisk()
    await writeFiles(root, { 'a.txt': 'first\n' })
    const first = await record(worker)
    await writeFiles(root, { 'a.txt': noise(200_000), 'new.txt': noise(200_000) })
    const there = await bytes(root)
    const fill = fillDisk(folder)

    const refused = [
      await worker.perform({ do: 'checkpoint', label: 'full', written: 'unknown' }),
      await worker.perform({ do: 'checkpoint', label: 'full', written: ['a.txt', 'new.txt'] as never }),
    ]
    const left = (await readdir(folder, { recursive: true })).filter(name => /tmp_|\.lock$/.test(name))
    rmSync(fill)

    for (const each of refused)
      expect(each).toMatchObject({
        answer: {
          ok: false,
          failure: { code: 'disk_full', message: expect.stringMatching(/disk is full.*try again/) },
        },
      })
    expect(left).toEqual([])
    expect(await bytes(root)).toEqual(there)
    const second = await record(worker)
    expect(await worker.perform({ do: 'restore', state: first })).toMatchObject({ answer: { ok: true } })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('first\n')
    expect(await worker.perform({ do: 'restore', state: second })).toMatchObject({ answer: { ok: true } })
    expect(await bytes(root)).toEqual(there)
  })

  test('restores nothing rather than half, and all of it once there is room', async () => {
    const { worker, root, folder } = await openOnSmallDisk()
    const old = { 'a.txt': noise(400_000), 'b.txt': noise(400_000) }
    await writeFiles(root, old)
    const before = await record(worker)
    await writeFiles(root, { 'a.txt': 'small\n', 'b.txt': 'small\n', 'c.txt': 'small\n' })
    await record(worker)
    const there = await bytes(root)
    const fill = fillDisk(folder)

    const refused = await worker.perform({ do: 'restore', state: before })
    const kept = await bytes(root)
    rmSync(fill)

    expect(refused).toMatchObject({ answer: { ok: false, failure: { code: 'disk_full' } } })
    expect(kept).toEqual(there)
    expect(await worker.perform({ do: 'restore', state: before })).toMatchObject({ answer: { ok: true } })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(old['a.txt'])
  })
})

async function record(worker: SandboxProcess): Promise<SandboxState> {
  const performed = await worker.perform({ do: 'checkpoint', label: 'work', written: 'unknown' })
  expect(performed).toMatchObject({ answer: { ok: true } })
  if (performed === null) throw new Error('the process died')
  return (performed.answer as { readonly value: SandboxState }).value
}

/** Takes all the room there is; the file returned gives it back. */
function fillDisk(folder: string): string {
  const file = join(folder, 'fill')
  const handle = openSync(file, 'w')
  for (const size of [64 * 1024, 4 * 1024]) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size))
    } catch {
      // Full, for pieces of that size.
    }
  }
  closeSync(handle)
  return file
}

/** Text that does not become smaller. */
function noise(length: number): string {
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(33 + (seed % 94))
  }
  return Array.from({ length }, next).join('')
}
