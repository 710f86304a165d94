import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ApplyStep } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { crashStory, type Way } from '../../support/crash-story.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { type FileTree, makeRepository, repositoryAt, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, planId, strategyAt } from '../../support/sandbox.ts'

const isLong = process.env['LONG'] === '1'

// Each kill is a process with its own start; on a busy machine that takes seconds.
describe('an apply over many files that is killed', { timeout: isLong ? 7_200_000 : 300_000 }, () => {
  test('ends in exactly the old or the new state, whichever way it is settled', async () => {
    const story = await begin()
    const steps = await story.stepsOf('apply')
    const [journal, swaps] = [steps.indexOf('write_journal') + 1, positions(steps, 'swap')]
    const folders = [betweenTwo(steps, 'make_folder'), betweenTwo(steps, 'remove_folder')]
    expect(swaps.length).toBeGreaterThan(isLong ? 200 : 50)

    await story.killAndSettle(swaps[Math.floor(swaps.length / 3)] ?? 0)
    await story.settleFromEach([journal, swaps.at(-1) ?? 0, ...folders].sort((a, b) => a - b))
  })

  test.runIf(isLong)(
    'can be killed again while it is settled, and turned back before it is done',
    async () => {
      const story = await begin()
      const swaps = positions(await story.stepsOf('apply'), 'swap')
      const middle = swaps[Math.floor(swaps.length / 2)] ?? 0
      const [early, late] = [Math.floor(swaps.length / 6), Math.floor(swaps.length / 3)]

      expect(await story.killTwice(middle, { way: 'undo', step: late }, 'undo')).toBe(true)
      expect(await story.killTwice(middle, { way: 'finish', step: early }, 'undo')).toBe(true)
    },
  )

  // A hundred contents that are staged one after the other are a hundred times the same moment.
  describe.runIf(isLong)('at every journal write and every swap', () => {
    test.for(Array.from({ length: 12 }, (_, index) => index))('part %i of 12', async part => {
      const story = await begin()
      const steps = await story.stepsOf('apply')
      const due = steps.flatMap((did, index) =>
        index % 12 === part && (did !== 'stage' || index % 24 === part) ? [index + 1] : [],
      )
      await story.settleFromEach(due)
    })
  })

  test.runIf(isLong)('of a few files at every single step', async () => {
    const story = await begin('small')
    const steps = await story.stepsOf('apply')
    await story.settleFromEach(steps.map((_did, index) => index + 1))
  })

  describe.runIf(isLong)('and killed again at every tenth step of settling', () => {
    test.for([
      ['undo', 'undo'],
      ['finish', 'finish'],
      ['finish', 'undo'],
    ] as const)('with %s and then %s', async ([way, last]) => {
      const story = await begin()
      const swaps = positions(await story.stepsOf('apply'), 'swap')
      for (let step = 1; step < 400; step += 10)
        await story.killTwice(swaps[(step * 7) % swaps.length] ?? 0, { way, step }, last)
    })
  })

  test.runIf(isLong)('after the first step of each kind, and again at every step of settling', async () => {
    const story = await begin('small')
    const steps = await story.stepsOf('apply')
    for (const did of new Set(steps))
      for (const way of ['undo', 'finish'] as const) await untilOver(story, steps.indexOf(did) + 1, way)
  })
})

/** Each step of settling in turn, until the second process gets to its end. */
async function untilOver(story: Awaited<ReturnType<typeof begin>>, first: number, way: Way): Promise<void> {
  for (let step = 1; ; step++) if (!(await story.killTwice(first, { way, step }, way))) return
}

function positions(steps: readonly ApplyStep['did'][], wanted: ApplyStep['did']): number[] {
  return steps.flatMap((did, index) => (did === wanted ? [index + 1] : []))
}

/** The first of two such steps, e.g. when the outer folder is there and the inner one is not yet. */
function betweenTwo(steps: readonly ApplyStep['did'][], wanted: ApplyStep['did']): number {
  return 1 + steps.findIndex((did, index) => did === wanted && steps[index + 1] === wanted)
}

/** A project, a plan that changes it in every way there is, and the process that applies it. */
async function begin(size: Size = isLong ? 'large' : 'medium') {
  const repository = await makeRepository({ files: oldFiles(counts[size]) })
  const { root } = repository
  // Each death copies it.
  await repository.git('repack', '-adq')
  const folder = dirname(root)
  const stateDir = join(folder, 'state')
  const strategy = strategyAt(stateDir, 'git_worktree')
  const open = async () => expectOk(await strategy.open({ planId, projectRoot: root }, never))
  const sandbox = await open()
  await work(sandbox.root, counts[size])
  const to = await checkpoint(sandbox)
  const before = await snapshotFolder(root, { except: [] })
  const newFiles = await bytes(sandbox.root)
  await sandbox.close()
  return crashStory({
    folder,
    contents: ['project', 'state'],
    job: { stateDir, environment: userEnvironment(), planId, projectRoot: root, to },
    open,
    isNew: async () => JSON.stringify(await bytes(root)) === JSON.stringify(newFiles),
    expectOld: async () => expect(await snapshotFolder(root, { except: [] })).toEqual(before),
    expectNew: async () => {
      const now = await snapshotFolder(root)
      expect(withoutTimes(now)).toEqual(newFiles)
      const untouched = Object.keys(before).filter(name => name.startsWith('kept/'))
      for (const name of untouched) expect(now[name]).toBe(before[name])
    },
  })
}

function withoutTimes(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, line]) => [name, line.replace(/ \d{15,}$/, '')]),
  )
}

const counts = {
  large: { edited: 70, gone: 30, made: 40, moved: 20, swapped: 5 },
  medium: { edited: 18, gone: 8, made: 10, moved: 5, swapped: 3 },
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
