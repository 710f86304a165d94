import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRelPath, type RelPath } from '../../src/domain/sandbox/rel-path.ts'
import type {
  DriftedPath,
  Sandbox,
  SandboxState,
  SandboxStrategy,
} from '../../src/domain/sandbox/strategy.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { writeFiles } from '../support/repository.ts'
import { expectOk } from '../support/result.ts'
import { never, planId } from '../support/sandbox.ts'

interface RestoreSubject {
  readonly strategy: SandboxStrategy
  /** With the files of the contract in it. */
  readonly projectRoot: string
}

function path(text: string): RelPath {
  return expectOk(parseRelPath(text))
}

/** Going back exactly, saying so beforehand, and telling the plan's work from somebody else's. */
export function describeRestoreContract(name: string, makeSubject: () => Promise<RestoreSubject>): void {
  const openOne = async () => {
    const subject = await makeSubject()
    const sandbox = expectOk(await subject.strategy.open({ planId, projectRoot: subject.projectRoot }, never))
    expectOk(await sandbox.enter())
    return { ...subject, sandbox }
  }
  const all = { scope: { kind: 'all' } as const, since: '2026-01-01T00:00:00Z' }

  describe(`${name} shows what a restore would do`, () => {
    test('names each path with what happens to it, writes nothing, and the restore does just that', async () => {
      const { sandbox } = await openOne()
      await writeFiles(sandbox.root, { 'src/one.txt': 'changed\n', 'deep/er/new.txt': 'new\n' })
      await rm(join(sandbox.root, 'logo.bin'))
      await chmod(join(sandbox.root, 'readme.md'), 0o755)
      expectOk(await sandbox.checkpoint('work', 'unknown'))
      const before = await snapshotFolder(sandbox.root)

      const preview = expectOk(await sandbox.previewRestore(sandbox.baseline, all))
      const untouched = await snapshotFolder(sandbox.root)
      const report = expectOk(await sandbox.restore(sandbox.baseline))

      expect(untouched).toEqual(before)
      expect(preview.restored).toEqual([
        { path: 'deep/er/new.txt', how: 'removed' },
        { path: 'logo.bin', how: 'brought_back' },
        { path: 'readme.md', how: 'rewritten' },
        { path: 'src/one.txt', how: 'rewritten' },
      ])
      expect(report).toEqual({
        restored: ['logo.bin', 'readme.md', 'src/one.txt'],
        removed: ['deep/er/new.txt'],
      })
      expect(expectOk(await sandbox.previewRestore(sandbox.baseline, all)).restored).toEqual([])
    })

    test('of an unknown state is refused', async () => {
      const { sandbox } = await openOne()
      const state = '0123456789012345678901234567890123456789' as SandboxState

      const refused = await sandbox.previewRestore(state, all)

      expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found' } })
    })

    test('paths outside of its scope keep what they have, and do not count as recorded', async () => {
      const { sandbox } = await openOne()
      await writeFiles(sandbox.root, { 'src/one.txt': 'plan\n', 'made/new.txt': 'plan\n' })
      expectOk(await sandbox.checkpoint('work', 'unknown'))
      await writeFiles(sandbox.root, { 'mine.txt': 'mine\n', 'src/two.txt': 'mine\n' })
      const scope = { kind: 'except' as const, paths: [path('mine.txt'), path('src/two.txt')] }

      const preview = expectOk(await sandbox.previewRestore(sandbox.baseline, { ...all, scope }))
      const report = expectOk(await sandbox.restore(sandbox.baseline, scope))

      expect(preview.restored.map(each => each.path)).toEqual(['made/new.txt', 'src/one.txt'])
      expect(report).toEqual({ restored: ['src/one.txt'], removed: ['made/new.txt'] })
      expect(await readFile(join(sandbox.root, 'src/two.txt'), 'utf8')).toBe('mine\n')
      expect(await drifted(sandbox, sandbox.baseline)).toEqual(['added mine.txt', 'changed src/two.txt'])
      await writeFiles(sandbox.root, { 'src/one.txt': 'again\n' })
      const named = expectOk(await sandbox.checkpoint('named', [path('src/one.txt')]))
      const files = expectOk(await sandbox.changes(sandbox.baseline, named)).files
      expect(files.map(file => file.path)).toEqual(['src/one.txt'])
    })

    test('only the paths of its scope are restored', async () => {
      const { sandbox } = await openOne()
      await writeFiles(sandbox.root, { 'src/one.txt': 'plan\n', 'mine.txt': 'mine\n' })
      const scope = { kind: 'only' as const, paths: [path('mine.txt')] }

      const report = expectOk(await sandbox.restore(sandbox.baseline, scope))

      expect(report).toEqual({ restored: [], removed: ['mine.txt'] })
      expect(await readFile(join(sandbox.root, 'src/one.txt'), 'utf8')).toBe('plan\n')
      expect(await drifted(sandbox, sandbox.baseline)).toEqual(['changed src/one.txt'])
    })
  })

  describe(`${name} records what was named`, () => {
    test('and nothing else, also when it was just opened and after a restore', async () => {
      const { strategy, projectRoot, sandbox } = await openOne()
      await writeFiles(sandbox.root, { 'src/one.txt': 'plan\n' })
      const first = expectOk(await sandbox.checkpoint('first', [path('src/one.txt')]))
      await writeFiles(sandbox.root, { 'src/two.txt': 'plan\n' })
      expectOk(await sandbox.checkpoint('second', [path('src/two.txt')]))
      expectOk(await sandbox.restore(first))
      await sandbox.close()
      const again = expectOk(await strategy.open({ planId, projectRoot }, never))
      expectOk(await again.enter())
      await writeFiles(again.root, { 'mine.txt': 'mine\n', 'made/folder/plan.txt': 'plan\n' })

      const third = expectOk(await again.checkpoint('third', [path('made/folder/plan.txt')]))

      const files = expectOk(await again.changes(again.baseline, third)).files
      expect(files.map(file => file.path)).toEqual(['made/folder/plan.txt', 'src/one.txt'])
    })
  })

  describe(`${name} finds drift`, () => {
    test('by content, mode and absence, whatever the times say', async () => {
      const { sandbox } = await openOne()
      expect(await drifted(sandbox, sandbox.baseline)).toEqual([])
      const same = await readFile(join(sandbox.root, 'readme.md'))
      await writeFile(join(sandbox.root, 'readme.md'), same)
      await writeFiles(sandbox.root, { 'by/hand.txt': 'new\n', 'src/two.txt': 'another\n' })
      await chmod(join(sandbox.root, 'src/one.txt'), 0o755)
      await rm(join(sandbox.root, 'logo.bin'))

      const found = expectOk(await sandbox.drift(sandbox.baseline, []))

      expect(found.map(shown)).toEqual([
        'added by/hand.txt',
        'removed logo.bin',
        'changed src/one.txt',
        'changed src/two.txt',
      ])
      expect(found.map(each => each.content === null)).toEqual([false, true, false, false])
    })

    test('and what the plan wrote since is none, unless it was put back to an older content', async () => {
      const { sandbox } = await openOne()
      const old = await readFile(join(sandbox.root, 'src/one.txt'))
      await writeFiles(sandbox.root, { 'src/one.txt': 'plan\n', 'new.txt': 'plan\n' })
      const written = [path('src/one.txt'), path('new.txt')]
      expect(await drifted(sandbox, sandbox.baseline, written)).toEqual([])
      const state = expectOk(await sandbox.checkpoint('work', written))
      expect(await drifted(sandbox, state)).toEqual([])

      await writeFile(join(sandbox.root, 'src/one.txt'), old)
      await rm(join(sandbox.root, 'new.txt'))

      expect(await drifted(sandbox, state)).toEqual(['removed new.txt', 'changed src/one.txt'])
    })
  })
}

async function drifted(sandbox: Sandbox, recorded: SandboxState, written: readonly RelPath[] = []) {
  return expectOk(await sandbox.drift(recorded, written)).map(shown)
}

function shown({ how, path: name }: DriftedPath): string {
  return `${how} ${name}`
}
