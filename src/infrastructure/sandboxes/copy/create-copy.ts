import { mkdir } from 'node:fs/promises'
import { ok, type Result } from '../../../domain/failure.ts'
import { copyBesides } from '../besides.ts'
import { bringAlong, canShareBlocks, remedyFor } from '../bring-along.ts'
import type { BringAccess } from '../bring-limits.ts'
import { bringAlone } from '../bring-repositories.ts'
import type { CreatedSandbox, FolderSpec } from '../folder-strategy.ts'
import { leftOutNotices } from '../left-out.ts'
import { headIn } from '../moved-base.ts'
import { makeAgentView } from '../store/agent-view.ts'
import { importFiles } from '../store/import-files.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import type { PrivateStore } from '../store/private-store.ts'
import type { GitAccess, ProjectRepository } from '../store/project-repository.ts'
import { writeIndex } from '../store/write-index.ts'
import { type BigFile, bigFile } from './big-files.ts'
import { type CopyPlace, type CopyRemarks, copyFiles, copyFolders, noRemarks } from './copy-files.ts'
import { leadsInto } from './links-back.ts'
import { openSource, recordBaseline, type SourceAccess } from './source.ts'
import { checkSpace } from './space.ts'
import type { FoundEntry, Survey } from './survey.ts'

/** Copies the project's folder into the plan's and takes the copy, not the original, as the start of the plan. */
export async function createCopy(
  access: SourceAccess & BringAccess,
  folder: PlanFolder,
  spec: FolderSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const { projectRoot } = spec
  await mkdir(folder.root, { recursive: true })
  const source = await openSource(access, folder, spec, signal)
  if (!source.ok) return source
  const { store, survey, big, ignored, included } = source.value
  const move = { from: projectRoot, to: folder.root, environment: { ...access.environment } }
  const sharesBlocks = await canShareBlocks(move)
  const room = sharesBlocks ? ok() : await checkSpace(folder.path, sizeOf([...survey.entries, ...big]))
  if (!room.ok) return room
  const place = { from: Buffer.from(projectRoot), to: Buffer.from(folder.root), sharesBlocks }
  const copied = await copyAndImport(store, place, survey, signal)
  if (!copied.ok) return copied
  await copyBesides(folder, projectRoot, survey)
  const bigFiles = await copyBigFiles(place, big, copied.value, signal)
  const baseline = await recordBaseline(store, signal)
  if (!baseline.ok) return baseline
  const view = await viewFor(access, store, source.value.repository, signal)
  const bringing = { ...move, limits: access.bringLimits() }
  const brought = await bringAlong([...ignored.brought, ...included], bringing, signal)
  const alone = await bringAlone(included, move)
  const notices = leftOutNotices({
    ...copied.value,
    inProgress: source.value.repository?.inProgress ?? [],
    big: big.map(({ path }) => path),
    repositories: survey.repositories.filter(path => !included.includes(path)),
    specials: survey.specials,
    unreadable: [...survey.unreadable, ...copied.value.unreadable],
    ignored,
    remedy: await remedyFor(ignored.links, projectRoot),
    linksBack: survey.entries
      .filter(({ path, stat }) => stat.isSymbolicLink() && leadsInto(projectRoot, path))
      .map(({ path }) => path),
  })
  return ok({
    baseline: baseline.value,
    notices: [...notices, ...view, ...brought, ...alone],
    bigFiles,
    head: headIn(projectRoot),
  })
}

async function copyAndImport(
  store: PrivateStore,
  place: CopyPlace,
  survey: Survey,
  signal: AbortSignal,
): Promise<Result<CopyRemarks>> {
  const remarks = noRemarks()
  copyFolders(place, survey)
  const imported = await importFiles(store, copyFiles(place, survey.entries, remarks, signal), signal)
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

/** Copied like the others, and not recorded. */
export async function copyBigFiles(
  place: CopyPlace,
  big: readonly FoundEntry[],
  remarks: CopyRemarks,
  signal: AbortSignal,
): Promise<BigFile[]> {
  const copied: BigFile[] = []
  for await (const file of copyFiles(place, big, remarks, signal))
    copied.push(...bigFile(file.path, file.copy))
  return copied
}

/** Commands in the sandbox can ask git only where the folder is a repository that git reads. */
async function viewFor(
  { git }: GitAccess,
  store: PrivateStore,
  repository: ProjectRepository | null,
  signal: AbortSignal,
): Promise<string[]> {
  if (!repository) return []
  const viewed = await makeAgentView(git, store, repository, signal)
  return viewed.ok ? [] : [`git commands in the sandbox do not work: ${viewed.failure.message}`]
}

function sizeOf(entries: readonly FoundEntry[]): bigint {
  return entries.reduce((sum, { stat }) => sum + stat.size, 0n)
}
