/** The states of a plan: commits in its store, kept by refs. Written and read as files, checked by reading them back. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import { commitIdentity } from '../../git/environment.ts'
import { writeFailure } from '../writes/prepare.ts'
import { readObject, writeObject } from './loose-objects.ts'
import type { PrivateStore } from './private-store.ts'

export type StateFamily =
  | 'baseline'
  | 'checkpoints'
  | 'applied'
  | 'project'
  | 'replayed'
  | 'received'
  | 'merged'

interface NewState {
  readonly tree: string
  readonly parent: SandboxState | null
  readonly label: string
  /** The family of refs that keeps it; null when nothing has to. */
  readonly ref: StateFamily | null
  /** What the state says of its time; where it is left out, now. States alike in everything are one. */
  readonly recordedAt?: Date
}

/** Records a tree as a state that keeps: a commit under a ref of the plan, read back before it counts. */
export async function recordState(
  store: PrivateStore,
  state: NewState,
  signal?: AbortSignal,
): Promise<Result<SandboxState>> {
  const gitDir = store.folder.store
  try {
    const content = Buffer.from(commitText(state))
    const commit = writeObject(gitDir, { type: 'commit', content }, state.tree.length) as SandboxState
    if (state.ref !== null) {
      const kept = await keep(store, commit, state.ref, signal)
      if (!kept.ok) return kept
    }
    const readBack = await readTreeOf(store, commit)
    if (readBack.ok && readBack.value === state.tree) return ok(commit)
    return refuse(
      'checkpoint_unverified',
      `The checkpoint "${state.label}" could not be read back after it was written.`,
      { commit },
    )
  } catch (error) {
    return writeFailure(error, gitDir)
  }
}

function commitText({ tree, parent, label, recordedAt = new Date() }: NewState): string {
  const who = `${commitIdentity} ${Math.floor(recordedAt.getTime() / 1000)} +0000`
  const parents = parent === null ? [] : [`parent ${parent}`]
  const header = [`tree ${tree}`, ...parents, `author ${who}`, `committer ${who}`]
  return `${header.join('\n')}\n\n${label.replaceAll('\0', '')}`
}

async function keep(
  store: PrivateStore,
  commit: SandboxState,
  family: StateFamily,
  signal?: AbortSignal,
): Promise<Result<unknown>> {
  const own = `refs/plans/${family}/${commit}`
  // None of these is what the folder had last: that is said once it has it. Whoever looks makes some at the same time.
  const isAlone = family === 'replayed' || family === 'received' || family === 'merged'
  const names = isAlone ? [own] : [own, `refs/plans/${family}/latest`]
  if (keepsRefsAsFiles(store)) {
    for (const name of names) writeRef(store.folder.store, name, commit)
    return ok()
  }
  const stdin = Buffer.from(names.map(name => `update ${name} ${commit}\n`).join(''))
  return store.run({ args: ['update-ref', '--stdin'], stdin }, signal)
}

// Newer versions of git may keep them in tables instead.
function keepsRefsAsFiles({ folder }: PrivateStore): boolean {
  return !existsSync(join(folder.store, 'reftable'))
}

/** As git does it: the lock is the new content, and taking its place is one step. */
function writeRef(gitDir: string, name: string, commit: string): void {
  const file = join(gitDir, name)
  // A ref named after its commit has one content only, whoever writes it.
  const lock = name.endsWith(commit) ? `${file}.${randomUUID()}.lock` : `${file}.lock`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(lock, `${commit}\n`, { flag: 'wx' })
  renameSync(lock, file)
  if (readRef(gitDir, name) !== commit) throw new Error(`The ref ${name} cannot be read back`)
}

function readRef(gitDir: string, name: string): string | null {
  try {
    return readFileSync(join(gitDir, name), 'latin1').trim()
  } catch {
    return null
  }
}

/** The folder has this state again: the next checkpoint comes after it. */
export async function markLatest(
  store: PrivateStore,
  state: SandboxState,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const name = 'refs/plans/checkpoints/latest'
  if (!keepsRefsAsFiles(store))
    return store.run({ args: ['update-ref', '--end-of-options', name, state] }, signal)
  try {
    writeRef(store.folder.store, name, state)
    return ok()
  } catch (error) {
    return writeFailure(error, store.folder.store)
  }
}

/** The state the folder had last: the newest checkpoint, what it was restored to, or the baseline. */
export async function latestState(store: PrivateStore): Promise<Result<SandboxState>> {
  const gitDir = store.folder.store
  const newest =
    readRef(gitDir, 'refs/plans/checkpoints/latest') ??
    readRef(gitDir, 'refs/plans/baseline/latest') ??
    (await listedLatest(store))
  if (newest) return ok(newest as SandboxState)
  return refuse(
    'sandbox_failed',
    "The plan's store has no baseline. The plan can only be cancelled or started anew.",
  )
}

async function listedLatest(store: PrivateStore): Promise<string | undefined> {
  const refs = ['refs/plans/checkpoints/latest', 'refs/plans/baseline/latest']
  const listed = await store.run({ args: ['for-each-ref', '--format=%(objectname)', ...refs] })
  // Sorted by name: "baseline" comes before "checkpoints".
  return listed.ok ? listed.value.toString().trim().split('\n').at(-1) : undefined
}

/** The newest state of a family; null when there is none, or when git keeps its refs in tables. */
export function lastOf({ folder }: PrivateStore, family: StateFamily): SandboxState | null {
  return readRef(folder.store, `refs/plans/${family}/latest`) as SandboxState | null // written by recordState
}

export async function treeOf(store: PrivateStore, state: SandboxState): Promise<Result<string>> {
  const known = store.trees.get(state)
  return known === undefined ? readTreeOf(store, state) : ok(known)
}

async function readTreeOf(store: PrivateStore, state: SandboxState): Promise<Result<string>> {
  const tree = treeOfLooseCommit(store, state) ?? (await treeOfPackedCommit(store, state))
  if (tree === null) return refuse('not_found', `The state ${state} is not in the plan's store.`, { state })
  store.trees.set(state, tree)
  return ok(tree)
}

function treeOfLooseCommit({ folder }: PrivateStore, state: SandboxState): string | null {
  if (!/^[0-9a-f]{40,64}$/.test(state)) return null
  const found = readObject(folder.store, state)
  if (found?.type !== 'commit') return null
  return /^tree ([0-9a-f]+)\n/.exec(found.content.toString('latin1'))?.[1] ?? null
}

async function treeOfPackedCommit(store: PrivateStore, state: SandboxState): Promise<string | null> {
  const found = await store.run({ args: ['rev-parse', '--verify', '--end-of-options', `${state}^{tree}`] })
  return found.ok ? found.value.toString().trim() : null
}
