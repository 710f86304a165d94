import { lstatSync } from 'node:fs'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relPathFromBytes } from '../../../src/domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxState, SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { openAndEnter } from '../../contracts/sandbox.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { overlayIsPossible } from '../../support/overlay.ts'
import { type FileTree, makePlainFolder, makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, never, openSandbox, strategyNamed } from '../../support/sandbox.ts'

const runs = process.env['LONG'] === '1' ? 200 : 3
const seed = 7

const name = fc.constantFrom('a', 'b', 'a/x', 'a/y', 'b/x/deep', 'c.txt', 'd d', 'é"\n')
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, text: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('executable' as const), name }),
  fc.record({ kind: fc.constant('link' as const), name, target: name }),
  fc.record({ kind: fc.constant('remove' as const), name }),
)
interface Edit {
  readonly kind: 'write' | 'executable' | 'link' | 'remove'
  readonly name: string
  readonly text?: string
  readonly target?: string
}

/** Every strategy that returns to states, each with a way to make a project for it. */
const strategies: readonly {
  readonly name: SandboxStrategyName
  readonly makeProject: (files: FileTree) => Promise<string>
}[] = [
  { name: 'git_worktree', makeProject: async files => (await makeRepository({ files })).root },
  { name: 'filesystem_copy', makeProject: makePlainFolder },
  ...(overlayIsPossible
    ? [
        {
          name: 'overlay' as const,
          makeProject: async (files: FileTree) => (await makeRepository({ files })).root,
        },
      ]
    : []),
]

type Step =
  | { readonly do: 'edit'; readonly edits: readonly Edit[]; readonly recorded: 'by name' | 'by looking' }
  | { readonly do: 'restore' | 'apply'; readonly to: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: editStep() },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), to: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('apply' as const), to: fc.nat() }) },
)

function editStep() {
  return fc.record({
    do: fc.constant('edit' as const),
    edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    recorded: fc.constantFrom('by name' as const, 'by looking' as const),
  })
}

test.each(strategies)(
  'in $name, what was recorded is what comes back, in the sandbox and in the files, in any order',
  async ({ name: strategyName, makeProject }) => {
    const projectRoot = await makeProject({ 'a/x': 'x\n', 'c.txt': lines(10) })
    const strategy = await strategyNamed(strategyName)
    const sandbox = await openAndEnter({ strategy, projectRoot })
    const model: Model = { states: [], applied: 0 }
    await remember(model, sandbox, sandbox.baseline)

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async steps => {
        for (const one of steps) await follow(model, sandbox, projectRoot, one)
      }),
      { numRuns: Math.ceil(runs / 2), seed, endOnFailure: true, examples: found.map(steps => [steps]) },
    )
  },
)

/** Sequences that once went wrong. They run first and in this order, so the states they count are theirs. */
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

/** What a sandbox and its project must hold, as plainly as possible. */
interface Model {
  readonly states: { readonly state: SandboxState; readonly files: Record<string, string> }[]
  applied: number
}

async function remember(model: Model, sandbox: Sandbox, state: SandboxState): Promise<void> {
  model.states.push({ state, files: withoutEmptyFolders(await bytes(sandbox.root)) })
}

async function follow(model: Model, sandbox: Sandbox, projectRoot: string, one: Step): Promise<void> {
  if (one.do === 'edit') {
    const before = Object.keys(await bytes(sandbox.root)).filter(each => !each.endsWith('/'))
    for (const each of one.edits) await perform(sandbox.root, each)
    const touched = new Set([...before, ...one.edits.map(each => each.name)])
    const written = one.recorded === 'by name' ? [...touched].map(relPath) : 'unknown'
    return remember(model, sandbox, expectOk(await sandbox.checkpoint('edited', written)))
  }
  const number = one.to % model.states.length
  const [wanted, applied] = [model.states[number], model.states[model.applied]]
  if (!wanted || !applied) throw new Error('no state')
  if (one.do === 'restore') {
    expectOk(await sandbox.restore(wanted.state))
    expect(withoutEmptyFolders(await bytes(sandbox.root))).toEqual(wanted.files)
    expect(expectOk(await sandbox.drift(wanted.state, []))).toEqual([])
    return
  }
  const request = { from: applied.state, to: wanted.state, choice: { kind: 'all' } } as const
  expect(expectOk(await sandbox.apply(request, never))).toMatchObject({ outcome: 'applied', left: [] })
  model.applied = number
  expect(withoutEmptyFolders(await bytes(projectRoot))).toEqual(wanted.files)
}

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

async function perform(root: string, edit: Edit): Promise<void> {
  const path = join(root, edit.name)
  await clearTheWay(root, edit.name)
  if (edit.kind === 'remove') return
  if (edit.kind === 'link') return symlink(edit.target ?? '', path)
  await writeFile(path, edit.kind === 'write' ? (edit.text ?? '') : '#!/bin/sh\n')
  if (edit.kind === 'executable') await chmod(path, 0o755)
}

// Whatever stands at the path or, as a file or link, above it makes room.
async function clearTheWay(root: string, name: string): Promise<void> {
  const parts = name.split('/')
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth))
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      await rm(folder).catch(() => {})
      await mkdir(folder, { recursive: true })
    })
  }
  await rm(join(root, name), { recursive: true, force: true })
  await mkdir(dirname(join(root, name)), { recursive: true })
}

// git trees do not hold them.
function withoutEmptyFolders(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([, line]) => line !== 'folder'))
}

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

function relPath(name: string) {
  return expectOk(relPathFromBytes(Buffer.from(name)))
}
