import { lstatSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { overlayIsPossible } from '../../support/overlay.ts'
import { type FileTree, makePlainFolder, makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, never, openSandbox, strategyNamed } from '../../support/sandbox.ts'
import {
  followAll,
  perform,
  relPath,
  type Shows,
  type Step,
  showsTheChanges,
  showsTheState,
  steps,
} from '../../support/sandbox-model.ts'

const runs = process.env['LONG'] === '1' ? 200 : 3
const seed = 7

/** Every strategy that returns to states, each with a way to make a project for it. */
const strategies: readonly {
  readonly name: SandboxStrategyName
  readonly makeProject: (files: FileTree) => Promise<string>
  readonly shows: Shows
}[] = [
  { name: 'git_worktree', makeProject: madeRepository, shows: showsTheState },
  { name: 'filesystem_copy', makeProject: makePlainFolder, shows: showsTheState },
  ...(overlayIsPossible
    ? [{ name: 'overlay' as const, makeProject: madeRepository, shows: showsTheChanges }]
    : []),
]

async function madeRepository(files: FileTree): Promise<string> {
  return (await makeRepository({ files })).root
}

test.each(strategies)(
  'in $name, what was recorded is what comes back, in the sandbox and in the files, in any order',
  async ({ name, makeProject, shows }) => {
    const start = { 'a/x': 'x\n', 'c.txt': lines(10) }
    await fc.assert(
      fc.asyncProperty(steps, async these => {
        const [strategy, projectRoot] = [await strategyNamed(name), await makeProject(start)]
        await followAll({ strategy, projectRoot, start, shows }, these)
      }),
      { numRuns: Math.ceil(runs / 2), seed, examples: found.map(each => [each]) },
    )
  },
)

/** Sequences that once went wrong. */
const found: readonly Step[][] = [
  [
    { do: 'edit', edits: [{ kind: 'write', name: 'b/x/deep', text: 'deep' }], recorded: 'by name' },
    { do: 'apply', to: 1 },
    { do: 'edit', edits: [{ kind: 'link', name: 'b', target: 'b' }], recorded: 'by looking' },
    { do: 'apply', to: 2 },
    { do: 'apply', to: 1 },
    { do: 'restore', to: 1 },
  ],
]

test('a checkpoint of named files is the one that git makes of the whole folder', async () => {
  const repository = await makeRepository({
    files: { 'a/x': 'x\n', 'c.txt': lines(10), '.gitignore': '*.log\nb/y\n' },
  })
  const sandbox = await openSandbox(repository)
  await checkpoint(sandbox)
  const names = ['a', 'a/x', 'a/y', 'b', 'b/x/deep', 'b/y', 'c.txt', 'd d', 'new/er.txt', 'new/noise.log']
  const change = fc.record({
    kind: fc.constantFrom('write' as const, 'executable' as const, 'link' as const, 'remove' as const),
    name: fc.constantFrom(...names),
    text: fc.string({ maxLength: 20 }),
    target: fc.constantFrom('c.txt', 'nowhere'),
  })

  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      const before = names.filter(each => isFile(join(sandbox.root, each)))
      for (const one of changes) await perform(sandbox.root, one)
      const touched = new Set([...before, ...changes.map(one => one.name)])
      const named = expectOk(await sandbox.checkpoint('named', [...touched].map(relPath)))
      expect(await checkpoint(sandbox)).toBe(named)
    }),
    { numRuns: runs * 4, seed },
  )
})

test('apply keeps every edit of both sides when they are apart', async () => {
  const total = 40
  const side = fc.uniqueArray(fc.nat({ max: total / 2 - 3 }), { minLength: 1, maxLength: 5 })

  await fc.assert(
    fc.asyncProperty(side, side, async (user, plan) => {
      const repository = await makeRepository({ files: { 'a.txt': lines(total), 'b.txt': lines(total) } })
      const sandbox = await openSandbox(repository)
      const userLines = user.map(line => line + 1)
      const planLines = plan.map(line => line + total / 2 + 3)
      for (const file of ['a.txt', 'b.txt']) {
        await writeFile(join(repository.root, file), withEdits(total, { user: userLines, plan: [] }))
        await writeFile(join(sandbox.root, file), withEdits(total, { user: [], plan: planLines }))
      }
      expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))
      await writeFile(join(sandbox.root, 'a.txt'), withEdits(total, { user: userLines, plan: planLines }))
      await writeFile(join(sandbox.root, 'b.txt'), withEdits(total, { user: userLines, plan: planLines }))
      expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root))
    }),
    { numRuns: runs, seed },
  )
})

function withEdits(total: number, { user, plan }: { user: number[]; plan: number[] }): string {
  const line = (number: number) =>
    user.includes(number) ? 'user' : plan.includes(number) ? 'plan' : `line ${number}`
  return Array.from({ length: total }, (_, index) => `${line(index + 1)}\n`).join('')
}

function isFile(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory()
  } catch {
    return false
  }
}
