/**
 * One plan, one folder and any number of databases, as one sandbox: each verb is done part by part and means the same as
 * for one of them, all or nothing included. Nothing here knows a kind of database. Begin with `sandboxGroup`.
 */
import { join } from 'node:path'
import { FailureError, ok, type Result, refuse } from '../../../domain/failure.ts'
import type { PlanId } from '../../../domain/ids.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type { Sandbox, SandboxSpec, SandboxStrategy } from '../../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../databases/database-sandbox.ts'
import { hasJournal } from '../journal/journal.ts'
import { refuseHalfDone } from '../renew.ts'
import { planFolder, planPath } from '../store/plan-folder.ts'
import type { DatabaseStrategy } from '../transaction-rollback.ts'
import { applyGroup } from './apply.ts'
import { mergeIntoGroup } from './merge.ts'
import { apartOf, type Group, type GroupPart, partOf } from './part.ts'
import { isBegun, readGroupRecord } from './record.ts'
import { receiveInGroup, replayInGroup } from './replay.ts'
import { chooseInGroup } from './request.ts'
import { previewRestoreOfGroup, restoreGroup } from './restore.ts'
import { settleGroup, unfinishedGroup } from './settle.ts'
import { groupStates } from './states.ts'

/** A database is opened when something first reaches it; until then it costs nothing and has no part in any state. */
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
    async renew(planId) {
      await refuseWhileHalfApplied(stateDir, planId)
      for (const each of [...databases, folder]) await each.renew(planId)
    },
    async discard(planId) {
      await refuseWhileHalfApplied(stateDir, planId)
      // A transaction that is held open ends before the folder that describes it goes.
      for (const each of [...databases, folder]) await each.discard(planId)
    },
  }
}

/** What refuses is asked before anything is removed. */
async function refuseWhileHalfApplied(stateDir: string, planId: PlanId): Promise<void> {
  if (await isHalfApplied(stateDir, planId)) throw new FailureError(refuseHalfDone().failure)
}

async function isHalfApplied(stateDir: string, planId: PlanId): Promise<boolean> {
  const record = await readGroupRecord(recordFileOf(stateDir, planId))
  return hasJournal(planFolder(stateDir, planId, '')) || (record !== null && isBegun(record))
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
  const { startsFrom } = spec
  const beginning = startsFrom ? decodeGroupState(startsFrom.state) : null
  const ofFiles = startsFrom && beginning ? { startsFrom: { ...startsFrom, state: beginning.folder } } : {}
  const folder = await strategy.open({ ...spec, apart, ...ofFiles }, signal)
  if (!folder.ok) return folder
  const parts = databases.map(each => partOf(each, spec, folder.value, signal))
  // Commands look for a database of the project in its place, without asking anybody. What a child begins with is taken
  // at once: its parent may be gone when it is first needed.
  const isDue = ({ isInside, strategy }: GroupPart) => isInside || beginsWithParent(strategy, spec)
  for (const part of parts.filter(isDue)) {
    const opened = await part.open()
    if (!opened.ok) return opened
  }
  return ok(groupOf({ folder: folder.value, parts, recordFile: recordFileOf(stateDir, spec.planId) }))
}

function beginsWithParent({ resource, isUsed }: DatabaseStrategy, { startsFrom }: SandboxSpec): boolean {
  return startsFrom !== undefined && resource.mode === 'copy' && isUsed(startsFrom.planId)
}

function recordFileOf(stateDir: string, planId: PlanId): string {
  return join(planPath(stateDir, planId), 'databases', 'apply.json')
}

function groupOf(group: Group): Sandbox {
  const { folder, parts } = group
  const states = groupStates(group)
  return {
    ...folder,
    ...states,
    notices: [...folder.notices, ...parts.flatMap(part => part.strategy.notices)],
    databases: {
      names: parts.map(part => part.name),
      query: (name, statement) => withPart(parts, name, sandbox => sandbox.query(statement)),
      change: (name, statement) => withPart(parts, name, sandbox => sandbox.change(statement)),
    },
    restore: (state, scope = { kind: 'all' }) => restoreGroup(group, state, scope),
    previewRestore: (state, about) => previewRestoreOfGroup(group, state, about),
    choose: request => chooseInGroup(group, request),
    apply: (request, signal, watch) => applyGroup(group, request, signal, watch),
    unfinishedApply: () => unfinishedGroup(group),
    settleApply: (way, signal, watch) => settleGroup(group, way, signal, watch),
    merge: (source, signal) => mergeIntoGroup(group, states.checkpoint, source, signal),
    receive: source => receiveInGroup(group, source),
    replay: (onto, work) => replayInGroup(group, onto, work),
    close: async () => {
      for (const part of parts) await part.close()
      await folder.close()
    },
  }
}

async function withPart<Value>(
  parts: readonly GroupPart[],
  name: string,
  work: (sandbox: DatabaseSandbox) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const part = parts.find(each => each.name === name)
  if (!part) return unknownDatabase(name, parts)
  const sandbox = await part.open()
  return sandbox.ok ? work(sandbox.value) : sandbox
}

function unknownDatabase(name: string, parts: readonly GroupPart[]) {
  const known = parts.map(part => part.name).join(', ')
  return refuse('not_found', `The plan has no database ${name}. It has: ${known}.`, { database: name })
}
