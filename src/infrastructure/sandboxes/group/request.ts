import { ok, type Result } from '../../../domain/failure.ts'
import type { ResourceId } from '../../../domain/ids.ts'
import { decodeGroupState, encodeGroupState } from '../../../domain/sandbox/group-state.ts'
import { covers, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyChoice, ApplyRequest, SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../databases/database-sandbox.ts'
import { headingOf } from '../../databases/row-changes.ts'
import { cutPatch } from '../store/patch-sections.ts'
import { type Group, ofFolder } from './part.ts'

/** What a request for the whole group means for its folder; null when no file is chosen or differs. */
export type FileRequest = ApplyRequest | null

/** What it means for one of the databases. */
export interface DatabaseRequest {
  readonly resourceId: ResourceId
  readonly name: string
  readonly sandbox: DatabaseSandbox
  readonly request: ApplyRequest
}

export interface GroupRequest {
  readonly files: FileRequest
  /** Only those whose states differ; others need not even be opened. */
  readonly databases: readonly DatabaseRequest[]
}

/** Takes a request apart into what it means for each part of the group. */
export async function partsOfRequest(group: Group, request: ApplyRequest): Promise<Result<GroupRequest>> {
  const databases: DatabaseRequest[] = []
  const sections = new Set<string>()
  for (const { part, from, to } of differing(group, request)) {
    const { resourceId, name } = part.strategy.resource
    const sandbox = await part.open()
    if (!sandbox.ok) return sandbox
    const range = { from: from ?? sandbox.value.baseline, to: to ?? sandbox.value.baseline }
    const choice = await choiceFor(sandbox.value, name, range, request.choice)
    if (!choice.ok) return choice
    if (choice.value.kind === 'paths') for (const path of choice.value.only) sections.add(headingOf(path))
    databases.push({ resourceId, name, sandbox: sandbox.value, request: { ...range, choice: choice.value } })
  }
  return ok({ files: fileRequest(group, request, sections), databases })
}

/** The databases that have another state in one than in the other. */
export function differing(
  { parts }: Group,
  { from, to }: { readonly from: SandboxState; readonly to: SandboxState },
) {
  const [old, fresh] = [decodeGroupState(from).databases, decodeGroupState(to).databases]
  return parts
    .map(part => {
      const { resourceId } = part.strategy.resource
      return { part, from: old.get(resourceId), to: fresh.get(resourceId) }
    })
    .filter(each => each.from !== each.to)
}

/** A table is one hunk of the patch, so whoever chooses hunks chooses tables. */
async function choiceFor(
  sandbox: DatabaseSandbox,
  name: string,
  { from, to }: { readonly from: SandboxState; readonly to: SandboxState },
  choice: ApplyChoice,
): Promise<Result<ApplyChoice>> {
  if (choice.kind === 'all') return ok(choice)
  if (choice.kind === 'paths')
    return ok({ kind: 'paths', only: choice.only.filter(path => covers(name as RelPath, path)) })
  const found = await sandbox.changes(from, to)
  if (!found.ok) return found
  const headings = new Set(cutPatch(choice.patch).map(section => section.heading))
  const chosen = found.value.files.filter(({ path }) => headings.has(headingOf(path)))
  return ok({ kind: 'paths', only: chosen.map(({ path }) => path) })
}

function fileRequest(group: Group, request: ApplyRequest, ofDatabases: ReadonlySet<string>): FileRequest {
  const from = decodeGroupState(request.from).folder
  const to = decodeGroupState(request.to).folder
  const choice = fileChoice(group, request.choice, ofDatabases)
  return choice === null || from === to ? null : { from, to, choice }
}

/** Null when no file was chosen. */
function fileChoice(group: Group, choice: ApplyChoice, ofDatabases: ReadonlySet<string>): ApplyChoice | null {
  if (choice.kind === 'all') return choice
  if (choice.kind === 'paths') {
    const only = ofFolder(group, choice.only)
    return only.length === 0 ? null : { kind: 'paths', only }
  }
  const left = cutPatch(choice.patch).filter(({ heading }) => !ofDatabases.has(heading))
  return left.length === 0 ? null : { kind: 'hunks', patch: Buffer.concat(left.map(({ bytes }) => bytes)) }
}

/** What is chosen as a state of its own. A database of which anything is chosen is in it as a whole. */
export async function chooseInGroup(group: Group, request: ApplyRequest): Promise<Result<SandboxState>> {
  const asked = await partsOfRequest(group, request)
  if (!asked.ok) return asked
  const { files, databases: chosen } = asked.value
  const from = decodeGroupState(request.from)
  const folder = files === null ? ok(from.folder) : await group.folder.choose(files)
  if (!folder.ok) return folder
  const databases = new Map(from.databases)
  for (const { resourceId, request: part } of chosen)
    if (part.choice.kind !== 'paths' || part.choice.only.length > 0) databases.set(resourceId, part.to)
  const hasFiles = from.hasFiles || (files !== null && decodeGroupState(request.to).hasFiles)
  return ok(encodeGroupState({ folder: folder.value, hasFiles, databases }))
}
