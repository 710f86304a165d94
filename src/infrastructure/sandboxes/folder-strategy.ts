import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { Host } from '../../application/ports/machine.ts'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxSpec, SandboxState, SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { checkGitVersion } from '../git/version.ts'
import type { BringAccess } from './bring-limits.ts'
import type { Parent } from './child/parent.ts'
import { type BigFile, withBigFiles, writtenBigFiles } from './copy/big-files.ts'
import { indexedFolder } from './indexed-folder.ts'
import { applyLock } from './journal/lock.ts'
import { sweepPlaces } from './journal/places.ts'
import { type Head, withMovedBase } from './moved-base.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { openedSandbox } from './opened-sandbox.ts'
import type { PresentFolder } from './present-folder.ts'
import { removeFolder } from './remove-folder.ts'
import { borrowEarlier, clear, refuseWhileHalfDone, renew } from './renew.ts'
import { ownershipOf } from './store/ownership.ts'
import { type PlanFolder, planFolder } from './store/plan-folder.ts'
import { openStore, type PrivateStore } from './store/private-store.ts'
import type { GitAccess } from './store/project-repository.ts'
import { writeFailure } from './writes/prepare.ts'

export interface StrategyAccess extends GitAccess, BringAccess {
  /** Files above this are in no state of a sandbox. */
  readonly bigFileBytes: () => number
  readonly stateDir: string
  readonly host: Pick<Host, 'process' | 'isAlive'>
}

/** What tells one strategy that works in a folder from another: what it promises, and how its folder comes to be. */
export interface FolderStrategy
  extends Pick<
    SandboxStrategy,
    'name' | 'protects' | 'doesNotProtect' | 'restores' | 'place' | 'unavailable'
  > {
  /** Fills the plan's folder and its store. On a refusal everything it made is removed. */
  create(folder: PlanFolder, spec: FolderSpec, signal: AbortSignal): Promise<Result<CreatedSandbox>>
  /** The same from a state of another plan. Without it a child begins like any other plan. */
  createChild?(
    folder: PlanFolder,
    spec: FolderSpec & { readonly parent: Parent },
    signal: AbortSignal,
  ): Promise<Result<CreatedSandbox>>
  /** How what is in it is found, and how it is entered. */
  present(store: PrivateStore, created: CreatedIn): PresentFolder
  /** What of the plan's folder holds its work: it is gone when this is gone, and goes when the plan has ended. */
  workPlaces(folder: PlanFolder): readonly string[]
  /** What some verbs mean for it, where that is not what they mean for a folder beside the project. */
  verbs?(sandbox: Sandbox): Sandbox
}

export type FolderSpec = Omit<SandboxSpec, 'planId'>

export interface CreatedIn {
  readonly projectRoot: string
  /** What the user's folder is taken for: the tree that a layer lies over. */
  readonly lower: SandboxState
}

/** The places of an ordinary folder, the plan's own. */
export const ownFolder = {
  present: indexedFolder,
  workPlaces: ({ root }: PlanFolder) => [root],
}

export interface CreatedSandbox {
  readonly baseline: SandboxState
  readonly notices: readonly string[]
  readonly bigFiles?: readonly BigFile[]
  /** Of a child: whether what is part of no state came along, all of it. */
  readonly hasIgnored?: boolean
  /** What the user's folder is taken for, where that is not the baseline. */
  readonly lower?: SandboxState
  readonly head?: Head | null
}

/** The strategies that keep a folder per plan beside a private store of states: opened, released and discarded alike. */
export function folderStrategy(access: StrategyAccess, kind: FolderStrategy): SandboxStrategy {
  const queues = new Map<PlanId, ReturnType<typeof oneAtATime>>()
  // Two that look at one new plan must not both create its sandbox; other plans do not wait.
  const inTurn = <Value>(planId: PlanId, operation: () => Promise<Value>) => {
    const queue = queues.get(planId) ?? oneAtATime()
    queues.set(planId, queue)
    return queue(operation)
  }
  return {
    name: kind.name,
    protects: kind.protects,
    doesNotProtect: kind.doesNotProtect,
    restores: kind.restores,
    place: kind.place,
    unavailable: kind.unavailable,
    open: (spec, signal) => inTurn(spec.planId, () => open(access, kind, spec, signal)),
    release: planId => inTurn(planId, () => release(access, kind, planId)),
    renew: planId => inTurn(planId, () => renew(planFolder(access.stateDir, planId, ''))),
    discard: planId => inTurn(planId, () => discard(planFolder(access.stateDir, planId, ''))),
  }
}

async function open(
  access: StrategyAccess,
  kind: FolderStrategy,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<Result<Sandbox>> {
  const folder = folderFor(access, kind, spec)
  if (existsSync(folder.renewing)) await renew(folder)
  const known = await readRecord(folder)
  const record = known ? ok(known) : await createAnew(access, kind, folder, spec, signal)
  if (!record.ok) return record
  if (record.value.projectRoot !== spec.projectRoot) return refuseOtherProject(record.value, spec)
  if (!existsSync(join(folder.store, 'HEAD'))) return refuseStoreMissing(folder)
  const isReleased = existsSync(folder.released)
  const { baseline, notices, projectRoot, lower } = record.value
  const store = openStore(access.git, folder)
  const ownership = ownershipOf(access.host)
  const opened = openedSandbox({
    strategy: kind.name,
    store,
    work: kind.present(store, { projectRoot, lower: lower ?? baseline }),
    ownership,
    lock: applyLock(access.host),
    projectRoot,
    baseline,
    startedFrom: record.value.startedFrom,
    notices,
    isReleased,
  })
  const whole = withMovedBase(withBigFiles(opened, record.value.bigFiles, projectRoot), {
    git: access.git,
    head: record.value.head,
    projectRoot,
  })
  return ok(kind.verbs ? kind.verbs(whole) : whole)
}

function folderFor(access: StrategyAccess, { place }: FolderStrategy, spec: SandboxSpec): PlanFolder {
  const folder = planFolder(access.stateDir, spec.planId, spec.projectRoot)
  return place === 'in_place' ? { ...folder, root: spec.projectRoot } : folder
}

/** The mark comes first: a folder that is gone without it is a loss, not an end. */
async function release({ stateDir }: StrategyAccess, kind: FolderStrategy, planId: PlanId): Promise<void> {
  const record = await readRecord(planFolder(stateDir, planId, ''))
  const folder = planFolder(stateDir, planId, record?.projectRoot ?? '')
  if (!existsSync(folder.record)) return
  if (record && !existsSync(folder.released) && (await holdsOnlyCopy(folder, record))) return
  await writeFile(folder.released, '')
  const places = [...kind.workPlaces(folder), dirname(folder.root)]
  // Whatever a strategy calls its place, nothing but the plan's own is removed.
  for (const place of places) if (place.startsWith(`${folder.path}/`)) await removeFolder(place)
}

/** A big file is in no state: what was written to it goes with the folder. */
async function holdsOnlyCopy({ root }: PlanFolder, record: SandboxRecord): Promise<boolean> {
  const { projectRoot, bigFiles } = record
  const written = await writtenBigFiles({ root, projectRoot, files: bigFiles })
  return written.some(({ path }) => existsSync(join(root, path)))
}

async function discard(folder: PlanFolder): Promise<void> {
  refuseWhileHalfDone(folder)
  await sweepPlaces(folder)
  await removeFolder(folder.path)
}

// The commit was written by this program and is checked by git whenever it is used.
const state = z.string().transform(commit => commit as SandboxState)

const recordSchema = z.object({
  version: z.literal(1),
  projectRoot: z.string(),
  baseline: state,
  notices: z.array(z.string()).readonly(),
  bigFiles: z
    .array(
      z.object({ path: z.string().transform(path => path as RelPath), size: z.number(), stamp: z.string() }),
    )
    .readonly()
    .default([]),
  startedFrom: z
    .object({
      planId: z.string().transform(asId<PlanId>),
      state,
      hasIgnored: z.boolean(),
    })
    .nullable()
    .default(null),
  lower: state.nullable().default(null),
  head: z.object({ branch: z.string().nullable(), commit: z.string() }).nullable().default(null),
})
type SandboxRecord = z.output<typeof recordSchema>

async function readRecord(folder: PlanFolder): Promise<SandboxRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(folder.record, 'utf8')))
  } catch {
    return null
  }
}

/** Cut short before it was whole, and in the place of none: nothing of the plan is in it. */
export function isHalfMade(folder: PlanFolder): boolean {
  return hasNoWork(folder) && !existsSync(folder.earlier)
}

/** Nothing can have worked in it yet. */
function hasNoWork(folder: PlanFolder): boolean {
  return !existsSync(folder.record) && !existsSync(join(folder.store, 'refs', 'plans', 'checkpoints'))
}

// What a crash left half-made is not worth mending: nothing worked in it yet.
async function createAnew(
  access: StrategyAccess,
  kind: FolderStrategy,
  folder: PlanFolder,
  spec: FolderSpec,
  signal: AbortSignal,
): Promise<Result<SandboxRecord>> {
  const ownership = ownershipOf(access.host)
  const other = await ownership.livingOther(folder)
  if (other) return refuseTaken(other)
  if (!hasNoWork(folder)) return refuseRecordMissing(folder)
  try {
    await clear(folder)
    await mkdir(folder.path, { recursive: true })
    const taken = await ownership.take(folder)
    if (!taken.ok) return taken
    const version = await checkGitVersion(access, folder.path)
    const created = version.ok ? await create(access, kind, { folder, spec }, signal) : version
    if (created.ok) {
      await borrowEarlier(folder)
      const { hasIgnored = false, bigFiles = [], lower = null, head = null, ...fresh } = created.value
      const startedFrom = spec.startsFrom ? { ...spec.startsFrom, hasIgnored } : null
      const { projectRoot } = spec
      return ok(
        await writeRecord(folder, { version: 1, projectRoot, bigFiles, lower, head, ...fresh, startedFrom }),
      )
    }
    await clear(folder)
    return created
  } catch (error) {
    await clear(folder)
    if (signal.aborted)
      return refuse('interrupted', 'Creating the sandbox was stopped; nothing of it is left.')
    return writeFailure(error, folder.path)
  }
}

async function create(
  { stateDir }: StrategyAccess,
  kind: FolderStrategy,
  { folder, spec }: { readonly folder: PlanFolder; readonly spec: FolderSpec },
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const { startsFrom, projectRoot } = spec
  if (!startsFrom || !kind.createChild) return kind.create(folder, spec, signal)
  const place = planFolder(stateDir, startsFrom.planId, projectRoot)
  const record = await readRecord(place)
  if (record && record.projectRoot !== projectRoot) return refuseOtherProject(record, spec)
  const { bigFiles = [], lower = null, baseline = null } = record ?? {}
  const parent = { folder: place, state: startsFrom.state, bigFiles, lower: lower ?? baseline }
  return kind.createChild(folder, { ...spec, parent }, signal)
}

async function writeRecord(folder: PlanFolder, record: SandboxRecord): Promise<SandboxRecord> {
  // Without it the plan's work cannot be found again, so it must outlive a power cut.
  await writeFile(`${folder.record}.new`, JSON.stringify(record), { flush: true })
  await rename(`${folder.record}.new`, folder.record)
  return record
}

function refuseTaken({ pid }: Host['process']) {
  return refuse('transient', `Process ${pid} is making the sandbox of this plan. Try again in a moment.`, {
    pid,
  })
}

function refuseOtherProject(record: SandboxRecord, spec: FolderSpec) {
  return refuse(
    'invalid_state',
    `The plan's sandbox belongs to ${record.projectRoot}, not to ${spec.projectRoot}.`,
  )
}

function refuseStoreMissing(folder: PlanFolder) {
  return refuse(
    'sandbox_failed',
    `What the plan recorded in ${folder.store} is gone. Its working folder ${folder.root} is left as it is: copy what you need from it, then cancel the plan.`,
    { store: folder.store, root: folder.root },
  )
}

function refuseRecordMissing(folder: PlanFolder) {
  return refuse(
    'sandbox_failed',
    `The record ${folder.record} of the plan's sandbox cannot be read. What is in the folder is left as it is: copy what you need from ${folder.path}, then cancel the plan.`,
    { folder: folder.path },
  )
}
