import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sandbox, SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { startApply } from '../../support/apply-process.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { type FileTree, makeRepository, repositoryAt, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, gitWorktreeStrategy, never, planId } from '../../support/sandbox.ts'

test('an apply that was killed half-way is found, says what is written, and can be finished', async () => {
  const story = await begin()
  await story.applyAndKill(storySteps.afterFirstSwap)

  const unfinished = await story.sandbox.unfinishedApply()
  const report = expectOk(await story.sandbox.settleApply('finish', never))

  expect(unfinished).toMatchObject({
    written: ['a.txt'],
    waiting: ['m.sh', 'new/n.txt', 'z.txt', 'old/gone.txt', 'b.txt'],
    undoing: false,
  })
  expect(report).toEqual({
    outcome: 'applied',
    written: ['a.txt', 'b.txt', 'm.sh', 'new/n.txt', 'old/gone.txt', 'z.txt'],
    unchanged: [],
    left: [],
    notices: [],
    state: story.to,
  })
  expect(await bytes(story.root)).toEqual(await bytes(story.sandbox.root))
  expect(await story.sandbox.unfinishedApply()).toBeNull()
})

test('an apply that was killed half-way can be undone, to the last timestamp', async () => {
  const story = await begin()
  const before = await snapshotFolder(story.root, { except: [] })
  await story.applyAndKill(storySteps.allSwapped)

  const report = expectOk(await story.sandbox.settleApply('undo', never))

  expect(report).toEqual({
    outcome: 'undone',
    restored: ['a.txt', 'm.sh', 'new/n.txt', 'z.txt', 'old/gone.txt', 'b.txt'],
    left: [],
  })
  expect(await snapshotFolder(story.root, { except: [] })).toEqual(before)
  expect(await story.sandbox.unfinishedApply()).toBeNull()
})

test('nothing is written and nothing is left behind by an apply killed while it prepared', async () => {
  const story = await begin()
  const before = await snapshotFolder(story.root, { except: [] })
  await story.applyAndKill(storySteps.oneStaged)

  expect(await story.sandbox.unfinishedApply()).toBeNull()
  expect(await snapshotFolder(story.root, { except: [] })).toEqual(before)
  expect(expectOk(await story.sandbox.apply(all(story.sandbox, story.to), never))).toMatchObject({
    outcome: 'applied',
  })
})

test('an undo that was killed goes on as an undo, and cannot be turned into a finish', async () => {
  const story = await begin()
  const before = await snapshotFolder(story.root, { except: [] })
  await story.applyAndKill(storySteps.allSwapped)
  await story.settleAndKill('undo', 3)

  expect(await story.sandbox.unfinishedApply()).toMatchObject({ undoing: true })
  expect(await story.sandbox.settleApply('finish', never)).toMatchObject({
    ok: false,
    failure: { code: 'invalid_state' },
  })
  const report = expectOk(await story.sandbox.settleApply('undo', never))

  expect(report).toMatchObject({
    outcome: 'undone',
    restored: ['a.txt', 'm.sh', 'new/n.txt', 'z.txt', 'old/gone.txt', 'b.txt'],
  })
  expect(await snapshotFolder(story.root, { except: [] })).toEqual(before)
})

test('apply is refused while an interrupted one waits, and settling is refused when none does', async () => {
  const story = await begin()
  expect(await story.sandbox.settleApply('finish', never)).toMatchObject({
    ok: false,
    failure: { code: 'invalid_state' },
  })
  await story.applyAndKill(storySteps.afterFirstSwap)

  const refused = await story.sandbox.apply(all(story.sandbox, story.to), never)

  expect(refused).toMatchObject({
    ok: false,
    failure: {
      code: 'invalid_state',
      message:
        'An earlier apply of this plan was interrupted half-way. Finish it or undo it before you apply again.',
    },
  })
})

test('what somebody wrote after the kill is left alone and named, whichever way it is settled', async () => {
  for (const way of ['finish', 'undo'] as const) {
    const story = await begin()
    await story.applyAndKill(storySteps.afterFirstSwap)
    await writeFile(join(story.root, 'a.txt'), 'mine\n')
    await writeFile(join(story.root, 'm.sh'), 'mine too\n')

    const report = expectOk(await story.sandbox.settleApply(way, never))

    expect(report).toMatchObject({
      left: expect.arrayContaining([
        { path: 'a.txt', kind: 'foreign', reason: 'a.txt: it changed while the plan was being applied.' },
        { path: 'm.sh', kind: 'foreign', reason: 'm.sh: it changed while the plan was being applied.' },
      ]),
    })
    expect(await readFile(join(story.root, 'a.txt'), 'utf8')).toBe('mine\n')
    expect(await readFile(join(story.root, 'm.sh'), 'utf8')).toBe('mine too\n')
    if (report.outcome !== 'applied') continue
    const remaining = expectOk(await story.sandbox.changes(report.state, story.to))
    expect(remaining.files.map(file => file.path)).toEqual(['a.txt', 'm.sh'])
  }
})

test('what somebody saved just before an undo took it away comes back, although the undo was killed then', async () => {
  const story = await begin()
  await story.applyAndKill(storySteps.allSwapped)
  const waiting = join(story.strategy.stateDir, 'plans', planId, 'apply')
  const { operations } = JSON.parse(await readFile(join(waiting, 'journal.json'), 'utf8'))
  const number = operations.findIndex((each: { path: string }) => each.path === 'new/n.txt')
  await rm(join(story.root, 'new'), { recursive: true })
  await writeFile(join(waiting, 'files', `${number}.removed`), 'saved meanwhile\n')

  const report = expectOk(await story.sandbox.settleApply('undo', never))

  expect(report).toMatchObject({ outcome: 'undone', left: [{ path: 'new/n.txt', kind: 'foreign' }] })
  expect(await readFile(join(story.root, 'new/n.txt'), 'utf8')).toBe('saved meanwhile\n')
  expect(await story.sandbox.unfinishedApply()).toBeNull()
})

test('a plan whose apply waits to be settled is not discarded', async () => {
  const story = await begin()
  await story.applyAndKill(storySteps.afterFirstSwap)

  await expect(story.strategy.discard(planId)).rejects.toThrow('Finish the apply or undo it first')

  expect(await story.sandbox.settleApply('undo', never)).toMatchObject({ ok: true })
  await story.strategy.discard(planId)
})

test('what waits was swept away, and the plan can be settled all the same', async () => {
  for (const way of ['finish', 'undo'] as const) {
    const story = await begin()
    const before = await bytes(story.root)
    await story.applyAndKill(way === 'finish' ? storySteps.afterFirstSwap : storySteps.allSwapped)
    await rm(join(story.strategy.stateDir, 'plans', planId, 'apply/files'), { recursive: true })

    expectOk(await story.sandbox.settleApply(way, never))

    const wanted = way === 'finish' ? await bytes(story.sandbox.root) : before
    expect(await bytes(story.root)).toEqual(wanted)
  }
})

const aFolder: FileTree = { 'b/x/deep.txt': 'deep\n' }
const aLink: FileTree = { b: { link: '../outside' } }

test('finishing an apply that puts a link where a folder was touches nothing behind the link', async () => {
  const story = await begin({ before: aFolder, after: aLink })
  const outside = join(dirname(story.root), 'outside')
  await mkdir(join(outside, 'x'), { recursive: true })
  await story.applyAndKill(linkSteps.allSwapped)

  expectOk(await story.sandbox.settleApply('finish', never))

  expect(await bytes(story.root)).toEqual(await bytes(story.sandbox.root))
  expect(await readdir(outside)).toEqual(['x'])
})

test('undoing an apply that puts a folder where a link was touches nothing behind the link', async () => {
  const story = await begin({ before: aLink, after: aFolder })
  const outside = join(dirname(story.root), 'outside')
  await mkdir(join(outside, 'x'), { recursive: true })
  const before = await bytes(story.root)
  await story.applyAndKill(linkSteps.allSwapped)
  await story.settleAndKill('undo', linkSteps.allPutBack)

  expectOk(await story.sandbox.settleApply('undo', never))

  expect(await bytes(story.root)).toEqual(before)
  expect(await readdir(outside)).toEqual(['x'])
})

const linkSteps = { allSwapped: 6, allPutBack: 5 }
const storySteps = { oneStaged: 1, afterFirstSwap: 7, allSwapped: 15 }

interface Story {
  readonly sandbox: Sandbox
  readonly strategy: Awaited<ReturnType<typeof gitWorktreeStrategy>>
  readonly root: string
  readonly to: SandboxState
  applyAndKill(step: number): Promise<void>
  settleAndKill(way: 'finish' | 'undo', step: number): Promise<void>
}

const oldFiles: FileTree = {
  'a.txt': lines(20),
  'b.txt': lines(30),
  'm.sh': 'm\n',
  'old/gone.txt': 'gone\n',
  'k.txt': 'k\n',
}

/** Edits, adds, moves, deletes and changes a mode. */
async function workOnAll(root: string): Promise<void> {
  await repositoryAt(root).write({ 'a.txt': `${lines(20)}plan\n`, 'new/n.txt': 'new\n' })
  await rename(join(root, 'b.txt'), join(root, 'z.txt'))
  await rm(join(root, 'old'), { recursive: true })
  await chmod(join(root, 'm.sh'), 0o755)
}

/** A plan that has done its work. `b` stands for work on a path of that name only. */
async function begin(b?: { before: FileTree; after: FileTree }): Promise<Story> {
  const repository = await makeRepository({ files: b?.before ?? oldFiles })
  const strategy = await gitWorktreeStrategy()
  const { root } = repository
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
  if (b) {
    await rm(join(sandbox.root, 'b'), { recursive: true })
    await repositoryAt(sandbox.root).write(b.after)
  } else await workOnAll(sandbox.root)
  const to = await checkpoint(sandbox)
  const { stateDir } = strategy
  const signal = 'SIGKILL' as const
  const job = { stateDir, environment: userEnvironment(), planId, projectRoot: root, to, signal }
  const runAndKill = async (way: 'apply' | 'finish' | 'undo', stopAfter: number) =>
    expect(await startApply({ ...job, way, stopAfter }).ended).toEqual({ ended: 'killed' })
  return {
    sandbox,
    strategy,
    root,
    to,
    applyAndKill: step => runAndKill('apply', step),
    settleAndKill: runAndKill,
  }
}
