import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { captureFiles } from '../copy/capture-in-place.ts'
import { leadsInto } from '../copy/links-back.ts'
import { openSource } from '../copy/source.ts'
import type { CreatedSandbox, FolderSpec } from '../folder-strategy.ts'
import { type LeftOut, leftOutNotices } from '../left-out.ts'
import { headOf } from '../moved-base.ts'
import { makeAgentView } from '../store/agent-view.ts'
import { filesApart } from '../store/apart.ts'
import { excludesOfPlainFolder, excludesOfRepository, writeExcludes } from '../store/excludes.ts'
import { type Ignored, sortIgnored } from '../store/ignored-paths.ts'
import { listIndex } from '../store/index-entries.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { createStore, type PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from '../store/project-repository.ts'
import { removeSharedIndexes, seedFromProject } from '../store/seed-index.ts'
import { snapshotFolder } from '../store/snapshot.ts'
import { recordState } from '../store/states.ts'
import { writeIndex } from '../store/write-index.ts'
import { makePlaces } from './make-places.ts'
import { overlayPlaces } from './places.ts'

/** Records the project as it is and makes room for what the plan changes. Nothing is copied, and nothing mounted yet. */
export async function createOverlay(
  access: GitAccess,
  folder: PlanFolder,
  { projectRoot, apart = [] }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const described = await describeRepository(access, projectRoot, signal)
  signal.throwIfAborted()
  // A folder that git will not read as a repository is one like any other here.
  const captured = described.ok
    ? await captureRepository(
        access,
        folder,
        { repository: described.value, apart: filesApart(apart) },
        signal,
      )
    : await captureFolder(access, folder, { projectRoot, apart }, signal)
  if (!captured.ok) return captured
  const { store, tree, ignored, leftOut } = captured.value
  const state = { tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  const baseline = await recordState(store, state, signal)
  if (!baseline.ok) return baseline
  await makePlaces(overlayPlaces(folder), projectRoot)
  const view = described.ok ? await makeView(access, store, described.value, signal) : []
  const shown = ignored.all.length === 0 ? [] : [SHOWN]
  const head = described.ok ? headOf(described.value) : null
  return ok({ baseline: baseline.value, notices: [...leftOutNotices(leftOut), ...shown, ...view], head })
}

const SHOWN =
  'Dependency folders and other ignored files are the ones in your folder; what the plan changes in them stays in the sandbox, is not rolled back and not applied.'

interface Captured {
  readonly store: PrivateStore
  readonly tree: string
  readonly ignored: Ignored
  readonly leftOut: LeftOut
}

async function captureRepository(
  { git }: GitAccess,
  folder: PlanFolder,
  { repository, apart }: { readonly repository: ProjectRepository; readonly apart: readonly Buffer[] },
  signal: AbortSignal,
): Promise<Result<Captured>> {
  const store = await createStore(git, folder, repository.objectFormat)
  const patterns = await excludesOfRepository(repository)
  await writeExcludes(excludesOf(store), patterns, apart)
  const snapshot = await seedFromProject(git, store, { project: repository, apart }, signal)
  if (!snapshot.ok) return snapshot
  await removeSharedIndexes(store)
  const project = { workTree: repository.root, index: folder.userIndex }
  const ignored = await sortIgnored(store, project, signal)
  if (!ignored.ok) return ignored
  await writeExcludes(excludesOf(store), patterns, [...ignored.value.all, ...apart])
  const entries = await listIndex(store, folder.userIndex, signal)
  if (!entries.ok) return entries
  const withMode = (mode: string) =>
    entries.value.filter(entry => entry.mode === mode).map(entry => entry.path)
  const leftOut = {
    inProgress: repository.inProgress,
    repositories: [...snapshot.value.nested, ...withMode('160000')],
    unreadable: snapshot.value.unreadable,
    linksBack: withMode('120000').filter(path => leadsInto(repository.root, path)),
  }
  return ok({ store, tree: snapshot.value.tree, ignored: ignored.value, leftOut })
}

async function captureFolder(
  access: GitAccess,
  folder: PlanFolder,
  { projectRoot, apart = [] }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<Captured>> {
  // Nothing is copied here, so a big file costs its one look; what a plan writes to it comes home like all else.
  const everything = { ...access, bigFileBytes: () => Number.POSITIVE_INFINITY }
  const source = await openSource(everything, folder, { projectRoot, apart }, signal)
  if (!source.ok) return source
  const { store, survey, ignored } = source.value
  const kept = [...ignored.all, ...filesApart(apart), ...survey.repositories, ...survey.unreadable]
  await writeExcludes(excludesOf(store), excludesOfPlainFolder(projectRoot), kept)
  const captured = await captureFiles(store, projectRoot, survey, signal)
  if (!captured.ok) return captured
  await writeIndex(folder.userIndex, captured.value.rows)
  const snapshot = await snapshotFolder(store, { workTree: projectRoot, index: folder.userIndex }, signal)
  if (!snapshot.ok) return snapshot
  const leftOut = {
    repositories: survey.repositories,
    specials: survey.specials,
    unreadable: [...survey.unreadable, ...captured.value.unreadable],
    linksBack: survey.entries.map(entry => entry.path).filter(path => leadsInto(projectRoot, path)),
  }
  return ok({ store, tree: snapshot.value.tree, ignored, leftOut })
}

/** What is ignored now stays so whatever becomes of the rules: a rollback must not take away what it never recorded. */
function excludesOf(store: PrivateStore): string {
  return join(store.folder.store, 'info', 'exclude')
}

export async function makeView(
  { git }: GitAccess,
  store: PrivateStore,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<string[]> {
  const { view } = overlayPlaces(store.folder)
  // Laid over the sandbox's own .git when it is mounted.
  const place = { ...store, folder: { ...store.folder, root: view } }
  const viewed = await makeAgentView(git, place, repository, signal)
  if (!viewed.ok) return [`git commands in the sandbox do not work: ${viewed.failure.message}`]
  await borrowObjects(view, repository)
  return []
}

/** Where the sandbox is mounted the project's own .git is covered, so its objects are laid into the one on top. */
async function borrowObjects(view: string, { commonDir }: ProjectRepository): Promise<void> {
  await symlink(join(commonDir, 'objects'), join(view, 'objects'))
  await mkdir(join(view, '.git', 'borrowed'))
  await writeFile(join(view, '.git', 'objects', 'info', 'alternates'), '../borrowed\n')
}
