import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import { includedRepositories } from '../bring-repositories.ts'
import type { FolderSpec } from '../folder-strategy.ts'
import { filesApart } from '../store/apart.ts'
import { excludesOfPlainFolder, excludesOfRepository, writeExcludes } from '../store/excludes.ts'
import { type Ignored, sortIgnored } from '../store/ignored-paths.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { createStore, type PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from '../store/project-repository.ts'
import { copyIndex, removeSharedIndexes } from '../store/seed-index.ts'
import { snapshotFolder } from '../store/snapshot.ts'
import { recordState } from '../store/states.ts'
import { sortOutBig } from './big-files.ts'
import { type FoundEntry, type Survey, surveyFolder } from './survey.ts'

/** A project's folder, looked over, and an empty store for what is to be kept of it. */
export interface Source {
  readonly store: PrivateStore
  readonly survey: Survey
  /** Files that come to the sandbox by a way of their own, and are in no state of the folder. */
  readonly databases: readonly Buffer[]
  /** Files of the folder that are in no state of it, for their size. */
  readonly big: readonly FoundEntry[]
  readonly ignored: Ignored
  /** Those of the survey whose files come along, because `.worktreeinclude` names them. */
  readonly included: readonly Buffer[]
  /** Null where the folder is no repository, or one that git will not read: nothing depends on it. */
  readonly repository: ProjectRepository | null
}

export interface SourceAccess extends GitAccess {
  /** Files above this are not recorded. */
  readonly bigFileBytes: () => number
}

export async function openSource(
  access: SourceAccess,
  folder: PlanFolder,
  spec: FolderSpec,
  signal: AbortSignal,
): Promise<Result<Source>> {
  const described = await describeRepository(access, spec.projectRoot, signal)
  return openSourceOf(access, folder, { ...spec, repository: described.ok ? described.value : null }, signal)
}

/** The same where it is known already what git says about the folder. */
export async function openSourceOf(
  access: SourceAccess,
  folder: PlanFolder,
  { projectRoot, apart = [], repository }: FolderSpec & { readonly repository: ProjectRepository | null },
  signal: AbortSignal,
): Promise<Result<Source>> {
  const databases = filesApart(apart)
  const store = await createStore(access.git, folder, repository?.objectFormat ?? 'sha1')
  const excludes = join(store.folder.store, 'info', 'exclude')
  const patterns = repository ? await excludesOfRepository(repository) : excludesOfPlainFolder(projectRoot)
  await writeExcludes(excludes, patterns, databases)
  const found = await findIgnored(store, projectRoot, repository, signal)
  if (!found.ok) return found
  const ignored = withoutApart(found.value, databases)
  const leftOut = new Set([...ignored.all, ...databases].map(withoutSlash))
  const survey = await surveyFolder(Buffer.from(projectRoot), leftOut, signal)
  const [entries, big] = sortOutBig(survey.entries, access.bigFileBytes())
  const unrecorded = big.map(({ path }) => path)
  const kept = [...databases, ...ignored.brought, ...survey.repositories, ...survey.unreadable, ...unrecorded]
  await writeExcludes(excludes, patterns, kept)
  const included = await includedRepositories(projectRoot, survey.repositories)
  return ok({ store, survey: { ...survey, entries }, databases, big, ignored, included, repository })
}

/** Neither brought along nor missing. */
function withoutApart(ignored: Ignored, apart: readonly Buffer[]): Ignored {
  const others = (paths: readonly Buffer[]) => paths.filter(path => !apart.some(each => each.equals(path)))
  return { ...ignored, brought: others(ignored.brought), omitted: others(ignored.omitted) }
}

/** Only paths that git does not track can be ignored; for that their list is read, in a copy. */
async function findIgnored(
  store: PrivateStore,
  root: string,
  repository: ProjectRepository | null,
  signal: AbortSignal,
): Promise<Result<Ignored>> {
  const index = store.folder.userIndex
  if (repository) await copyIndex(repository, store)
  const found = await sortIgnored(store, { workTree: root, index }, signal)
  await rm(index, { force: true })
  await removeSharedIndexes(store)
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
