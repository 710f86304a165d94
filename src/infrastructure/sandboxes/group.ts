import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { FailureError, ok, type Result, refuse } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { ChangeSet } from '../../domain/sandbox/changeset.ts'
import { decodeGroupState, encodeGroupState } from '../../domain/sandbox/group-state.ts'
import { parseRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  DriftedPath,
  MergeReport,
  MergeSource,
  RestorePreview,
  RestoreReport,
  RestoreScope,
  Sandbox,
  SandboxSpec,
  SandboxState,
  SandboxStrategy,
} from '../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../databases/database-sandbox.ts'
import { refuseHalfDone } from './folder-strategy.ts'
import { applyGroup, chooseInGroup, type Group, settleGroup, unfinishedGroup } from './group-apply.ts'
import { type GroupPart, ofFolder } from './group-part.ts'
import { replayInGroup } from './group-replay.ts'
import { hasJournal } from './journal/journal.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { planFolder, planPath } from './store/plan-folder.ts'
import type { DatabaseStrategy } from './transaction-rollback.ts'

/**
 * One plan, one folder and any number of databases, as one sandbox. A database is opened when something first reaches
 * it; until then it costs nothing and has no part in any state.
 */
export function sandboxGroup(
  stateDir: string,
  folder: SandboxStrategy,
  databases: readonly DatabaseStrategy[],
): SandboxStrategy {
  const every = [folder, ...databases]
  return {
    name: folder.name,
    protects: [...new Set(every.flatMap(each => each.protects))],
    doesNotProtect: [...new Set(every.flatMap(each => each.doesNotProtect))],
    restores: every.some(each => each.restores === 'while_open') ? 'while_open' : folder.restores,
    place: folder.place,
    // A server that is down must not forbid a plan that never asks it: databases speak for themselves when opened.
    unavailable: (spec, signal) =>
      folder.unavailable({ ...spec, apart: apartOf(spec.projectRoot, databases) }, signal),
    open: (spec, signal) => open({ stateDir, strategy: folder, databases }, spec, signal),
    async release(planId) {
      for (const each of every) await each.release(planId)
    },
    async discard(planId) {
      // What refuses is asked before anything is removed.
      if (hasJournal(planFolder(stateDir, planId, '')) || existsSync(recordFileOf(stateDir, planId)))
        throw new FailureError(refuseHalfDone().failure)
      // A transaction that is held open ends before the folder that describes it goes.
      for (const each of [...databases, folder]) await each.discard(planId)
    },
  }
}

interface Members {
  readonly stateDir: string
  readonly strategy: SandboxStrategy
  readonly databases: readonly DatabaseStrategy[]
}

async function open(
  { stateDir, strategy, databases }: Members,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<Result<Sandbox>> {
  const apart = apartOf(spec.projectRoot, databases)
  const folder = await strategy.open({ ...spec, apart }, signal)
  if (!folder.ok) return folder
  const parts = databases.map(each => partOf(each, spec, folder.value, signal))
  // Commands look for a database of the project in its place, without asking anybody.
  for (const part of parts.filter(each => each.isInside)) {
    const opened = await part.open()
    if (!opened.ok) return opened
  }
  return ok(groupOf({ folder: folder.value, parts, recordFile: recordFileOf(stateDir, spec.planId) }))
}

function recordFileOf(stateDir: string, planId: PlanId): string {
  return join(planPath(stateDir, planId), 'databases', 'apply.json')
}

function apartOf(projectRoot: string, databases: readonly DatabaseStrategy[]): RelPath[] {
  return databases.flatMap(each => placeInside(projectRoot, each) ?? [])
}

/** The database as a path of the project; null where it lies elsewhere or is worked on directly. */
function placeInside(projectRoot: string, { resource }: DatabaseStrategy): RelPath | null {
  if (resource.type !== 'sqlite') return null
  const path = relative(projectRoot, resource.location)
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return null
  const parsed = parseRelPath(path)
  return parsed.ok ? parsed.value : null
}

function partOf(
  strategy: DatabaseStrategy,
  spec: SandboxSpec,
  folder: Sandbox,
  signal: AbortSignal,
): GroupPart {
  // Where the plan works in the project itself, the place is taken by the user's own.
  const isBeside = folder.root !== spec.projectRoot
  const inside =
    isBeside && strategy.resource.mode === 'copy' ? placeInside(spec.projectRoot, strategy) : null
  const inTurn = oneAtATime()
  let opened: DatabaseSandbox | null = null
  return {
    strategy,
    name: strategy.resource.name,
    isInside: inside !== null,
    isUsed: () => opened !== null || strategy.isUsed(spec.planId),
    open: () =>
      inTurn(async () => {
        if (opened) return ok(opened)
        const at = inside === null ? {} : { workFile: join(folder.root, inside) }
        const result = await strategy.open({ ...spec, ...at }, signal)
        if (result.ok) opened = result.value
        return result
      }),
    close: async () => {
      await opened?.close()
    },
  }
}

function groupOf(group: Group): Sandbox {
  const { folder, parts } = group
  const used = () => parts.filter(part => part.isUsed())

  return {
    ...folder,
    notices: [...folder.notices, ...parts.flatMap(part => part.strategy.notices)],
    databases: {
      names: parts.map(part => part.name),
      query: (name, statement) => withPart(name, sandbox => sandbox.query(statement)),
      change: (name, statement) => withPart(name, sandbox => sandbox.change(statement)),
    },
    checkpoint,
    restore: (state, scope = { kind: 'all' }) => restore(state, scope),
    previewRestore,
    drift,
    captureProject,
    changes,
    patch,
    choose: request => chooseInGroup(group, request),
    apply: (request, signal, onStep) => applyGroup(group, request, signal, onStep),
    unfinishedApply: () => unfinishedGroup(group),
    settleApply: (way, signal, onStep) => settleGroup(group, way, signal, onStep),
    merge: (source, signal) => merge(source, signal),
    replay: (onto, work) => replayInGroup(group, onto, work),
    close: async () => {
      for (const part of parts) await part.close()
      await folder.close()
    },
  }

  async function withPart<Value>(
    name: string,
    work: (sandbox: DatabaseSandbox) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const part = parts.find(each => each.name === name)
    if (!part) return unknownDatabase(name, parts)
    const sandbox = await part.open()
    return sandbox.ok ? work(sandbox.value) : sandbox
  }

  async function checkpoint(
    label: string,
    written: readonly RelPath[] | 'unknown',
  ): Promise<Result<SandboxState>> {
    const files = written === 'unknown' ? written : ofFolder(folder, parts, written)
    const state = await folder.checkpoint(label, files)
    if (!state.ok) return state
    const databases: [DatabaseStrategy['resource']['resourceId'], SandboxState][] = []
    for (const part of used()) {
      const sandbox = await part.open()
      if (!sandbox.ok) return sandbox
      const recorded = await sandbox.value.checkpoint(label, written)
      if (!recorded.ok) return recorded
      if (recorded.value !== sandbox.value.baseline)
        databases.push([part.strategy.resource.resourceId, recorded.value])
    }
    const hasFiles = state.value !== folder.baseline
    return ok(encodeGroupState({ folder: state.value, hasFiles, databases: new Map(databases) }))
  }

  /** All or nothing: the folder goes last, since it undoes its own failure; the databases before it are put back. */
  async function restore(state: SandboxState, scope: RestoreScope): Promise<Result<RestoreReport>> {
    const wanted = decodeGroupState(state)
    const reports: RestoreReport[] = []
    const undo: (() => Promise<Result<RestoreReport>>)[] = []
    for (const part of used().filter(each => concerns(scope, each))) {
      const sandbox = await part.open()
      if (!sandbox.ok) return putBack(undo, sandbox)
      const before = await recordBefore(sandbox.value)
      if (!before.ok) return putBack(undo, before)
      const target = wanted.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
      const restored = await sandbox.value.restore(target, scope)
      if (!restored.ok) return putBack(undo, restored)
      const { value } = before
      if (value !== null) undo.push(() => sandbox.value.restore(value))
      reports.push(restored.value)
    }
    const files = folderScope(folder, parts, scope)
    const restored = files === null ? ok(nothing) : await folder.restore(wanted.folder, files)
    if (!restored.ok) return putBack(undo, restored)
    return ok({
      restored: [restored.value, ...reports].flatMap(report => report.restored),
      removed: [restored.value, ...reports].flatMap(report => report.removed),
    })
  }

  async function previewRestore(
    state: SandboxState,
    about: { readonly scope: RestoreScope; readonly since: string },
  ): Promise<Result<RestorePreview>> {
    const wanted = decodeGroupState(state)
    const files = folderScope(folder, parts, about.scope)
    const previews: RestorePreview[] = []
    if (files !== null) {
      const preview = await folder.previewRestore(wanted.folder, { ...about, scope: files })
      if (!preview.ok) return preview
      previews.push(preview.value)
    }
    for (const part of used().filter(each => concerns(about.scope, each))) {
      const sandbox = await part.open()
      if (!sandbox.ok) return sandbox
      const target = wanted.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
      const preview = await sandbox.value.previewRestore(target, about)
      if (!preview.ok) return preview
      previews.push(preview.value)
    }
    return ok({
      restored: previews.flatMap(preview => preview.restored),
      leftAlone: previews.flatMap(preview => preview.leftAlone),
      cannotRestore: previews.flatMap(preview => preview.cannotRestore),
    })
  }

  async function drift(
    recorded: SandboxState,
    written: readonly RelPath[],
  ): Promise<Result<readonly DriftedPath[]>> {
    const state = decodeGroupState(recorded)
    const files = await folder.drift(state.folder, ofFolder(folder, parts, written))
    if (!files.ok) return files
    const found = [...files.value]
    for (const part of used()) {
      const sandbox = await part.open()
      if (!sandbox.ok) return sandbox
      const from = state.databases.get(part.strategy.resource.resourceId) ?? sandbox.value.baseline
      const drifted = await sandbox.value.drift(from, written)
      if (!drifted.ok) return drifted
      found.push(...drifted.value)
    }
    return ok(found)
  }

  /** Databases stand as they are known: Apply compares their rows with those of the user. */
  async function captureProject(known: SandboxState): Promise<Result<SandboxState | null>> {
    const { folder: from, databases } = decodeGroupState(known)
    const files = await folder.captureProject(from)
    if (!files.ok || files.value === null) return files
    const hasFiles = files.value !== folder.baseline
    return ok(encodeGroupState({ folder: files.value, hasFiles, databases }))
  }

  async function changes(from: SandboxState, to: SandboxState): Promise<Result<ChangeSet>> {
    const files = await folder.changes(decodeGroupState(from).folder, decodeGroupState(to).folder)
    if (!files.ok) return files
    const sets = [files.value]
    for (const { sandbox, range } of await between(from, to)) {
      if (!sandbox.ok) return sandbox
      const found = await sandbox.value.changes(range.from, range.to)
      if (!found.ok) return found
      sets.push(found.value)
    }
    return ok(joined(sets))
  }

  async function patch(
    from: SandboxState,
    to: SandboxState,
    only?: readonly RelPath[],
  ): Promise<Result<Uint8Array>> {
    const inFolder = only === undefined ? undefined : ofFolder(folder, parts, only)
    const files =
      inFolder?.length === 0
        ? ok(new Uint8Array())
        : await folder.patch(decodeGroupState(from).folder, decodeGroupState(to).folder, inFolder)
    if (!files.ok) return files
    const pieces = [files.value]
    for (const { sandbox, range } of await between(from, to)) {
      if (!sandbox.ok) return sandbox
      const piece = await sandbox.value.patch(range.from, range.to, only)
      if (!piece.ok) return piece
      pieces.push(piece.value)
    }
    return ok(Buffer.concat(pieces))
  }

  /** All or nothing: the databases are looked at first and laid last; the folder says no by itself. */
  async function merge(source: MergeSource, signal: AbortSignal): Promise<Result<MergeReport>> {
    const ranges = await between(source.from, source.to)
    for (const { sandbox, range } of ranges) {
      if (!sandbox.ok) return sandbox
      const found = await sandbox.value.checkMerge({ ...source, ...range })
      if (!found.ok || found.value.outcome === 'constrained') return found
    }
    const from = decodeGroupState(source.from).folder
    const to = decodeGroupState(source.to).folder
    const before = await folder.checkpoint('before a merge', 'unknown')
    if (!before.ok) return before
    const files = await folder.merge({ ...source, from, to }, signal)
    if (!files.ok || files.value.outcome === 'constrained') return files
    const written = [...files.value.written]
    const undo = [() => folder.restore(before.value)]
    for (const { sandbox, range } of ranges) {
      if (!sandbox.ok) return putBack(undo, sandbox)
      const was = await sandbox.value.checkpoint('before a merge', 'unknown')
      if (!was.ok) return putBack(undo, was)
      const merged = await sandbox.value.merge({ ...source, ...range }, signal)
      if (!merged.ok || merged.value.outcome === 'constrained') return putBack(undo, merged)
      undo.push(() => sandbox.value.restore(was.value))
      written.push(...merged.value.written)
    }
    const state = await checkpoint('merged', [])
    return state.ok ? ok({ outcome: 'merged', written, state: state.value }) : state
  }

  /** The databases whose states differ; others need not even be opened. */
  async function between(from: SandboxState, to: SandboxState) {
    const found: { sandbox: Result<DatabaseSandbox>; range: { from: SandboxState; to: SandboxState } }[] = []
    for (const part of parts) {
      const { resourceId } = part.strategy.resource
      const old = decodeGroupState(from).databases.get(resourceId)
      const fresh = decodeGroupState(to).databases.get(resourceId)
      if (old === fresh) continue
      const sandbox = await part.open()
      const baseline = sandbox.ok ? sandbox.value.baseline : from
      found.push({ sandbox, range: { from: old ?? baseline, to: fresh ?? baseline } })
    }
    return found
  }
}

const nothing: RestoreReport = { restored: [], removed: [] }

/**
 * What is there is recorded, so that it can be put back; null when there is nothing to keep, because it is gone or
 * broken and the restore is what brings it back.
 */
async function recordBefore(sandbox: DatabaseSandbox): Promise<Result<SandboxState | null>> {
  const recorded = await sandbox.checkpoint('before a restore', 'unknown')
  return !recorded.ok && recorded.failure.code === 'sandbox_failed' ? ok(null) : recorded
}

async function putBack<Value>(
  undo: readonly (() => Promise<Result<unknown>>)[],
  answer: Result<Value>,
): Promise<Result<Value>> {
  const lost: string[] = []
  for (const each of [...undo].reverse()) {
    const back = await each()
    if (!back.ok) lost.push(back.failure.message)
  }
  if (lost.length === 0) return answer
  const more = `What was done before it could not be put back: ${lost.join(' ')}`
  if (answer.ok) return refuse('sandbox_failed', more)
  return { ok: false, failure: { ...answer.failure, message: `${answer.failure.message} ${more}` } }
}

function joined(sets: readonly ChangeSet[]): ChangeSet {
  const [first, ...more] = sets
  if (first && more.length === 0) return first
  const digest = createHash('sha256')
    .update(sets.map(set => set.digest).join('\n'))
    .digest('hex')
  return { digest, files: sets.flatMap(set => set.files) }
}

/** Null when the scope names databases only. */
function folderScope(folder: Sandbox, parts: readonly GroupPart[], scope: RestoreScope): RestoreScope | null {
  if (scope.kind === 'all') return scope
  const paths = ofFolder(folder, parts, scope.paths)
  if (scope.kind === 'only' && paths.length === 0) return null
  return paths.length === 0 ? { kind: 'all' } : { kind: scope.kind, paths }
}

function concerns(scope: RestoreScope, { name }: GroupPart): boolean {
  return scope.kind !== 'only' || scope.paths.some(path => path === name || path.startsWith(`${name}/`))
}

function unknownDatabase(name: string, parts: readonly GroupPart[]) {
  const known = parts.map(part => part.name).join(', ')
  return refuse('not_found', `The plan has no database ${name}. It has: ${known}.`, { database: name })
}
