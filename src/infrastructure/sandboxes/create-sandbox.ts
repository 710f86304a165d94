import { copyFile, mkdir } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { copyBesides } from './besides.ts'
import { bringAlong, canShareBlocks, type Move, remedyFor } from './bring-along.ts'
import type { BringAccess } from './bring-limits.ts'
import { bringAlone } from './bring-repositories.ts'
import type { BigFile } from './copy/big-files.ts'
import { noRemarks } from './copy/copy-files.ts'
import { copyBigFiles } from './copy/create-copy.ts'
import { leadsInto } from './copy/links-back.ts'
import { openSourceOf, type Source, type SourceAccess } from './copy/source.ts'
import type { FoundEntry } from './copy/survey.ts'
import type { CreatedSandbox, FolderSpec } from './folder-strategy.ts'
import { leftOutNotices } from './left-out.ts'
import { headOf } from './moved-base.ts'
import { makeAgentView } from './store/agent-view.ts'
import { listIndex } from './store/index-entries.ts'
import { lookAtFolder } from './store/look-at-folder.ts'
import type { PlanFolder } from './store/plan-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import { describeRepository, type GitAccess, type ProjectRepository } from './store/project-repository.ts'
import { removeSharedIndexes, seedFromProject } from './store/seed-index.ts'
import { type Snapshot, snapshotFolder } from './store/snapshot.ts'
import { recordState } from './store/states.ts'
import { makeParents } from './writes/parents.ts'

/** Makes the plan's store and the sandbox from the project's present tree. The plan's folder must not exist yet. */
export async function createSandbox(
  access: SourceAccess & BringAccess,
  folder: PlanFolder,
  { projectRoot, apart = [] }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const project = await describeRepository(access, projectRoot, signal)
  if (!project.ok) return project
  await mkdir(folder.root, { recursive: true })
  const source = await openSourceOf(access, folder, { projectRoot, apart, repository: project.value }, signal)
  if (!source.ok) return source
  const { store, big, ignored, included } = source.value
  const captured = await captureBaseline(access, source.value, project.value, signal)
  if (!captured.ok) return captured
  const { baseline, snapshot } = captured.value

  const filled = await fillRoot(store, snapshot.tree, signal)
  if (!filled.ok) return filled
  const move = { from: projectRoot, to: folder.root, environment: { ...access.environment } }
  const bigFiles = await bringBigFiles(big, move, signal)
  await copyBesides(folder, projectRoot, source.value.survey)
  const viewed = await makeAgentView(access.git, store, project.value, signal)
  const bringing = { ...move, limits: access.bringLimits() }
  const brought = await bringAlong([...ignored.brought, ...included], bringing, signal)
  const alone = await bringAlone(included, move)
  const notices = await describe(source.value, project.value, snapshot, signal)
  if (!notices.ok) return notices
  const view = viewed.ok ? [] : [`git commands in the sandbox do not work: ${viewed.failure.message}`]
  return ok({
    baseline,
    notices: [...notices.value, ...view, ...brought, ...alone],
    bigFiles,
    head: headOf(project.value),
  })
}

async function captureBaseline(
  { git }: GitAccess,
  { store, big, databases }: Source,
  project: ProjectRepository,
  signal: AbortSignal,
): Promise<Result<{ baseline: SandboxState; snapshot: Snapshot }>> {
  const apart = [...databases, ...big.map(({ path }) => path)]
  const snapshot = await seedFromProject(git, store, { project, apart }, signal)
  if (!snapshot.ok) return snapshot
  await removeSharedIndexes(store)
  const state = { tree: snapshot.value.tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  const baseline = await recordState(store, state, signal)
  return baseline.ok ? ok({ baseline: baseline.value, snapshot: snapshot.value }) : baseline
}

async function bringBigFiles(
  big: readonly FoundEntry[],
  move: Move,
  signal: AbortSignal,
): Promise<BigFile[]> {
  if (big.length === 0) return []
  const place = {
    from: Buffer.from(move.from),
    to: Buffer.from(move.to),
    sharesBlocks: await canShareBlocks(move),
  }
  for (const { path } of big) await makeParents(place.to, path)
  return copyBigFiles(place, big, noRemarks(), signal)
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
  const seen = await lookAtFolder(store, folder, signal)
  if (seen?.tree === tree && seen.changes.length === 0 && seen.nested.length === 0) return ok()
  // One look instead of a snapshot, which has to be taken only to say what differs.
  const look = ['ls-files', '-z', '--modified', '--others', '--exclude-standard']
  const unlike = await store.run({ ...folder, args: look }, signal)
  if (!unlike.ok) return unlike
  if (unlike.value.length === 0) return ok()
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
  { store, survey, big, ignored, included }: Source,
  project: ProjectRepository,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<Result<string[]>> {
  const entries = await listIndex(store, store.folder.workIndex, signal)
  if (!entries.ok) return entries
  const gitlinks = entries.value.filter(entry => entry.mode === '160000').map(entry => entry.path)
  const links = entries.value.filter(entry => entry.mode === '120000').map(entry => entry.path)
  return ok(
    leftOutNotices({
      inProgress: project.inProgress,
      repositories: union(survey.repositories, gitlinks).filter(
        path => !included.some(each => each.equals(path)),
      ),
      unreadable: union(survey.unreadable, snapshot.unreadable),
      specials: survey.specials,
      big: big.map(({ path }) => path),
      ignored,
      remedy: await remedyFor(ignored.links, project.root),
      linksBack: links.filter(path => leadsInto(project.root, path)),
    }),
  )
}

function union(some: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const names = new Map([...some, ...others].map(path => [path.toString('latin1'), path]))
  return [...names.keys()].sort().flatMap(name => names.get(name) ?? [])
}
