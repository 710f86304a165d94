import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { mayHaveOthers } from './look-at-folder.ts'
import { joinNul, splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import type { WorkFolder } from './snapshot.ts'

export interface Ignored {
  /** Everything ignored; a folder stands for all in it. */
  readonly all: readonly Buffer[]
  /** Comes along: dependencies, and what `.worktreeinclude` names. */
  readonly brought: readonly Buffer[]
  /** Stays behind. */
  readonly omitted: readonly Buffer[]
  /** Links are never brought: through one, work in the sandbox would reach the user's files. */
  readonly links: readonly Buffer[]
}

/** Sorts what the project ignores into what the sandbox needs and what it does not. */
export async function sortIgnored(
  store: PrivateStore,
  project: WorkFolder,
  signal: AbortSignal,
): Promise<Result<Ignored>> {
  if (!mayHaveOthers(project)) return ok({ all: [], brought: [], omitted: [], links: [] })
  const args = ['ls-files', '-z', '--others', '--ignored', '--directory', '--exclude-standard']
  const listed = await store.run({ ...project, args }, signal)
  if (!listed.ok) return listed
  const included = await includedByFile(store, project, signal)
  if (!included.ok) return included
  const ignored = splitNul(listed.value)
  const dependencies = ignored.filter(path => isFolder(path) && DEPENDENCY_FOLDERS.has(lastName(path)))
  const extra = included.value.filter(path => !isWithin(path, dependencies))
  const brought = [...dependencies, ...extra]
  const chosen = new Set(brought.map(latin1))
  return ok({
    all: ignored,
    brought,
    omitted: ignored.filter(path => !chosen.has(latin1(path)) && !holdsAny(path, brought)),
    links: ignored.filter(path => !isFolder(path) && DEPENDENCY_FOLDERS.has(lastName(path))),
  })
}

const DEPENDENCY_FOLDERS = new Set(['node_modules', '.venv', 'venv', 'vendor', 'target'])

// The convention several tools share: patterns as in .gitignore, which count for ignored paths only.
async function includedByFile(
  store: PrivateStore,
  project: WorkFolder,
  signal: AbortSignal,
): Promise<Result<Buffer[]>> {
  const file = join(project.workTree, '.worktreeinclude')
  if (!existsSync(file)) return ok([])
  const args = ['ls-files', '-z', '--others', '--ignored', '--directory', `--exclude-from=${file}`]
  const matched = await store.run({ ...project, args }, signal)
  if (!matched.ok) return matched
  const stdin = joinNul(splitNul(matched.value))
  const checked = await store.run(
    { ...project, args: ['check-ignore', '-z', '--stdin'], stdin, accept: [1] },
    signal,
  )
  return checked.ok ? ok(splitNul(checked.value)) : checked
}

// A folder of which everything is ignored is listed above its own dependency folder.
function holdsAny(path: Buffer, brought: readonly Buffer[]): boolean {
  return isFolder(path) && brought.some(some => isWithin(some, [path]))
}

function isWithin(path: Buffer, folders: readonly Buffer[]): boolean {
  return folders.some(folder => path.subarray(0, folder.length).equals(folder))
}

function isFolder(path: Buffer): boolean {
  return path.at(-1) === 0x2f
}

function lastName(path: Buffer): string {
  return latin1(path).replace(/\/$/, '').split('/').at(-1) ?? ''
}

function latin1(path: Buffer): string {
  return path.toString('latin1')
}
