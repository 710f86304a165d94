import { appendFile, copyFile, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import { bytes } from '../../support/contract-files.ts'
import { folderSize } from '../../support/folder-size.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { makePlainFolder, makeRepository, repositoryAt, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, chosen, never, planId, strategyAt } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const LIMIT = 100_000
const big = Buffer.alloc(LIMIT + 1, 'big ')
const files = { 'a.txt': 'a\n', 'model.bin': big, 'data/new.bin': big, 'small.bin': Buffer.alloc(LIMIT) }

describe.each(['git_worktree', 'filesystem_copy'] as const)('files above the limit, in %s', name => {
  const openOne = async () => {
    const root = name === 'git_worktree' ? await trackedAndNot() : await makePlainFolder(files)
    const stateDir = join(await temporaryFolder(), 'state')
    const strategy = strategyAt(stateDir, name, undefined, LIMIT)
    const before = await snapshotFolder(root, { except: [] })
    const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
    expect(await snapshotFolder(root, { except: [] })).toEqual(before)
    return { root, stateDir, strategy, sandbox }
  }

  test('are in the sandbox, named, and in no state', async () => {
    const { root, stateDir, sandbox } = await openOne()

    expect(await bytes(sandbox.root)).toEqual(await bytes(root))
    expect(sandbox.notices).toEqual([
      expect.stringMatching(
        /^Too big to be recorded, so copied and in no checkpoint or diff: data\/new\.bin, model\.bin/,
      ),
    ])
    expect(await checkpoint(sandbox)).toBe(sandbox.baseline)
    expect(await folderSize(join(stateDir, 'plans', planId, 'git'))).toBeLessThan(LIMIT)
  })

  test('that the plan leaves alone hinder neither restore nor Apply', async () => {
    const { root, sandbox } = await openOne()
    await writeFiles(sandbox.root, { 'a.txt': 'changed\n' })
    const state = await checkpoint(sandbox)
    expectOk(await sandbox.restore(sandbox.baseline))
    expectOk(await sandbox.restore(state))

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toMatchObject({ outcome: 'applied', written: ['a.txt'] })
    expect(await bytes(root)).toEqual(await bytes(sandbox.root))
  })

  test('that the plan wrote to stop Apply with what to do, and what was done by hand counts', async () => {
    const { root, sandbox } = await openOne()
    await appendFile(join(sandbox.root, 'model.bin'), 'more')
    await writeFiles(sandbox.root, { 'a.txt': 'changed\n' })
    const state = await checkpoint(sandbox)
    const preview = expectOk(
      await sandbox.previewRestore(sandbox.baseline, {
        scope: { kind: 'all' },
        since: '2026-01-01T00:00:00Z',
      }),
    )

    const stopped = expectOk(await sandbox.apply(all(sandbox, state), never))
    const untouched = await readFile(join(root, 'a.txt'), 'utf8')
    const others = expectOk(
      await sandbox.apply(chosen(sandbox, state, [expectOk(parseRelPath('a.txt'))]), never),
    )
    await copyFile(join(sandbox.root, 'model.bin'), join(root, 'model.bin'))
    const again = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(preview.cannotRestore).toEqual([
      { what: 'model.bin', why: 'too big to be recorded; it stays as it is now' },
    ])
    expect(stopped).toEqual({
      outcome: 'constrained',
      conflicts: [{ path: 'model.bin', kind: 'too_big', reason: expect.stringContaining('Copy it from') }],
    })
    expect(untouched).toBe('a\n')
    expect([others.outcome, again.outcome]).toEqual(['applied', 'applied'])
  })

  test('count as written to when they are gone, or have their old size and times', async () => {
    const { sandbox } = await openOne()
    const model = join(sandbox.root, 'model.bin')
    await writeFile(model, Buffer.alloc(big.length, 'BIG '))
    await utimes(model, 1_000_000_000, 1_000_000_000)
    await rm(join(sandbox.root, 'data/new.bin'))

    const report = expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))

    expect(report.outcome === 'constrained' && report.conflicts.map(each => each.path)).toEqual([
      'data/new.bin',
      'model.bin',
    ])
  })

  test('that are only looked at in another way, e.g. touched, hinder nothing', async () => {
    const { sandbox } = await openOne()
    await utimes(join(sandbox.root, 'model.bin'), 1_000_000_000, 1_000_000_000)

    const report = expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))

    expect(report.outcome).toBe('applied')
  })
})

test('without a sandbox a file above the limit is in no diff, and named', async () => {
  const root = await makePlainFolder(files)
  const strategy = strategyAt(join(await temporaryFolder(), 'state'), 'none', undefined, LIMIT)
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
  await appendFile(join(root, 'model.bin'), 'more')

  expect(sandbox.notices[1]).toContain('data/new.bin, model.bin')
  expect(await checkpoint(sandbox)).toBe(sandbox.baseline)
})

/** One of the big files is tracked, the other is not. */
async function trackedAndNot(): Promise<string> {
  const { 'data/new.bin': untracked, ...tracked } = files
  const { root } = await makeRepository({ files: tracked })
  await repositoryAt(root).write({ 'data/new.bin': untracked })
  return root
}

test('a written big file stops the Apply of a chosen folder, also where only its own name is quoted', async () => {
  const root = await makePlainFolder({ 'data/t\tb.bin': big, 'data/a.txt': 'a\n' })
  const strategy = strategyAt(join(await temporaryFolder(), 'state'), 'filesystem_copy', undefined, LIMIT)
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
  await appendFile(join(sandbox.root, 'data/t\tb.bin'), 'more')
  await writeFiles(sandbox.root, { 'data/a.txt': 'changed\n' })
  const state = await checkpoint(sandbox)

  const stopped = expectOk(
    await sandbox.apply(chosen(sandbox, state, [expectOk(parseRelPath('data'))]), never),
  )

  expect(stopped).toMatchObject({ outcome: 'constrained', conflicts: [{ kind: 'too_big' }] })
})
