import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import { bringAlong, canShareBlocks } from '../bring-along.ts'
import type { CreatedSandbox } from '../folder-strategy.ts'
import { leftOutNotices } from '../left-out.ts'
import { makeAgentView } from '../store/agent-view.ts'
import { excludesOfPlainFolder, excludesOfRepository, writeExcludes } from '../store/excludes.ts'
import { type Ignored, sortIgnored } from '../store/ignored-paths.ts'
import { importFiles } from '../store/import-files.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { createStore, type PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from '../store/project-repository.ts'
import { snapshotFolder } from '../store/snapshot.ts'
import { recordState } from '../store/states.ts'
import { writeIndex } from '../store/write-index.ts'
import { type CopyPlace, type CopyRemarks, copyFiles, copyFolders } from './copy-files.ts'
import { leadsInto } from './links-back.ts'
import { checkSpace } from './space.ts'
import { type Survey, surveyFolder } from './survey.ts'

interface Source {
  readonly root: string
  /** Null where the folder is no repository, or one that git will not read: the copy does not depend on it. */
  readonly repository: ProjectRepository | null
  readonly patterns: readonly Buffer[]
}

/** Copies the project's folder into the plan's and takes the copy, not the original, as the start of the plan. */
export async function createCopy(
  access: GitAccess,
  folder: PlanFolder,
  projectRoot: string,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const source = await describeSource(access, projectRoot, signal)
  await mkdir(folder.root, { recursive: true })
  const objectFormat = source.repository?.objectFormat ?? 'sha1'
  const store = await createStore(access.git, folder, objectFormat, signal)
  if (!store.ok) return store
  const ignored = await findIgnored(store.value, source, signal)
  if (!ignored.ok) return ignored
  const leftOut = new Set(ignored.value.all.map(withoutSlash))
  const survey = await surveyFolder(Buffer.from(projectRoot), leftOut, signal)
  const kept = [...ignored.value.brought, ...survey.repositories, ...survey.unreadable]
  await writeExcludes(excludesOf(store.value), source.patterns, kept)

  const move = { from: projectRoot, to: folder.root, environment: { ...access.environment } }
  const sharesBlocks = await canShareBlocks(move)
  const room = sharesBlocks ? ok() : await checkSpace(folder.path, sizeOf(survey))
  if (!room.ok) return room
  const place = { from: Buffer.from(projectRoot), to: Buffer.from(folder.root), sharesBlocks }
  const copied = await copyAndImport(store.value, place, survey, signal)
  if (!copied.ok) return copied
  const baseline = await recordBaseline(store.value, signal)
  if (!baseline.ok) return baseline
  const view = await viewFor(access, store.value, source, signal)
  const brought = await bringAlong(ignored.value.brought, move, signal)
  const notices = leftOutNotices({
    ...copied.value,
    inProgress: source.repository?.inProgress ?? [],
    repositories: survey.repositories,
    specials: survey.specials,
    unreadable: [...survey.unreadable, ...copied.value.unreadable],
    ignored: ignored.value,
    linksBack: survey.entries.map(entry => entry.path).filter(path => leadsInto(projectRoot, path)),
  })
  return ok({ baseline: baseline.value, notices: [...notices, ...view, ...brought] })
}

async function describeSource(access: GitAccess, root: string, signal: AbortSignal): Promise<Source> {
  const described = await describeRepository(access, root, signal)
  signal.throwIfAborted()
  if (!described.ok) return { root, repository: null, patterns: excludesOfPlainFolder(root) }
  return { root, repository: described.value, patterns: await excludesOfRepository(described.value) }
}

/** Only paths that git does not track can be ignored; for that their list is read, in a copy. */
async function findIgnored(
  store: PrivateStore,
  { root, repository, patterns }: Source,
  signal: AbortSignal,
): Promise<Result<Ignored>> {
  const index = store.folder.userIndex
  await writeExcludes(excludesOf(store), patterns, [])
  if (repository) await copyFile(join(repository.gitDir, 'index'), index).catch(ignoreMissing)
  const found = await sortIgnored(store, { workTree: root, index }, signal)
  await rm(index, { force: true })
  // A damaged list of theirs is no reason to have no sandbox.
  return found.ok || !repository ? found : sortIgnored(store, { workTree: root, index }, signal)
}

async function copyAndImport(
  store: PrivateStore,
  place: CopyPlace,
  survey: Survey,
  signal: AbortSignal,
): Promise<Result<CopyRemarks>> {
  const remarks: CopyRemarks = { unreadable: [], databases: [], tornDatabases: [], pointers: [] }
  copyFolders(place, survey)
  const imported = await importFiles(store, copyFiles(place, survey, remarks, signal), signal)
  if (!imported.ok) return imported
  const rows = imported.value.map(({ file, object }) => ({ ...file, object }))
  const { workIndex, userIndex } = store.folder
  await writeIndex(
    workIndex,
    rows.map(row => ({ ...row, stat: row.copy })),
  )
  await writeIndex(
    userIndex,
    rows.map(row => ({ ...row, stat: row.original })),
  )
  return ok(remarks)
}

async function recordBaseline(store: PrivateStore, signal: AbortSignal): Promise<Result<SandboxState>> {
  const work = { workTree: store.folder.root, index: store.folder.workIndex }
  const snapshot = await snapshotFolder(store, work, signal)
  if (!snapshot.ok) return snapshot
  const state = { tree: snapshot.value.tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  return recordState(store, state, signal)
}

/** Commands in the sandbox can ask git only where the folder is a repository that git reads. */
async function viewFor(
  { git }: GitAccess,
  store: PrivateStore,
  { repository }: Source,
  signal: AbortSignal,
): Promise<string[]> {
  if (!repository) return []
  const viewed = await makeAgentView(git, store, repository, signal)
  return viewed.ok ? [] : [`git commands in the sandbox do not work: ${viewed.failure.message}`]
}

function excludesOf(store: PrivateStore): string {
  return join(store.folder.store, 'info', 'exclude')
}

function sizeOf({ entries }: Survey): bigint {
  return entries.reduce((sum, { stat }) => sum + stat.size, 0n)
}

function withoutSlash(path: Buffer): string {
  return path.toString('latin1').replace(/\/$/, '')
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
