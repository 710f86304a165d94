import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ApplyStep } from '../../../src/domain/sandbox/strategy.ts'
import type { ApplyJob } from '../../support/apply-child.ts'
import { startApply } from '../../support/apply-process.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { type FileTree, makeRepository, repositoryAt, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, planId, strategyAt } from '../../support/sandbox.ts'

const isLong = process.env['LONG'] === '1'

// Each kill is a process with its own start; on a busy machine that takes seconds.
describe('an apply over 200 files that is killed', { timeout: isLong ? 3_600_000 : 300_000 }, () => {
  test('ends in exactly the old or the new state, whichever way it is settled', async () => {
    const story = await begin()
    const steps = await story.stepsOf('apply')
    const [journal, swaps] = [steps.indexOf('write_journal') + 1, positions(steps, 'swap')]
    const folders = [betweenTwo(steps, 'make_folder'), betweenTwo(steps, 'remove_folder')]
    const samples = [journal, swaps[60] ?? 0, swaps.at(-1) ?? 0, ...folders]
    expect(swaps.length).toBeGreaterThan(200)

    for (const step of samples) await story.killAndSettle(step)
  })

  test('can be killed again while it is settled, and turned back before it is done', async () => {
    const story = await begin()
    const middle = positions(await story.stepsOf('apply'), 'swap')[120] ?? 0

    await story.killTwice(middle, { way: 'undo', step: 70 }, 'undo')
    await story.killTwice(middle, { way: 'finish', step: 40 }, 'undo')
  })

  describe.runIf(isLong)('at every journal write and every swap', () => {
    test.for(Array.from({ length: 12 }, (_, index) => index))('part %i of 12', async part => {
      const story = await begin()
      const steps = await story.stepsOf('apply')
      for (const [index, did] of steps.entries()) {
        const isDue = index % 12 === part && (did !== 'stage' || index % 24 === part)
        if (isDue) await story.killAndSettle(index + 1)
      }
    })
  })

  test.runIf(isLong)('of a few files at every single step', async () => {
    const story = await begin('small')
    const steps = await story.stepsOf('apply')
    for (const [index] of steps.entries()) await story.killAndSettle(index + 1)
  })

  describe.runIf(isLong)('and killed again at every tenth step of settling', () => {
    test.for(['undo', 'finish'] as const)('with %s', async way => {
      const story = await begin()
      const swaps = positions(await story.stepsOf('apply'), 'swap')
      for (let step = 1; step < 400; step += 10) {
        const first = swaps[(step * 7) % swaps.length] ?? 0
        await story.killTwice(first, { way, step }, way)
        if (way === 'finish') await story.killTwice(first, { way, step }, 'undo')
      }
    })
  })
})

function positions(steps: readonly ApplyStep['did'][], wanted: ApplyStep['did']): number[] {
  return steps.flatMap((did, index) => (did === wanted ? [index + 1] : []))
}

/** The first of two such steps, e.g. when the outer folder is there and the inner one is not yet. */
function betweenTwo(steps: readonly ApplyStep['did'][], wanted: ApplyStep['did']): number {
  return 1 + steps.findIndex((did, index) => did === wanted && steps[index + 1] === wanted)
}

type Way = 'finish' | 'undo'

/** A project, a plan that changes it in every way there is, and the process that applies it. */
async function begin(size: Size = 'large') {
  const repository = await makeRepository({ files: oldFiles(counts[size]) })
  const { root } = repository
  const folder = dirname(root)
  const stateDir = join(folder, 'state')
  const strategy = strategyAt(stateDir, 'git_worktree')
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
  await work(sandbox.root, counts[size])
  const to = await checkpoint(sandbox)
  const before = await snapshotFolder(root, { except: [] })
  const [oldFilesNow, newFilesNow] = [await bytes(root), await bytes(sandbox.root)]
  const job = (way: ApplyJob['way'], stopAfter: number | null): ApplyJob => {
    const about = { stateDir, environment: userEnvironment(), planId, projectRoot: root, to }
    return { ...about, way, stopAfter, signal: 'SIGKILL' }
  }
  const [saved, dead] = [`${folder}-saved`, `${folder}-dead`]
  onTestFinished(async () => {
    for (const copy of [saved, dead]) await rm(copy, { recursive: true, force: true })
  })
  const save = () => execFileSync('cp', ['-a', folder, saved])
  const bringBack = async () => {
    for (const name of ['project', 'state']) {
      await rm(join(folder, name), { recursive: true })
      await rename(join(saved, name), join(folder, name))
    }
    await rm(saved, { recursive: true })
  }

  /** Where it was killed before the journal was there, nothing has happened and nothing is unfinished. */
  async function settle(way: Way): Promise<'nothing to settle' | 'settled'> {
    const unfinished = await sandbox.unfinishedApply()
    if (unfinished) expectOk(await sandbox.settleApply(way, never))
    expect(await sandbox.unfinishedApply()).toBeNull()
    return unfinished ? 'settled' : 'nothing to settle'
  }

  async function expectOld(): Promise<void> {
    expect(await snapshotFolder(root, { except: [] })).toEqual(before)
  }

  async function expectNew(): Promise<void> {
    expect(await bytes(root)).toEqual(newFilesNow)
    const now = await snapshotFolder(root)
    const untouched = Object.keys(before).filter(name => name.startsWith('kept/'))
    for (const name of untouched) expect(now[name]).toBe(before[name])
  }

  return {
    async stepsOf(way: ApplyJob['way']): Promise<ApplyStep['did'][]> {
      save()
      const run = await startApply(job(way, null)).ended
      await bringBack()
      if (run.ended === 'killed') throw new Error('expected it to end by itself')
      return run.steps
    },
    /** From one and the same moment of death, once in each direction. */
    async killAndSettle(step: number): Promise<void> {
      save()
      expect(await startApply(job('apply', step)).ended).toEqual({ ended: 'killed' })
      execFileSync('cp', ['-a', folder, dead])
      const isDone = JSON.stringify(await bytes(root)) === JSON.stringify(newFilesNow)
      if ((await settle('finish')) === 'settled' || isDone) await expectNew()
      else await expectOld()
      for (const name of ['project', 'state']) {
        await rm(join(folder, name), { recursive: true })
        await rename(join(dead, name), join(folder, name))
      }
      await rm(dead, { recursive: true })
      const isUndone = (await settle('undo')) === 'settled'
      if (isUndone || !isDone) expect(await bytes(root)).toEqual(oldFilesNow)
      await bringBack()
    },
    async killTwice(step: number, second: { way: Way; step: number }, last: Way): Promise<void> {
      save()
      expect(await startApply(job('apply', step)).ended).toEqual({ ended: 'killed' })
      const run = await startApply(job(second.way, second.step)).ended
      if (run.ended === 'killed') await settle(last)
      if (run.ended === 'killed' && last === 'undo') await expectOld()
      if (run.ended === 'killed' && last === 'finish') await expectNew()
      await bringBack()
    },
  }
}

const counts = {
  large: { edited: 70, gone: 30, made: 40, moved: 20, swapped: 5 },
  small: { edited: 2, gone: 2, made: 2, moved: 2, swapped: 2 },
}
type Size = keyof typeof counts
type Counts = (typeof counts)[Size]

function oldFiles(count: Counts): FileTree {
  const files: FileTree = {}
  for (let index = 0; index < count.edited; index++) {
    files[`edit/${index % 7}/${index}.txt`] = lines(10 + index)
    files[`kept/${index}.txt`] = `kept ${index}\n`
  }
  for (let index = 0; index < count.gone; index++)
    files[`gone/${index % 4}/deep/${index}.txt`] = `gone ${index}\n`
  for (let index = 0; index < count.moved; index++) {
    files[`move/${index}.txt`] = `${index} moves\n${lines(20)}`
    files[`mode/${index}.sh`] = `mode ${index}\n`
  }
  for (let index = 0; index < count.swapped; index++) {
    files[`swap/file-${index}`] = 'a file\n'
    files[`swap/folder-${index}/inside.txt`] = 'inside\n'
    files[`swap/link-${index}`] = { link: 'file-0' }
    files[`link/${index}`] = { link: `../kept/${index}.txt` }
  }
  return files
}

async function work(root: string, count: Counts): Promise<void> {
  const added: FileTree = {}
  for (let index = 0; index < count.edited; index++) {
    added[`edit/${index % 7}/${index}.txt`] = `${lines(10 + index)}plan ${index}\n`
    if (index < count.made) added[`new/${index % 5}/deep/er/${index}.txt`] = `new ${index}\n`
  }
  await rm(join(root, 'gone'), { recursive: true })
  await mkdir(join(root, 'moved/to'), { recursive: true })
  for (let index = 0; index < count.moved; index++) {
    await rename(join(root, `move/${index}.txt`), join(root, `moved/to/${index}.txt`))
    await chmod(join(root, `mode/${index}.sh`), 0o755)
  }
  await rm(join(root, 'move'), { recursive: true })
  for (let index = 0; index < count.swapped; index++) {
    for (const name of [`file-${index}`, `folder-${index}`, `link-${index}`])
      await rm(join(root, 'swap', name), { recursive: true })
    added[`swap/file-${index}/inside.txt`] = 'now a folder\n'
    await symlink('file-1', join(root, `swap/folder-${index}`))
    await writeFile(join(root, `swap/link-${index}`), 'now a file\n')
    await rm(join(root, `link/${index}`))
    await symlink(`../kept/other-${index}.txt`, join(root, `link/${index}`))
  }
  await repositoryAt(root).write(added)
}
