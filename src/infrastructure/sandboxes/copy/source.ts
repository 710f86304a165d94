import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { FolderSpec } from '../folder-strategy.ts'
import { filesApart } from '../store/apart.ts'
import { excludesOfPlainFolder, excludesOfRepository, writeExcludes } from '../store/excludes.ts'
import { type Ignored, sortIgnored } from '../store/ignored-paths.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { createStore, type PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from '../store/project-repository.ts'
import { snapshotFolder } from '../store/snapshot.ts'
import { recordState } from '../store/states.ts'
import { type Survey, surveyFolder } from './survey.ts'

/** A project's folder, looked over, and an empty store for what is to be kept of it. */
export interface Source {
  readonly store: PrivateStore
  readonly survey: Survey
  readonly ignored: Ignored
  /** Null where the folder is no repository, or one that git will not read: nothing depends on it. */
  readonly repository: ProjectRepository | null
}

export async function openSource(
  access: GitAccess,
  folder: PlanFolder,
  { projectRoot, apart }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<Source>> {
  const databases = filesApart(apart ?? [])
  const described = await describeRepository(access, projectRoot, signal)
  const repository = described.ok ? described.value : null
  const created = await createStore(access.git, folder, repository?.objectFormat ?? 'sha1', signal)
  if (!created.ok) return created
  const store = created.value
  const excludes = join(store.folder.store, 'info', 'exclude')
  const patterns = repository ? await excludesOfRepository(repository) : excludesOfPlainFolder(projectRoot)
  await writeExcludes(excludes, patterns, databases)
  const ignored = await findIgnored(store, projectRoot, repository, signal)
  if (!ignored.ok) return ignored
  const leftOut = new Set([...ignored.value.all, ...databases].map(withoutSlash))
  const survey = await surveyFolder(Buffer.from(projectRoot), leftOut, signal)
  const kept = [...databases, ...ignored.value.brought, ...survey.repositories, ...survey.unreadable]
  await writeExcludes(excludes, patterns, kept)
  return ok({ store, survey, ignored: ignored.value, repository })
}

/** Only paths that git does not track can be ignored; for that their list is read, in a copy. */
async function findIgnored(
  store: PrivateStore,
  root: string,
  repository: ProjectRepository | null,
  signal: AbortSignal,
): Promise<Result<Ignored>> {
  const index = store.folder.userIndex
  if (repository) await copyFile(join(repository.gitDir, 'index'), index).catch(ignoreMissing)
  const found = await sortIgnored(store, { workTree: root, index }, signal)
  await rm(index, { force: true })
  // A damaged list of theirs is no reason to have no sandbox.
  return found.ok || !repository ? found : sortIgnored(store, { workTree: root, index }, signal)
}

/** The first state of a plan: the working folder as its index knows it. */
export async function recordBaseline(
  store: PrivateStore,
  signal: AbortSignal,
): Promise<Result<SandboxState>> {
  const work = { workTree: store.folder.root, index: store.folder.workIndex }
  const snapshot = await snapshotFolder(store, work, signal)
  if (!snapshot.ok) return snapshot
  const state = { tree: snapshot.value.tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  return recordState(store, state, signal)
}

function withoutSlash(path: Buffer): string {
  return path.toString('latin1').replace(/\/$/, '')
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
