import { copyFile, mkdir, readlink } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { bringAlong } from './bring-along.ts'
import type { CreatedSandbox } from './folder-strategy.ts'
import { makeAgentView } from './store/agent-view.ts'
import { writeExcludes } from './store/excludes.ts'
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
  projectRoot: string,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const project = await describeRepository(access, projectRoot, signal)
  if (!project.ok) return project
  await mkdir(folder.root, { recursive: true })
  const store = await createStore(access.git, folder, project.value, signal)
  if (!store.ok) return store
  const captured = await captureBaseline(access, store.value, project.value, signal)
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
  store: PrivateStore,
  project: ProjectRepository,
  signal: AbortSignal,
): Promise<Result<{ baseline: SandboxState; snapshot: Snapshot; ignored: Ignored }>> {
  const excludes = join(store.folder.store, 'info', 'exclude')
  await writeExcludes(excludes, project, [])
  const snapshot = await seedFromProject(git, store, project, signal)
  if (!snapshot.ok) return snapshot
  await removeSharedIndexes(store)
  const ignored = await sortIgnored(store, { workTree: project.root, index: store.folder.userIndex }, signal)
  if (!ignored.ok) return ignored
  await writeExcludes(excludes, project, ignored.value.brought)
  const state = { tree: snapshot.value.tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  const baseline = await recordState(store, state, signal)
  if (!baseline.ok) return baseline
  const owned = await ownObjects(store, project, baseline.value, signal)
  return owned.ok ? ok({ baseline: baseline.value, snapshot: snapshot.value, ignored: ignored.value }) : owned
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
  const links: Buffer[] = []
  for (const entry of entries.value) {
    if (entry.mode === '120000' && (await leadsIntoProject(store, project, entry.path)))
      links.push(entry.path)
  }
  return ok([
    ...project.inProgress.map(operation => `A ${operation} is in progress in the project.`),
    ...listed('Repositories inside the project are left out', [...snapshot.nested, ...gitlinks]),
    ...listed('Could not be read and are left out', snapshot.unreadable),
    ...listed('Ignored and not in the sandbox', ignored.omitted),
    ...listed('Links are not brought along', ignored.links),
    ...listed('Links that lead back into the project itself', links),
  ])
}

async function leadsIntoProject(
  store: PrivateStore,
  project: ProjectRepository,
  path: Buffer,
): Promise<boolean> {
  const link = Buffer.concat([Buffer.from(`${store.folder.root}/`), path])
  const target = await readlink(link).catch(() => '')
  return isAbsolute(target) && !relative(project.root, target).startsWith('..')
}

const MAX_LISTED = 10

function listed(what: string, paths: readonly Buffer[]): string[] {
  if (paths.length === 0) return []
  const names = paths.slice(0, MAX_LISTED).map(shown)
  const more = paths.length > MAX_LISTED ? ` and ${paths.length - MAX_LISTED} more` : ''
  return [`${what}: ${names.join(', ')}${more}.`]
}

function shown(path: Buffer): string {
  const isFolder = path.at(-1) === 0x2f
  const parsed = relPathFromBytes(isFolder ? path.subarray(0, -1) : path)
  return `${parsed.ok ? parsed.value : path.toString()}${isFolder ? '/' : ''}`
}
