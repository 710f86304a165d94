import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { Git, GitCall } from '../../git/git.ts'
import type { PlanFolder } from './plan-folder.ts'
import type { ProjectRepository } from './project-repository.ts'

/** The plan's own bare git directory: no actor can write it and the user's repository never sees it. */
export interface PrivateStore {
  readonly folder: PlanFolder
  /** Runs git in the store; the working folder and index are those of the call. */
  run(call: StoreCall, signal?: AbortSignal): Promise<Result<Buffer>>
}

export interface StoreCall extends Omit<GitCall, 'cwd' | 'dirs' | 'settings'> {
  readonly index?: string
  readonly workTree?: string
  readonly borrowedObjects?: string
}

export function openStore(git: Git, folder: PlanFolder): PrivateStore {
  return {
    folder,
    async run({ index, workTree, borrowedObjects, ...call }, signal) {
      const dirs = {
        gitDir: folder.store,
        ...(workTree === undefined ? {} : { workTree }),
        ...(index === undefined ? {} : { indexFile: index }),
        ...(borrowedObjects === undefined ? {} : { borrowedObjects }),
      }
      const ran = await git({ ...call, cwd: workTree ?? folder.store, dirs }, signal)
      if (!ran.ok && ran.failure.code === 'disk_full') await sweepTemporaryObjects(folder.store)
      return ran.ok ? ok(ran.value.stdout) : ran
    },
  }
}

/** Makes the store, empty. */
export async function createStore(
  git: Git,
  folder: PlanFolder,
  project: ProjectRepository,
  signal: AbortSignal,
): Promise<Result<PrivateStore>> {
  await mkdir(folder.scratch, { recursive: true })
  const args = [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--object-format=${project.objectFormat}`,
    folder.store,
  ]
  const made = await git({ args, cwd: folder.path }, signal)
  if (!made.ok) return made
  const configFile = join(folder.store, 'config')
  await writeFile(configFile, `${await readFile(configFile, 'utf8')}${storeSettings}`)
  await mkdir(join(folder.store, 'info'), { recursive: true })
  await writeFile(join(folder.store, 'info', 'attributes'), rawBytes)
  return ok(openStore(git, folder))
}

/**
 * Copies what a state needs from the project's objects into the store, in one pack, reusing what is compressed already.
 * From then on the user may prune, repack or delete their repository without harm to the plan. Only this call borrows:
 * while writing, git would touch the times of equal objects it finds in a borrowed folder.
 */
export async function ownObjects(
  store: PrivateStore,
  project: ProjectRepository,
  state: SandboxState,
  signal: AbortSignal,
): Promise<Result<void>> {
  const borrowedObjects = join(project.commonDir, 'objects')
  const pack = join(store.folder.store, 'objects', 'pack', 'pack')
  const args = ['pack-objects', '--quiet', '--revs', '--window=0', '--delta-base-offset', pack]
  const packed = await store.run({ args, borrowedObjects, stdin: Buffer.from(`${state}\n`) }, signal)
  if (!packed.ok) return packed
  const onOutput = () => {}
  const complete = await store.run({ args: ['rev-list', '--objects', state], onOutput }, signal)
  return complete.ok ? ok() : complete
}

/** Records a tree as a state that keeps: a commit under a ref of the plan, read back before it counts. */
export async function recordState(
  store: PrivateStore,
  {
    tree,
    parent,
    label,
    ref,
  }: { tree: string; parent: SandboxState | null; label: string; ref: string | null },
  signal?: AbortSignal,
): Promise<Result<SandboxState>> {
  const parents = parent === null ? [] : ['-p', parent]
  const committed = await store.run(
    { args: ['commit-tree', tree, ...parents], stdin: Buffer.from(label) },
    signal,
  )
  if (!committed.ok) return committed
  const commit = committed.value.toString().trim()
  if (ref !== null) {
    const commands = [
      `update refs/plans/${ref}/${commit} ${commit}`,
      `update refs/plans/${ref}/latest ${commit}`,
      '',
    ]
    const updated = await store.run(
      { args: ['update-ref', '--stdin'], stdin: Buffer.from(commands.join('\n')) },
      signal,
    )
    if (!updated.ok) return updated
  }
  const readBack = await treeOf(store, commit as SandboxState)
  if (readBack.ok && readBack.value === tree) return ok(commit as SandboxState)
  return refuse(
    'checkpoint_unverified',
    `The checkpoint "${label}" could not be read back after it was written.`,
    { commit },
  )
}

/** The newest checkpoint, or the baseline when there is none. */
export async function latestState(store: PrivateStore): Promise<Result<SandboxState>> {
  const args = [
    'for-each-ref',
    '--format=%(objectname)',
    'refs/plans/checkpoints/latest',
    'refs/plans/baseline/latest',
  ]
  const listed = await store.run({ args })
  if (!listed.ok) return listed
  // Sorted by name: "baseline" comes before "checkpoints".
  const newest = listed.value.toString().trim().split('\n').at(-1)
  if (newest) return ok(newest as SandboxState)
  return refuse(
    'sandbox_failed',
    "The plan's store has no baseline. The plan can only be cancelled or started anew.",
  )
}

export async function treeOf(store: PrivateStore, state: SandboxState): Promise<Result<string>> {
  const found = await store.run({ args: ['rev-parse', '--verify', '--end-of-options', `${state}^{tree}`] })
  if (found.ok) return ok(found.value.toString().trim())
  return refuse('not_found', `The state ${state} is not in the plan's store.`, { state })
}

// compression: checkpoints are short-lived, so speed counts more than size.
const storeSettings = `
[core]
	autocrlf = false
	fileMode = true
	symlinks = true
	ignoreCase = false
	compression = 1
	bigFileThreshold = 50m
	untrackedCache = false
	splitIndex = false
	logAllRefUpdates = false
[gc]
	auto = 0
[merge]
	directoryRenames = false
`

// Highest precedence: bytes are stored as they are, and no .gitattributes that an actor can write turns a change into
// "binary" for the reviewer or lets a merge pass without its conflict.
const rawBytes = '* -text -eol -crlf -ident -filter -working-tree-encoding !diff !merge\n'

async function sweepTemporaryObjects(store: string): Promise<void> {
  const objects = join(store, 'objects')
  for (const folder of await readdir(objects)) {
    for (const name of await readdir(join(objects, folder)).catch(() => [])) {
      if (/^(tmp_|\.tmp-)/.test(name)) await rm(join(objects, folder, name), { force: true })
    }
  }
}
