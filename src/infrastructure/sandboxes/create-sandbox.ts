import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { bringAlong } from './bring-along.ts'
import { leadsInto } from './copy/links-back.ts'
import type { CreatedSandbox, FolderSpec } from './folder-strategy.ts'
import { leftOutNotices } from './left-out.ts'
import { makeAgentView } from './store/agent-view.ts'
import { filesApart } from './store/apart.ts'
import { excludesOfRepository, writeExcludes } from './store/excludes.ts'
import { type Ignored, sortIgnored } from './store/ignored-paths.ts'
import { listIndex } from './store/index-entries.ts'
import type { PlanFolder } from './store/plan-folder.ts'
import { createStore, ownObjects, type PrivateStore } from './store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from './store/project-repository.ts'
import { removeSharedIndexes, seedFromProject } from './store/seed-index.ts'
import { type Snapshot, snapshotFolder } from './store/snapshot.ts'
import { recordState } from './store/states.ts'

/** Makes the plan's store and the sandbox from the project's present tree. The plan's folder must not exist yet. */
export async function createSandbox(
  access: GitAccess,
  folder: PlanFolder,
  { projectRoot, apart = [] }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const project = await describeRepository(access, projectRoot, signal)
  if (!project.ok) return project
  await mkdir(folder.root, { recursive: true })
  const store = await createStore(access.git, folder, project.value.objectFormat, signal)
  if (!store.ok) return store
  const captured = await captureBaseline(
    access,
    { store: store.value, project: project.value, apart: filesApart(apart) },
    signal,
  )
  if (!captured.ok) return captured
  const { baseline, snapshot, ignored } = captured.value

  const filled = await fillRoot(store.value, snapshot.tree, signal)
  if (!filled.ok) return filled
  const viewed = await makeAgentView(access.git, store.value, project.value, signal)
  const move = { from: projectRoot, to: folder.root, environment: { ...access.environment } }
  const brought = await bringAlong(ignored.brought, move, signal)
  const notices = await describe(store.value, project.value, { snapshot, ignored }, signal)
  if (!notices.ok) return notices
  const view = viewed.ok ? [] : [`git commands in the sandbox do not work: ${viewed.failure.message}`]
  return ok({ baseline, notices: [...notices.value, ...view, ...brought] })
}

async function captureBaseline(
  { git }: GitAccess,
  { store, project, apart }: { store: PrivateStore; project: ProjectRepository; apart: readonly Buffer[] },
  signal: AbortSignal,
): Promise<Result<{ baseline: SandboxState; snapshot: Snapshot; ignored: Ignored }>> {
  const excludes = join(store.folder.store, 'info', 'exclude')
  const patterns = await excludesOfRepository(project)
  await writeExcludes(excludes, patterns, apart)
  const snapshot = await seedFromProject(git, store, { project, apart }, signal)
  if (!snapshot.ok) return snapshot
  await removeSharedIndexes(store)
  const folder = { workTree: project.root, index: store.folder.userIndex }
  const sorted = await sortIgnored(store, folder, signal)
  if (!sorted.ok) return sorted
  const ignored = withoutApart(sorted.value, apart)
  await writeExcludes(excludes, patterns, [...ignored.brought, ...apart])
  const state = { tree: snapshot.value.tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  const baseline = await recordState(store, state, signal)
  if (!baseline.ok) return baseline
  const owned = await ownObjects(store, project, baseline.value, signal)
  return owned.ok ? ok({ baseline: baseline.value, snapshot: snapshot.value, ignored }) : owned
}

/** They come to the sandbox by a way of their own. */
function withoutApart(ignored: Ignored, apart: readonly Buffer[]): Ignored {
  const others = (paths: readonly Buffer[]) => paths.filter(path => !apart.some(each => each.equals(path)))
  return {
    all: ignored.all,
    brought: others(ignored.brought),
    omitted: others(ignored.omitted),
    links: ignored.links,
  }
}

// From the store rather than from the project, which may be edited in this very moment.
async function fillRoot(store: PrivateStore, tree: string, signal: AbortSignal): Promise<Result<void>> {
  const { root, userIndex, workIndex } = store.folder
  const folder = { workTree: root, index: workIndex }
  await copyFile(userIndex, workIndex)
  const filled = await store.run(
    { ...folder, args: ['checkout-index', '--all', '--force', '--index'] },
    signal,
  )
  if (!filled.ok) return filled
  const check = await snapshotFolder(store, folder, signal)
  if (!check.ok) return check
  if (check.value.tree === tree) return ok()
  return refuse(
    'sandbox_failed',
    'The copy in the sandbox differs from the project. Is the disk of another kind?',
    {
      wanted: tree,
      found: check.value.tree,
    },
  )
}

async function describe(
  store: PrivateStore,
  project: ProjectRepository,
  { snapshot, ignored }: { snapshot: Snapshot; ignored: Ignored },
  signal: AbortSignal,
): Promise<Result<string[]>> {
  const entries = await listIndex(store, store.folder.workIndex, signal)
  if (!entries.ok) return entries
  const gitlinks = entries.value.filter(entry => entry.mode === '160000').map(entry => entry.path)
  const links = entries.value.filter(entry => entry.mode === '120000').map(entry => entry.path)
  return ok(
    leftOutNotices({
      inProgress: project.inProgress,
      repositories: [...snapshot.nested, ...gitlinks],
      unreadable: snapshot.unreadable,
      ignored,
      linksBack: links.filter(path => leadsInto(project.root, path)),
    }),
  )
}
