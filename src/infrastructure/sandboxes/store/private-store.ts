import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { Git, GitCall } from '../../git/git.ts'
import { initRepository } from './init-repository.ts'
import { sweepTemporaryObjects } from './leftovers.ts'
import type { PlanFolder } from './plan-folder.ts'
import type { ProjectRepository } from './project-repository.ts'
import type { TreeFolder } from './tree-object.ts'

/** The plan's own bare git directory: no actor can write it and the user's repository never sees it. */
export interface PrivateStore {
  readonly folder: PlanFolder
  /** The trees of states that were asked for: what a commit names never changes. */
  readonly trees: Map<SandboxState, string>
  /** Folders of trees that were read, by object: what that names never changes. */
  readonly folders: Map<string, TreeFolder>
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
    trees: new Map(),
    folders: new Map(),
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
export async function createStore(git: Git, folder: PlanFolder, objectFormat: string): Promise<PrivateStore> {
  await mkdir(folder.scratch, { recursive: true })
  await initRepository(folder.store, { objectFormat, isBare: true, settings: storeSettings })
  await writeFile(join(folder.store, 'info', 'attributes'), rawBytes)
  return openStore(git, folder)
}

/**
 * Copies a tree of the project, or a state, with all that it holds into the store, in one pack, reusing what is
 * compressed already. Only this call borrows: while writing, git would touch the times of equal objects it finds in a
 * borrowed folder.
 */
export async function copyObjects(
  store: PrivateStore,
  project: ProjectRepository,
  tree: string,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const borrowedObjects = join(project.commonDir, 'objects')
  const pack = join(store.folder.store, 'objects', 'pack', 'pack')
  const args = ['pack-objects', '--quiet', '--revs', '--window=0', '--delta-base-offset', pack]
  return store.run({ args, borrowedObjects, stdin: Buffer.from(`${tree}\n`) }, signal)
}

// compression: checkpoints are short-lived, so speed counts more than size. unpackLimit: one more process of git would
// make a file of each of a few objects.
const storeSettings = `[core]
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
[fastimport]
	unpackLimit = 1
[merge]
	directoryRenames = false
`

// Highest precedence: bytes are stored as they are, and no .gitattributes that an actor can write turns a change into
// "binary" for the reviewer or lets a merge pass without its conflict.
const rawBytes = '* -text -eol -crlf -ident -filter -working-tree-encoding !diff !merge\n'
