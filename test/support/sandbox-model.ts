/**
 * A plan that is followed step by step beside the plainest model of it: each state is a list of files, and nothing but
 * these lists decides what the sandbox and the project must hold afterwards.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { relPathFromBytes } from '../../src/domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxState, SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { bytes } from './contract-files.ts'
import { type FileTree, makePlainFolder, userEnvironment } from './repository.ts'
import { expectOk } from './result.ts'
import { never, planId } from './sandbox.ts'

export type Step =
  | { readonly do: 'edit'; readonly edits: readonly Edit[]; readonly recorded: 'by name' | 'by looking' }
  | { readonly do: 'restore' | 'apply'; readonly to: number }

export interface Edit {
  readonly kind: 'write' | 'executable' | 'link' | 'remove'
  readonly name: string
  readonly text?: string
  readonly target?: string
}

const name = fc.constantFrom('a', 'b', 'a/x', 'a/y', 'b/x/deep', 'c.txt', 'd d', 'é"\n')
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, text: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('executable' as const), name }),
  fc.record({ kind: fc.constant('link' as const), name, target: name }),
  fc.record({ kind: fc.constant('remove' as const), name }),
)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
        recorded: fc.constantFrom('by name' as const, 'by looking' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), to: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('apply' as const), to: fc.nat() }) },
  ),
  { minLength: 4, maxLength: 12 },
)

export type Files = Readonly<Record<string, string>>

/** What a sandbox shows of a recorded state, given what the project has. */
export type Shows = (about: {
  readonly shown: Files
  readonly recorded: Files
  readonly start: Files
  readonly project: Files
}) => void

/** A folder of the plan's own shows the state and nothing else. */
export const showsTheState: Shows = ({ shown, recorded }) => expect(shown).toEqual(recorded)

/**
 * A layer over the project shows what the plan changed. Where it changed nothing the project shows through, as it is by
 * then; what the plan removed shows again once the project has it anew; and what the plan left alone can be hidden by
 * what one of the two has in place of a folder above it.
 */
export const showsTheChanges: Shows = ({ shown, recorded, start, project }) => {
  const unexplained = namesOf(shown, recorded).filter(path => {
    const isUnchanged = recorded[path] === start[path]
    const isOfProject = shown[path] === project[path] && (isUnchanged || recorded[path] === undefined)
    const isHidden = isUnchanged && shown[path] === undefined && project[path] !== start[path]
    return shown[path] !== recorded[path] && !isOfProject && !isHidden
  })
  expect(
    Object.fromEntries(unexplained.map(path => [path, [shown[path], recorded[path], project[path]]])),
  ).toEqual({})
}

interface Subject {
  readonly strategy: SandboxStrategy
  readonly projectRoot: string
  readonly start: FileTree
  readonly shows: Shows
}

/** Follows the steps in a sandbox of their own, and looks after each. */
export async function followAll({ strategy, projectRoot, start, shows }: Subject, all: readonly Step[]) {
  const sandbox = expectOk(await strategy.open({ planId, projectRoot }, never))
  try {
    expectOk(await sandbox.enter())
    const begun = await filesIn(projectRoot)
    const plan: Plan = { sandbox, projectRoot, start, begun, shows, states: [], applied: 0 }
    await remember(plan, sandbox.baseline)
    for (const one of all) await follow(plan, one)
  } finally {
    await sandbox.close()
  }
}

interface Plan {
  readonly sandbox: Sandbox
  readonly projectRoot: string
  readonly start: FileTree
  /** The same as a list. */
  readonly begun: Files
  readonly shows: Shows
  readonly states: { readonly state: SandboxState; readonly files: Files }[]
  applied: number
}

async function follow(plan: Plan, one: Step): Promise<void> {
  if (one.do === 'edit') return work(plan, one)
  const number = one.to % plan.states.length
  if (one.do === 'restore') return restore(plan, number)
  return apply(plan, number)
}

async function work(plan: Plan, { edits, recorded }: Extract<Step, { do: 'edit' }>): Promise<void> {
  const { sandbox } = plan
  const before = await filesIn(sandbox.root)
  for (const each of edits) await perform(sandbox.root, each)
  const after = await filesIn(sandbox.root)
  const touched = new Set([...Object.keys(before), ...edits.map(each => each.name)])
  const written = recorded === 'by name' ? [...touched].map(relPath) : 'unknown'
  const files = await remember(plan, expectOk(await sandbox.checkpoint('edited', written)))
  const worked = namesOf(before, after).filter(path => before[path] !== after[path])
  expect(only(files, worked)).toEqual(only(after, worked))
}

async function restore({ sandbox, ...plan }: Plan, number: number): Promise<void> {
  const wanted = at(plan, number)
  expectOk(await sandbox.restore(wanted.state))
  expect(expectOk(await sandbox.drift(wanted.state, []))).toEqual([])
  expect(expectOk(await sandbox.checkpoint('again', 'unknown'))).toBe(wanted.state)
  await look({ sandbox, ...plan }, wanted.files)
}

async function apply(plan: Plan, number: number): Promise<void> {
  const [applied, wanted] = [at(plan, plan.applied), at(plan, number)]
  const request = { from: applied.state, to: wanted.state, choice: { kind: 'all' } } as const
  const report = expectOk(await plan.sandbox.apply(request, never))
  expect(report).toMatchObject({ outcome: 'applied', left: [], state: wanted.state })
  expect(await filesIn(plan.projectRoot)).toEqual(wanted.files)
  plan.applied = number
}

/** What the state says of itself is what was in the sandbox when it was recorded. */
async function remember(plan: Plan, state: SandboxState): Promise<Files> {
  const files = await recordedFiles(plan, state)
  plan.states.push({ state, files })
  await look(plan, files)
  return files
}

async function look(plan: Omit<Plan, 'states' | 'applied'>, recorded: Files): Promise<void> {
  const [shown, project] = [await filesIn(plan.sandbox.root), await filesIn(plan.projectRoot)]
  plan.shows({ shown, recorded, start: plan.begun, project })
}

/** By git itself, from the patch that leads there. */
async function recordedFiles({ sandbox, start }: Plan, state: SandboxState): Promise<Files> {
  const folder = await makePlainFolder(start)
  const input = expectOk(await sandbox.patch(sandbox.baseline, state))
  const options = { cwd: folder, input, env: userEnvironment() }
  if (input.length > 0) execFileSync('git', ['apply', '--whitespace=nowarn'], options)
  return filesIn(folder)
}

function at({ states }: Pick<Plan, 'states'>, number: number) {
  const found = states[number]
  if (!found) throw new Error('no state')
  return found
}

function namesOf(one: Files, other: Files): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

function only(files: Files, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map(each => [each, files[each]]))
}

/** Without empty folders: git trees do not hold them. */
async function filesIn(folder: string): Promise<Files> {
  const found = Object.entries(await bytes(folder))
  return Object.fromEntries(found.filter(([, line]) => line !== 'folder'))
}

/** Does to a folder what a tool or a command could do. */
export async function perform(root: string, { kind, name, text, target }: Edit): Promise<void> {
  const path = join(root, name)
  await clearTheWay(root, name)
  if (kind === 'remove') return
  if (kind === 'link') return symlink(target ?? '', path)
  await writeFile(path, kind === 'write' ? (text ?? '') : '#!/bin/sh\n')
  if (kind === 'executable') await chmod(path, 0o755)
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

export function relPath(name: string) {
  return expectOk(relPathFromBytes(Buffer.from(name)))
}
