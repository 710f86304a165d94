import { chmod, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRelPath } from '../../src/domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  ReplayedWork,
  Sandbox,
  SandboxState,
  SandboxStrategy,
} from '../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../support/contract-files.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { type FileTree, writeFiles } from '../support/repository.ts'
import { expectOk } from '../support/result.ts'
import { checkpoint } from '../support/sandbox.ts'
import { openAndEnter } from './sandbox.ts'

interface ReplaySubject {
  readonly strategy: SandboxStrategy
  /** With the files of the contract in it. */
  readonly projectRoot: string
}

/** Two pieces of work that begin from the same files, each with one way in which they meet or do not. */
interface Meeting {
  readonly files: FileTree
  kept(root: string): Promise<unknown>
  laid(root: string): Promise<unknown>
}

interface Merging extends Meeting {
  both(root: string): Promise<unknown>
}

const text = (name: string) => lines(30).replaceAll('line', name)

const merging: Readonly<Record<string, Merging>> = {
  'different lines of one file': {
    files: { 'lines.txt': text('lines') },
    kept: root => writeFiles(root, { 'lines.txt': text('lines').replace('lines 1\n', 'kept\n') }),
    laid: root => writeFiles(root, { 'lines.txt': text('lines').replace('lines 30\n', 'laid\n') }),
    both: root =>
      writeFiles(root, {
        'lines.txt': text('lines').replace('lines 1\n', 'kept\n').replace('lines 30\n', 'laid\n'),
      }),
  },
  'different files of one folder, text and bytes, in new folders': {
    files: { 'files/a.txt': 'a\n', 'files/b.bin': Uint8Array.from([0, 1]) },
    kept: root => writeFiles(root, { 'files/new/a.txt': 'kept\n', 'files/a.txt': 'kept\n' }),
    laid: root => writeFiles(root, { 'files/new/b.txt': 'laid\n', 'files/b.bin': Uint8Array.from([0, 255]) }),
    both: root =>
      writeFiles(root, {
        'files/new/a.txt': 'kept\n',
        'files/a.txt': 'kept\n',
        'files/new/b.txt': 'laid\n',
        'files/b.bin': Uint8Array.from([0, 255]),
      }),
  },
  'an edit of a file that has another name now': {
    files: { 'names/one.txt': text('one') },
    kept: root => rename(join(root, 'names/one.txt'), join(root, 'names/first.txt')),
    laid: root => writeFiles(root, { 'names/one.txt': text('one').replace('one 2\n', 'laid\n') }),
    both: async root => {
      await rm(join(root, 'names/one.txt'))
      await writeFiles(root, { 'names/first.txt': text('one').replace('one 2\n', 'laid\n') })
    },
  },
  'a new name for a file that was edited': {
    files: { 'names/two.txt': text('two') },
    kept: root => writeFiles(root, { 'names/two.txt': text('two').replace('two 2\n', 'kept\n') }),
    laid: root => rename(join(root, 'names/two.txt'), join(root, 'second.txt')),
    both: async root => {
      await rm(join(root, 'names/two.txt'))
      await writeFiles(root, { 'second.txt': text('two').replace('two 2\n', 'kept\n') })
    },
  },
  'a mode, and another content': {
    files: { 'mode.txt': 'plain\n' },
    kept: root => chmod(join(root, 'mode.txt'), 0o755),
    laid: root => writeFiles(root, { 'mode.txt': 'laid\n' }),
    both: async root => {
      await writeFiles(root, { 'mode.txt': 'laid\n' })
      await chmod(join(root, 'mode.txt'), 0o755)
    },
  },
  'the same change, the same removal and the same new file': {
    files: { 'same/a.txt': 'a\n', 'same/b.txt': 'b\n', 'same/c.txt': 'c\n' },
    kept: sameOnBothSides,
    laid: sameOnBothSides,
    both: sameOnBothSides,
  },
  'a folder that goes': {
    files: { 'gone/deep/a.txt': 'to go: a\n', 'gone/b.txt': 'to go: b\n' },
    kept: root => rm(join(root, 'gone'), { recursive: true }),
    laid: async () => {},
    both: root => rm(join(root, 'gone'), { recursive: true }),
  },
  'a file that becomes a folder, and a link that leads elsewhere': {
    files: { turned: 'a file\n', link: { link: 'readme.md' } },
    kept: turnToFolder,
    laid: leadElsewhere,
    both: async root => {
      await turnToFolder(root)
      await leadElsewhere(root)
    },
  },
}

async function sameOnBothSides(root: string): Promise<void> {
  await writeFiles(root, { 'same/a.txt': 'same\n', 'same/new.txt': 'new\n' })
  await rm(join(root, 'same/b.txt'))
}

async function turnToFolder(root: string): Promise<void> {
  await rm(join(root, 'turned'))
  await writeFiles(root, { 'turned/inside.txt': 'kept\n' })
}

async function leadElsewhere(root: string): Promise<void> {
  await rm(join(root, 'link'))
  await symlink('logo.bin', join(root, 'link'))
}

interface Conflicting extends Meeting {
  readonly conflict: ApplyConflict
}

const conflicting: Readonly<Record<string, Conflicting>> = {
  'the same lines': {
    files: { 'a.txt': text('a') },
    kept: root => writeFiles(root, { 'a.txt': text('a').replace('a 5\n', 'kept\n') }),
    laid: root => writeFiles(root, { 'a.txt': text('a').replace('a 5\n', 'laid\n') }),
    conflict: at('a.txt', 'content', 'both sides changed the same lines'),
  },
  'bytes that are no text': {
    files: { 'b.bin': Uint8Array.from([0, 1]) },
    kept: root => writeFiles(root, { 'b.bin': Uint8Array.from([0, 2]) }),
    laid: root => writeFiles(root, { 'b.bin': Uint8Array.from([0, 3]) }),
    conflict: at('b.bin', 'binary', 'both sides changed this file, and it is not text'),
  },
  'a change, and the removal of the same file': {
    files: { 'c.txt': text('c') },
    kept: root => writeFiles(root, { 'c.txt': text('c').replace('c 5\n', 'kept\n') }),
    laid: root => rm(join(root, 'c.txt')),
    conflict: at('c.txt', 'modify_delete', 'one side changed this file and the other deleted it'),
  },
  'two new files of one name': {
    files: {},
    kept: root => writeFiles(root, { 'd.txt': 'kept\n' }),
    laid: root => writeFiles(root, { 'd.txt': 'laid\n' }),
    conflict: at('d.txt', 'content', 'both sides changed the same lines'),
  },
  'two new names for one file': {
    files: { 'e.txt': text('e') },
    kept: root => rename(join(root, 'e.txt'), join(root, 'e-kept.txt')),
    laid: root => rename(join(root, 'e.txt'), join(root, 'e-laid.txt')),
    conflict: at('e.txt', 'rename', 'both sides moved this file in ways that do not fit together'),
  },
  'a file, and a folder of the same name': {
    files: {},
    kept: root => writeFiles(root, { f: 'kept\n' }),
    laid: root => writeFiles(root, { 'f/inside.txt': 'laid\n' }),
    conflict: at('f', 'file_directory', 'one side has a file where the other has a folder or a link'),
  },
}

function at(path: string, kind: ApplyConflict['kind'], reason: string): ApplyConflict {
  return { path: expectOk(parseRelPath(path)), kind, reason: `${path}: ${reason}.` }
}

/** Laying what was done between two states on a third, without touching the folder. */
export function describeReplayContract(name: string, makeSubject: () => Promise<ReplaySubject>): void {
  const openOne = async () => {
    const subject = await makeSubject()
    return { ...subject, sandbox: await openAndEnter(subject) }
  }

  describe(`${name} lays work on another state`, () => {
    test('merged, where the two do not meet, whatever kinds of change they are', async () => {
      const { sandbox } = await openOne()
      const start = await beginWith(sandbox, Object.values(merging))
      const onto = await stateOf(sandbox, start, root => doAll(merging, 'kept', root))
      const to = await stateOf(sandbox, start, root => doAll(merging, 'laid', root))
      const wanted = await stateOf(sandbox, start, root => doAll(merging, 'both', root))

      const state = await merged(sandbox, onto, { from: start, to })

      expect(expectOk(await sandbox.changes(wanted, state)).files).toEqual([])
    })

    test('not at all where they do, each path named once with what met there', async () => {
      const { sandbox } = await openOne()
      const start = await beginWith(sandbox, Object.values(conflicting))
      const onto = await stateOf(sandbox, start, root => doAll(conflicting, 'kept', root))
      const to = await stateOf(sandbox, start, async root => {
        await doAll(conflicting, 'laid', root)
        await writeFiles(root, { 'fine.txt': 'laid\n' })
      })

      const report = expectOk(await sandbox.replay(onto, { from: start, to }))

      if (report.outcome === 'merged') throw new Error('expected conflicts')
      const byPath = (one: ApplyConflict, other: ApplyConflict) => (one.path < other.path ? -1 : 1)
      expect([...report.conflicts].sort(byPath)).toEqual(
        Object.values(conflicting).map(each => each.conflict),
      )
    })

    test('and neither the folder nor what comes next in it is any other than before', async () => {
      const { sandbox } = await openOne()
      await writeFiles(sandbox.root, { 'src/one.txt': 'first\n' })
      const first = await checkpoint(sandbox)
      await writeFiles(sandbox.root, { 'src/two.txt': 'second\n' })
      const second = await checkpoint(sandbox)
      await writeFiles(sandbox.root, { 'readme.md': 'not recorded\n' })
      const before = await snapshotFolder(sandbox.root)

      const state = await merged(sandbox, sandbox.baseline, { from: first, to: second })

      expect(await snapshotFolder(sandbox.root)).toEqual(before)
      const next = expectOk(await sandbox.changes(second, await checkpoint(sandbox)))
      expect(next.files.map(file => file.path)).toEqual(['readme.md'])
      expect(await merged(sandbox, sandbox.baseline, { from: first, to: second })).toBe(state)
    })

    test('many in a row, and the last can be restored, also when it was opened again', async () => {
      const subject = await openOne()
      const { sandbox } = subject
      const original = await bytes(sandbox.root)
      const states = [await wrote(sandbox, 'src/one.txt')]
      for (let index = 1; index <= 20; index += 1)
        states.push(await wrote(sandbox, `made/${index % 3}/${index}.txt`))
      const last = await bytes(sandbox.root)

      let onto = sandbox.baseline
      for (const [index, to] of states.slice(1).entries())
        onto = await merged(sandbox, onto, { from: states[index] ?? to, to })

      await sandbox.close()
      const again = await openAndEnter(subject)
      expect(expectOk(await again.restore(onto))).toEqual({ restored: ['src/one.txt'], removed: [] })
      const file = 'src/one.txt'
      expect(await bytes(again.root)).toEqual({ ...last, [file]: original[file] })
    })
  })
}

async function beginWith(sandbox: Sandbox, meetings: readonly Meeting[]): Promise<SandboxState> {
  for (const { files } of meetings) await writeFiles(sandbox.root, files)
  return checkpoint(sandbox)
}

async function doAll<Verb extends string>(
  meetings: Readonly<Record<string, Record<Verb, (root: string) => Promise<unknown>>>>,
  verb: Verb,
  root: string,
): Promise<void> {
  for (const meeting of Object.values(meetings)) await meeting[verb](root)
}

/** What the sandbox is with this work on a state of it; it is left with that in it. */
async function stateOf(sandbox: Sandbox, start: SandboxState, work: (root: string) => Promise<unknown>) {
  expectOk(await sandbox.restore(start))
  await work(sandbox.root)
  return checkpoint(sandbox)
}

async function wrote(sandbox: Sandbox, path: string): Promise<SandboxState> {
  await writeFiles(sandbox.root, { [path]: 'new\n' })
  return expectOk(await sandbox.checkpoint('work', [expectOk(parseRelPath(path))]))
}

async function merged(sandbox: Sandbox, onto: SandboxState, work: ReplayedWork): Promise<SandboxState> {
  const report = expectOk(await sandbox.replay(onto, work))
  if (report.outcome === 'constrained') throw new Error(JSON.stringify(report.conflicts))
  return report.state
}
