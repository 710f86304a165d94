import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRelPath, type RelPath } from '../../src/domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxStrategy, SandboxStrategyName } from '../../src/domain/sandbox/strategy.ts'
import { bytes, contractFiles, lines } from '../support/contract-files.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { type FileTree, writeFiles } from '../support/repository.ts'
import { expectOk } from '../support/result.ts'
import { all, chosen, never, planId, strategyAt, strategyNamed } from '../support/sandbox.ts'
import { describeSandboxContract, openAndEnter, type SandboxSubject } from './sandbox.ts'
import { describeChildContract } from './sandbox-child.ts'
import { describeMergeContract } from './sandbox-merge.ts'
import { describeReplayContract } from './sandbox-replay.ts'
import { describeRestoreContract } from './sandbox-restore.ts'

/**
 * Work is laid on another state in the store alone, and merged and handed to children through the folder as it is
 * presented. Strategies that share the one or the other share the code: one stands for all, but in a long run.
 */
const isLong = process.env['LONG'] === '1'

function path(text: string): RelPath {
  return expectOk(parseRelPath(text))
}

/**
 * What a sandbox of files must do beyond the contract of any sandbox, which runs too. `makeProject` makes a fresh
 * project of the kind that the strategy is for, with these files in it, and returns its root.
 */
export function describeFileSandboxContract(
  name: SandboxStrategyName,
  makeProject: (files: FileTree) => Promise<string>,
): void {
  const declared = strategyAt('/nonexistent', name)
  const makeSubject = async () => ({
    strategy: await strategyNamed(name),
    projectRoot: await makeProject(contractFiles),
  })
  const openOne = async () => {
    const subject = await makeSubject()
    return { ...subject, sandbox: await openAndEnter(subject) }
  }

  describeSandboxContract(declared, async () => asNumbers(await makeSubject()))
  if (declared.restores !== 'never') {
    describeRestoreContract(name, makeSubject)
    if (isLong || name === 'git_worktree') describeReplayContract(name, makeSubject)
  }
  if (declared.place === 'beside') {
    if (isLong || name === 'git_worktree') describeMergeContract(name, makeSubject)
    if (isLong || name !== 'filesystem_copy') describeChildContract(name, makeSubject)
  }

  describe(`${name} keeps the contract of a sandbox of files`, () => {
    describeChanges(openOne)
    if (declared.restores !== 'never') describeRestored(openOne)
    if (declared.place === 'beside') describeBesideProject(makeSubject, openOne)
    else describeInProject(openOne)
  })
}

interface FileSubject {
  readonly strategy: SandboxStrategy
  readonly projectRoot: string
}
type OpenOne = () => Promise<FileSubject & { readonly sandbox: Sandbox }>

/** A file with a number in it stands for all that the sandbox keeps. */
function asNumbers({ strategy, projectRoot }: FileSubject): SandboxSubject {
  const write = (root: string, content: number) =>
    writeFile(join(root, 'readme.md'), `# Project\n${content === 0 ? '' : content}`)
  const read = async (root: string) =>
    Number((await readFile(join(root, 'readme.md'), 'utf8')).split('\n')[1])
  return {
    strategy,
    projectRoot,
    change: (sandbox, content) => write(sandbox.root, content),
    read: sandbox => read(sandbox.root),
    changeOriginal: content => write(projectRoot, content),
    readOriginal: () => read(projectRoot),
  }
}

function describeChanges(openOne: OpenOne): void {
  test('a checkpoint of named paths equals one that looks everywhere', async () => {
    const { sandbox } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': 'changed\n', 'docs/new.md': 'new\n' })
    await rm(join(sandbox.root, 'logo.bin'))
    const written = ['src/one.txt', 'docs/new.md', 'logo.bin'].map(path)

    const named = expectOk(await sandbox.checkpoint('named', written))
    const scanned = expectOk(await sandbox.checkpoint('scanned', 'unknown'))

    expect(expectOk(await sandbox.changes(named, scanned)).files).toEqual([])
  })
}

function describeRestored(openOne: OpenOne): void {
  test('restoring returns every byte and removes what came later, with its folders', async () => {
    const { sandbox } = await openOne()
    const before = await snapshotFolder(sandbox.root)
    await writeFiles(sandbox.root, { 'src/one.txt': 'changed\n', 'deep/er/new.txt': 'new\n' })
    await rm(join(sandbox.root, 'logo.bin'))
    expectOk(await sandbox.checkpoint('work', 'unknown'))
    await writeFiles(sandbox.root, { 'not-in-a-checkpoint.txt': 'new\n' })

    const report = expectOk(await sandbox.restore(sandbox.baseline))

    expect(report).toEqual({
      restored: ['logo.bin', 'src/one.txt'].map(path),
      removed: ['deep/er/new.txt', 'not-in-a-checkpoint.txt'].map(path),
    })
    const after = await snapshotFolder(sandbox.root)
    expect(withoutTimes(after)).toEqual(withoutTimes(before))
    expect(after['src/two.txt']).toBe(before['src/two.txt'])
  })

  test('a change set names each file with its status and counts, and its digest depends on contents only', async () => {
    const { sandbox } = await openOne()
    const edit = async () => {
      await writeFiles(sandbox.root, {
        'src/one.txt': `${lines(30)}line 31\n`,
        'src/renamed.txt': lines(30),
      })
      await rm(join(sandbox.root, 'src/two.txt'))
      await writeFile(join(sandbox.root, 'logo.bin'), Uint8Array.from([0, 9]))
      return expectOk(await sandbox.checkpoint('edit', 'unknown'))
    }
    const first = expectOk(await sandbox.changes(sandbox.baseline, await edit()))
    expectOk(await sandbox.restore(sandbox.baseline))
    const second = expectOk(await sandbox.changes(sandbox.baseline, await edit()))

    expect(first.files).toEqual([
      { path: 'logo.bin', oldPath: null, status: 'modified', additions: 0, deletions: 0, binary: true },
      { path: 'src/one.txt', oldPath: null, status: 'modified', additions: 1, deletions: 0, binary: false },
      {
        path: 'src/renamed.txt',
        oldPath: 'src/two.txt',
        status: 'renamed',
        additions: 0,
        deletions: 0,
        binary: false,
      },
    ])
    expect(second).toEqual(first)
  })
}

function describeBesideProject(makeSubject: () => Promise<FileSubject>, openOne: OpenOne): void {
  test('the sandbox starts as an exact copy of the project and leaves the project alone', async () => {
    const subject = await makeSubject()
    const before = await snapshotFolder(subject.projectRoot, { except: [] })

    const sandbox = await openAndEnter(subject)

    expect(await bytes(sandbox.root)).toEqual(await bytes(subject.projectRoot))
    expect(await snapshotFolder(subject.projectRoot, { except: [] })).toEqual(before)
  })

  test('apply writes the changes into the project and nothing else', async () => {
    const { sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': 'changed\n', 'docs/new.md': 'new\n' })
    await rm(join(sandbox.root, 'logo.bin'))
    const before = await snapshotFolder(projectRoot, { except: [] })
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toEqual({
      outcome: 'applied',
      written: ['docs/new.md', 'logo.bin', 'src/one.txt'],
      unchanged: [],
      left: [],
      notices: [],
      state,
    })
    expect(await bytes(projectRoot)).toEqual(await bytes(sandbox.root))
    const after = await snapshotFolder(projectRoot, { except: [] })
    for (const name of ['logo.bin', 'src/one.txt']) delete before[name]
    expect(after).toMatchObject(before)
  })

  test('apply merges with edits made to the same file meanwhile', async () => {
    const { sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': lines(30).replace('line 30\n', 'plan\n') })
    await writeFiles(projectRoot, {
      'src/one.txt': lines(30).replace('line 1\n', 'user\n'),
      'mine.txt': 'mine\n',
    })
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toMatchObject({ outcome: 'applied', written: ['src/one.txt'], unchanged: [], state })
    const merged = lines(30).replace('line 1\n', 'user\n').replace('line 30\n', 'plan\n')
    expect(await readFile(join(projectRoot, 'src/one.txt'), 'utf8')).toBe(merged)
    expect(await readFile(join(projectRoot, 'mine.txt'), 'utf8')).toBe('mine\n')
  })

  test('a conflict leaves the project untouched and names each path', async () => {
    const { sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, {
      'src/one.txt': lines(30).replace('line 5\n', 'plan\n'),
      'fine.txt': 'fine\n',
    })
    await writeFiles(projectRoot, { 'src/one.txt': lines(30).replace('line 5\n', 'user\n') })
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))
    const before = await snapshotFolder(projectRoot, { except: [] })

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toEqual({
      outcome: 'constrained',
      conflicts: [
        {
          path: 'src/one.txt',
          kind: 'content',
          reason: 'src/one.txt: you and the plan changed the same lines.',
        },
      ],
    })
    expect(await snapshotFolder(projectRoot, { except: [] })).toEqual(before)
  })

  test('apply of chosen paths leaves the rest for later', async () => {
    const { sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': 'one\n', 'src/two.txt': 'two\n' })
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))

    const part = expectOk(await sandbox.apply(chosen(sandbox, state, [path('src/two.txt')]), never))
    const oneAfterPart = await readFile(join(projectRoot, 'src/one.txt'), 'utf8')
    if (part.outcome !== 'applied') throw new Error('expected no conflict')
    const remaining = expectOk(await sandbox.changes(part.state, state))
    const rest = expectOk(
      await sandbox.apply({ from: part.state, to: state, choice: { kind: 'all' } }, never),
    )

    expect(part).toMatchObject({ written: ['src/two.txt'], unchanged: [] })
    expect(oneAfterPart).toBe(lines(30))
    expect(remaining.files.map(file => file.path)).toEqual(['src/one.txt'])
    expect(rest).toMatchObject({ outcome: 'applied', written: ['src/one.txt'], unchanged: [], state })
  })

  test('applying twice writes nothing the second time', async () => {
    const { sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': 'one\n' })
    const state = expectOk(await sandbox.checkpoint('work', 'unknown'))
    expectOk(await sandbox.apply(all(sandbox, state), never))
    const before = await snapshotFolder(projectRoot)

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toMatchObject({ outcome: 'applied', written: [], unchanged: ['src/one.txt'], state })
    expect(await snapshotFolder(projectRoot)).toEqual(before)
  })

  test('made anew it begins with the project as it is; what was before is compared, and not returned to', async () => {
    const { strategy, sandbox, projectRoot } = await openOne()
    await writeFiles(sandbox.root, { 'src/one.txt': 'one\n' })
    const before = expectOk(await sandbox.checkpoint('work', 'unknown'))
    await sandbox.close()
    await writeFiles(projectRoot, { 'later.txt': 'later\n' })

    await strategy.renew(planId)
    await strategy.renew(planId)
    const anew = expectOk(await strategy.open({ planId, projectRoot }, never))

    const { files } = expectOk(await anew.changes(before, anew.baseline))
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ['later.txt', 'added'],
      ['src/one.txt', 'modified'],
    ])
    for (const refused of [
      await anew.restore(before),
      await anew.previewRestore(before, { scope: { kind: 'all' }, since: '' }),
    ])
      expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found', facts: { state: before } } })
  })

  test('discarding removes the sandbox and leaves the project alone', async () => {
    const { strategy, sandbox, projectRoot } = await openOne()
    await sandbox.close()
    await sandbox.close()
    const before = await snapshotFolder(projectRoot, { except: [] })

    await strategy.discard(planId)
    await strategy.discard(planId)

    await expect(stat(sandbox.root)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await snapshotFolder(projectRoot, { except: [] })).toEqual(before)
  })
}

function describeInProject(openOne: OpenOne): void {
  test('the project itself is the sandbox, and neither opening nor ending touches a file in it', async () => {
    const { strategy, projectRoot, sandbox } = await openOne()
    const before = await snapshotFolder(projectRoot, { except: [] })

    await sandbox.close()
    await strategy.release(planId)
    await strategy.discard(planId)

    expect(sandbox.root).toBe(projectRoot)
    expect(await snapshotFolder(projectRoot, { except: [] })).toEqual(before)
  })
}

function withoutTimes(snapshot: Record<string, string>): Record<string, string> {
  const withoutTime = (line: string) =>
    line.startsWith('file') ? line.split(' ').slice(0, 3).join(' ') : line
  return Object.fromEntries(Object.entries(snapshot).map(([name, line]) => [name, withoutTime(line)]))
}
