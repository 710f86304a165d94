import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../../src/domain/sandbox/strategy.ts'
import { openFileInside } from '../../../src/infrastructure/files/open-inside.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { overlayIsPossible, overlayStrategy } from '../../support/overlay.ts'
import { isAlive } from '../../support/processes.ts'
import { makePlainFolder, makeRepository, type TestRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, applyAll, checkpoint, never, planId } from '../../support/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'

const path = (text: string) => expectOk(parseRelPath(text))

async function entered(projectRoot: string): Promise<Sandbox> {
  const strategy = await overlayStrategy()
  const sandbox = expectOk(await strategy.open({ planId, projectRoot }, never))
  expectOk(await sandbox.enter())
  return sandbox
}

/** Runs a command where the plan's commands run, and gives back what it printed. */
async function command(sandbox: Sandbox, line: string): Promise<string> {
  const entry = expectOk(await sandbox.enter())
  if (!entry) throw new Error('an overlay is entered')
  const [program = '', ...args] = [...entry.prefix, '/bin/sh', '-c', `cd "$0" && ${line}`, entry.root]
  return execFileSync(program, args, { encoding: 'utf8' })
}

/** The process that holds the mount. */
async function holderOf(stateDir: string): Promise<number> {
  const { pid } = JSON.parse(await readFile(join(stateDir, 'plans', planId, 'holder.json'), 'utf8'))
  return pid
}

async function changed(sandbox: Sandbox): Promise<string[]> {
  const state = await checkpoint(sandbox)
  const { files } = expectOk(await sandbox.changes(sandbox.baseline, state))
  return files.map(file => `${file.status} ${file.path}`)
}

async function withFolders(): Promise<TestRepository> {
  return makeRepository({
    files: {
      '.gitignore': 'node_modules\n*.log\n',
      'a.txt': 'a\n',
      'd/one.txt': 'one\n',
      'd/deep/two.txt': 'two\n',
      'e/three.txt': 'three\n',
    },
  })
}

describe.runIf(overlayIsPossible)('a sandbox over the project', () => {
  test('knows a folder that was emptied and made anew from one in which a file was changed', async () => {
    const sandbox = await entered((await withFolders()).root)
    await rm(join(sandbox.root, 'd'), { recursive: true })
    await mkdir(join(sandbox.root, 'd'))
    await writeFile(join(sandbox.root, 'd/new.txt'), 'new\n')
    await writeFile(join(sandbox.root, 'e/three.txt'), 'changed\n')

    expect(await changed(sandbox)).toEqual([
      'deleted d/deep/two.txt',
      'added d/new.txt',
      'deleted d/one.txt',
      'modified e/three.txt',
    ])
    expectOk(await sandbox.restore(sandbox.baseline))
    expect(await changed(sandbox)).toEqual([])
    expect(await readFile(join(sandbox.root, 'd/deep/two.txt'), 'utf8')).toBe('two\n')
  })

  test('follows a file that becomes a folder and back, and links, modes and hard links', async () => {
    const sandbox = await entered((await withFolders()).root)
    const at = (name: string) => join(sandbox.root, name)
    await rm(at('a.txt'))
    await mkdir(at('a.txt'))
    await writeFile(at('a.txt/inside'), 'inside\n')
    await rm(at('e'), { recursive: true })
    await symlink('d', at('e'))
    await link(at('d/one.txt'), at('d/same.txt'))
    const there = await snapshotFolder(sandbox.root, { times: 'ignored' })
    const state = await checkpoint(sandbox)

    expectOk(await sandbox.restore(sandbox.baseline))
    expect(await readFile(at('a.txt'), 'utf8')).toBe('a\n')
    expect(lstatSync(at('e')).isDirectory()).toBe(true)
    expectOk(await sandbox.restore(state))

    expect(await snapshotFolder(sandbox.root, { times: 'ignored' })).toEqual(there)
  })

  test('takes names that are bytes, and applies them', async () => {
    const repository = await withFolders()
    const sandbox = await entered(repository.root)
    const name = Buffer.from([0x6e, 0xff, 0x0a, 0x22, 0x2a])
    await writeFile(Buffer.concat([Buffer.from(`${sandbox.root}/d/`), name]), 'odd\n')

    const report = await applyAll(sandbox)

    expect(report).toMatchObject({ outcome: 'applied' })
    const names = await readdir(join(repository.root, 'd'), { encoding: 'buffer' })
    expect(names.some(each => each.equals(name))).toBe(true)
  })

  test('shows what the user changes meanwhile, and never takes it for the work of the plan', async () => {
    const repository = await withFolders()
    const sandbox = await entered(repository.root)
    await writeFile(join(sandbox.root, 'd/one.txt'), 'plan\n')
    await writeFile(join(repository.root, 'a.txt'), 'user\n')
    await writeFile(join(repository.root, 'mine.txt'), 'user\n')
    await rm(join(repository.root, 'e/three.txt'))

    expect(await readFile(join(sandbox.root, 'mine.txt'), 'utf8')).toBe('user\n')
    expect(await changed(sandbox)).toEqual(['modified d/one.txt'])
    const report = await applyAll(sandbox)
    expect(report).toMatchObject({ outcome: 'applied', written: ['d/one.txt'] })
    expect(await readFile(join(repository.root, 'a.txt'), 'utf8')).toBe('user\n')
    expect(await readdir(join(repository.root, 'e'))).toEqual([])
  })

  test('returns to a state in places that the user changed or emptied meanwhile', async () => {
    const repository = await withFolders()
    const sandbox = await entered(repository.root)
    await rm(join(sandbox.root, 'a.txt'))
    await writeFile(join(sandbox.root, 'e/three.txt'), 'plan\n')
    const state = await checkpoint(sandbox)
    expectOk(await sandbox.restore(sandbox.baseline))
    await rm(join(repository.root, 'a.txt'))
    await writeFile(join(repository.root, 'e/three.txt'), 'user\n')

    expectOk(await sandbox.restore(state))

    expect(await changed(sandbox)).toEqual(['deleted a.txt', 'modified e/three.txt'])
    expect(await readFile(join(sandbox.root, 'e/three.txt'), 'utf8')).toBe('plan\n')
  })

  test('records that the plan removed what it had brought back and the project no longer has', async () => {
    const { root } = await withFolders()
    const sandbox = await entered(root)
    await rm(join(sandbox.root, 'd'), { recursive: true })
    await rm(join(sandbox.root, 'e/three.txt'))
    await applyAll(sandbox)
    await mkdir(join(root, 'e'))
    await writeFile(join(root, 'e/mine.txt'), 'mine\n')
    expectOk(await sandbox.restore(sandbox.baseline))

    await rm(join(sandbox.root, 'd'), { recursive: true })
    await rm(join(sandbox.root, 'e/three.txt'))

    expect(await changed(sandbox)).toEqual([
      'deleted d/deep/two.txt',
      'deleted d/one.txt',
      'deleted e/three.txt',
    ])
    expect((await readdir(sandbox.root)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'e'])
  })

  test('replaces a folder that an apply has removed from the project and a restore has brought back', async () => {
    const sandbox = await entered((await withFolders()).root)
    const folder = join(sandbox.root, 'e')
    await rm(join(folder, 'three.txt'))
    await applyAll(sandbox)
    for (const _turn of [1, 2]) {
      expectOk(await sandbox.restore(sandbox.baseline))
      await rm(join(folder, 'three.txt'))
      await checkpoint(sandbox)
    }
    expectOk(await sandbox.restore(sandbox.baseline))

    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file\n')

    expect(await changed(sandbox)).toEqual(['added e', 'deleted e/three.txt'])
  })

  test('does not take for the plan’s what a file in place of a folder hid, when the file goes', async () => {
    const sandbox = await entered((await withFolders()).root)
    await rm(join(sandbox.root, 'd'), { recursive: true })
    await applyAll(sandbox)
    await writeFile(join(sandbox.root, 'd'), 'file\n')
    await checkpoint(sandbox)

    await rm(join(sandbox.root, 'd'))
    await mkdir(join(sandbox.root, 'd'))
    await writeFile(join(sandbox.root, 'd/new.txt'), 'new\n')

    expect(await changed(sandbox)).toEqual(['deleted d/deep/two.txt', 'added d/new.txt', 'deleted d/one.txt'])
  })

  test('has dependencies at once, and keeps what the plan changes in them to itself', async () => {
    const repository = await withFolders()
    await repository.write({ 'node_modules/dep/index.js': 'old\n', '.env': 'secret\n' })
    const sandbox = await entered(repository.root)
    await writeFile(join(sandbox.root, 'node_modules/dep/index.js'), 'patched\n')
    await writeFile(join(sandbox.root, 'out.log'), 'log\n')
    await writeFile(join(sandbox.root, 'b.txt'), 'b\n')

    expect(await changed(sandbox)).toEqual(['added b.txt'])
    const about = { scope: { kind: 'all' } as const, since: '2026-01-01T00:00:00Z' }
    const preview = expectOk(await sandbox.previewRestore(sandbox.baseline, about))
    expect(preview.leftAlone.map(each => each.path)).toEqual(['node_modules', 'out.log'])
    await applyAll(sandbox)
    expect(await readFile(join(repository.root, 'node_modules/dep/index.js'), 'utf8')).toBe('old\n')
    expect(await readdir(repository.root)).not.toContain('out.log')
  })

  test('gives commands the project at its own path, with a repository that is a throw-away', async () => {
    const repository = await withFolders()
    await symlink(join(repository.root, 'a.txt'), join(repository.root, 'absolute'))
    const before = await snapshotFolder(repository.root, { except: [] })
    const sandbox = await entered(repository.root)

    await command(
      sandbox,
      'echo more >> absolute && git add -A && git -c user.name=A -c user.email=a@b commit -qm X',
    )

    expect(await command(sandbox, 'cat a.txt && git log --format=%s -1')).toBe('a\nmore\nX\n')
    expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
    expect(await changed(sandbox)).toContain('modified a.txt')
  })

  test('lets no tool through a link to the same place outside', async () => {
    const repository = await withFolders()
    const sandbox = await entered(repository.root)
    await rm(join(sandbox.root, 'd'), { recursive: true })
    await symlink(join(repository.root, 'd'), join(sandbox.root, 'd'))

    expect(openFileInside(sandbox.root, path('d/one.txt'))).toMatchObject({ ok: false })
  })

  test('lies over a folder whose name the mount could take for an option', async () => {
    const repository = await makeRepository({ name: 'a,b:c=\\d "e" \u00e4', files: { 'a.txt': 'a\n' } })
    const sandbox = await entered(repository.root)
    await writeFile(join(sandbox.root, 'a.txt'), 'plan\n')

    expect(await command(sandbox, 'cat a.txt')).toBe('plan\n')
    expect(await changed(sandbox)).toEqual(['modified a.txt'])
  })

  test('leaves out repositories inside, and takes back the mark of a file that a kill left half in place', async () => {
    const repository = await withFolders()
    const sandbox = await entered(repository.root)
    await command(
      sandbox,
      'git init -q inner && touch inner/x && touch .agents-123-4.new && touch d/.agents-9-9.old',
    )

    expect(await changed(sandbox)).toEqual([])
  })

  test('works in a folder that is no repository', async () => {
    const root = await makePlainFolder({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
    const sandbox = await entered(root)
    await rename(join(sandbox.root, 'a.txt'), join(sandbox.root, 'd/c.txt'))

    expect(await changed(sandbox)).toEqual(['renamed d/c.txt'])
    await applyAll(sandbox)
    expect(await readdir(join(root, 'd'))).toEqual(['b.txt', 'c.txt'])
  })

  test('looks at recorded states without a mount, and ends it when it is closed', async () => {
    const repository = await withFolders()
    const strategy = await overlayStrategy()
    const spec = { planId, projectRoot: repository.root }
    const sandbox = expectOk(await strategy.open(spec, never))
    await expect(stat(sandbox.root)).rejects.toMatchObject({ code: 'ENOENT' })
    expectOk(await sandbox.enter())
    await writeFile(join(sandbox.root, 'a.txt'), 'plan\n')
    const state = await checkpoint(sandbox)
    const pid = await holderOf(strategy.stateDir)

    await sandbox.close()
    expect(isAlive(pid)).toBe(false)
    const again = expectOk(await strategy.open(spec, never))
    expect(expectOk(await again.changes(again.baseline, state)).files).toHaveLength(1)
    await expect(stat(again.root)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(expectOk(await again.apply(all(again, state), never))).toMatchObject({ written: ['a.txt'] })
  })

  test('is mounted anew over the same work when the process that held it was killed', async () => {
    const repository = await withFolders()
    const strategy = await overlayStrategy()
    const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
    expectOk(await sandbox.enter())
    await writeFile(join(sandbox.root, 'a.txt'), 'plan\n')
    const pid = await holderOf(strategy.stateDir)
    process.kill(pid, 'SIGKILL')
    await waitFor(() => !existsSync(sandbox.root))

    expectOk(await sandbox.enter())

    expect(await readFile(join(sandbox.root, 'a.txt'), 'utf8')).toBe('plan\n')
    expect(await changed(sandbox)).toEqual(['modified a.txt'])
  })

  test('removes all of it and nothing of the project when the plan is discarded', async () => {
    const repository = await withFolders()
    const strategy = await overlayStrategy()
    const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
    expectOk(await sandbox.enter())
    await rm(join(sandbox.root, 'd'), { recursive: true })
    const before = await snapshotFolder(repository.root, { except: [] })
    await sandbox.close()

    await strategy.discard(planId)

    expect(await readdir(join(strategy.stateDir, 'plans'))).toEqual([])
    expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
  })
})
