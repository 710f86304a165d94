import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createSandboxes } from '../../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../../src/infrastructure/system/host.ts'
import { overlayIsPossible } from '../../support/overlay.ts'
import { isAlive } from '../../support/processes.ts'
import { userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const child = resolve(import.meta.dirname, '../../support/fixtures/overlay-child.ts')
const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const NOBODY = 65534

/** A folder with a project in it that belongs to somebody. */
async function projectOf(uid: number): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'project/d'), { recursive: true })
  await writeFile(join(folder, 'project/a.txt'), 'a\n')
  await writeFile(join(folder, 'project/d/old.txt'), 'old\n')
  await chmod(folder, 0o755)
  for (const name of ['', 'project', 'project/d', 'project/a.txt', 'project/d/old.txt'])
    if (isRoot) await chown(join(folder, name), uid, uid)
  return folder
}

async function asNobody(folder: string): Promise<unknown> {
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
  const { stdout } = await run('setpriv', [...user, process.execPath, child, folder, 'work'])
  return JSON.parse(stdout)
}

describe.runIf(overlayIsPossible)('an overlay', () => {
  test.runIf(isRoot)('can be had by an ordinary user, in a namespace of their own', async () => {
    const folder = await projectOf(NOBODY)

    const answer = await asNobody(folder)

    expect(answer).toEqual({
      unavailable: null,
      uid: NOBODY,
      changes: ['modified a.txt', 'added d/new.txt', 'deleted d/old.txt'],
      outcome: 'applied',
    })
    expect(await readFile(join(folder, 'project/a.txt'), 'utf8')).toBe('a\nmore\n')
    expect(await readdir(join(folder, 'state/plans'))).toEqual([])
  })

  test.runIf(isRoot)('is refused to them where a file is not theirs, with the next best', async () => {
    const folder = await projectOf(NOBODY)
    await writeFile(join(folder, 'project/foreign.txt'), 'of root\n')

    expect(await asNobody(folder)).toEqual({
      unavailable: {
        reason: `${join(folder, 'project/foreign.txt')} belongs to another user or group, so the plan could not change it in an overlay. Give it to yourself, or use a copy.`,
        nextBest: 'filesystem_copy',
      },
    })
  })

  test('leaves no process and no mount behind when the program is killed, and its work is still there', async () => {
    const folder = await projectOf(0)
    const program = spawn(process.execPath, [child, folder, 'hold'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(program.stdout, 'data')
    const { pid } = JSON.parse(String(line))
    expect(isAlive(pid)).toBe(true)

    program.kill('SIGKILL')
    await once(program, 'exit')
    await waitFor(() => !isAlive(pid))

    const stateDir = join(folder, 'state')
    const host = createHost({ pid: process.pid, dataDir: stateDir })
    const sandboxes = createSandboxes({ stateDir, environment: userEnvironment(), host })
    const strategy = expectOk(sandboxes.strategy('overlay'))
    const sandbox = expectOk(await strategy.open({ planId, projectRoot: join(folder, 'project') }, never))
    const { files } = expectOk(await sandbox.changes(sandbox.baseline, await checkpoint(sandbox)))
    await sandbox.close()
    expect(files.map(file => file.path)).toEqual(['a.txt'])
    expect(await readFile(join(folder, 'project/a.txt'), 'utf8')).toBe('a\n')
  })

  test('is refused where it would lie over itself, and where the project is missing', async () => {
    const folder = await projectOf(0)
    const stateDir = join(folder, 'project/state')
    await mkdir(stateDir)
    const host = createHost({ pid: process.pid, dataDir: stateDir })
    const sandboxes = createSandboxes({ stateDir, environment: userEnvironment(), host })
    const strategy = expectOk(sandboxes.strategy('overlay'))
    const ask = (projectRoot: string) => strategy.unavailable({ planId, projectRoot }, never)

    expect((await ask(join(folder, 'project')))?.reason).toContain('cannot be laid over itself')
    expect(await ask(join(folder, 'nothing'))).toMatchObject({ nextBest: null })
    const opened = await strategy.open({ planId, projectRoot: join(folder, 'project') }, never)
    expect(opened).toMatchObject({ ok: false, failure: { code: 'not_available' } })
  })
})
