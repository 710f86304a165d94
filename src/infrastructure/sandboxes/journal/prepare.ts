import { accessSync, constants } from 'node:fs'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { ApplyConflict, OnApplyStep } from '../../../domain/sandbox/strategy.ts'
import { errorCode } from '../../error-code.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { checkTarget } from '../writes/check-target.ts'
import { inWriteOrder } from '../writes/order.ts'
import { nearestFolder, under } from '../writes/parents.ts'
import { diskFull, writeFailure } from '../writes/prepare.ts'
import { type Staging, stageContents } from '../writes/stage.ts'
import type { Target } from '../writes/target.ts'
import { type CheckedChange, describeApply, type Intent } from './describe-apply.ts'
import { flushAll } from './durable.ts'
import { type ApplyJournal, bytesOf, closeJournal, hasJournal, writeJournal } from './journal.ts'
import { keepOwners } from './keep-owners.ts'
import { makePlaces, placesOf, sweepPlaces } from './places.ts'
import { findRespelled } from './respelled.ts'

export type Begun =
  | { readonly outcome: 'begun'; readonly journal: ApplyJournal }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }

/**
 * Checks and stages everything and writes the journal. Until that is on the disk nothing of the user is touched, and
 * whatever goes wrong leaves nothing behind.
 */
export async function beginApply(
  store: PrivateStore,
  intent: Intent,
  onStep: OnApplyStep,
  signal: AbortSignal,
): Promise<Result<Begun>> {
  try {
    const checked = await checkAll(intent)
    const conflicts = [
      ...checked.flatMap(each => each.conflict ?? []),
      ...findRespelled(intent.root, intent.changes),
    ]
    if (conflicts.length > 0) return ok({ outcome: 'conflicts', conflicts })
    const blocked = findBlocked(intent)
    if (blocked) return blocked
    const journal = describeApply(store.folder, intent, checked)
    const staged = await stage(store, journal, { checked, onStep, signal })
    if (staged.ok && !signal.aborted) {
      await writeJournal(store.folder, journal)
      onStep({ did: 'write_journal', done: 0, total: journal.operations.length })
      return ok({ outcome: 'begun', journal })
    }
    await giveUp(store)
    if (staged.ok) return refuse('interrupted', 'Apply was stopped. Nothing was written.')
    return staged.failure.code === 'disk_full' ? diskFull(intent.root) : staged
  } catch (error) {
    await giveUp(store)
    return writeFailure(error, intent.root)
  }
}

/** The journal may be there all the same, when only the last flush was refused. */
async function giveUp({ folder }: PrivateStore): Promise<void> {
  if (hasJournal(folder)) await closeJournal(folder)
  await sweepPlaces(folder)
}

async function checkAll({ root, changes }: Intent): Promise<CheckedChange[]> {
  const removed = new Set(
    changes.filter(change => change.new === null).map(({ path }) => path.toString('latin1')),
  )
  const checked: CheckedChange[] = []
  for (const change of inWriteOrder(changes))
    checked.push({
      change,
      ...(await checkTarget(Buffer.from(root), change, removed)),
    })
  return checked
}

/** A folder that cannot be written is found now rather than half-way. */
function findBlocked({ root, changes }: Intent) {
  const folders = new Set(
    changes.map(({ path }) => nearestFolder(Buffer.from(root), path).toString('latin1')),
  )
  for (const name of folders) {
    const folder = Buffer.from(name, 'latin1')
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
    } catch (error) {
      const why =
        errorCode(error) === 'EROFS'
          ? 'it is on a file system that can only be read'
          : 'you may not write in it'
      return refuse(
        'sandbox_failed',
        `Nothing was written. The folder ${folder} cannot be changed: ${why}.`,
        {
          folder: folder.toString(),
        },
      )
    }
  }
  return null
}

interface StagingInput {
  readonly checked: readonly CheckedChange[]
  readonly onStep: OnApplyStep
  readonly signal: AbortSignal
}

async function stage(
  store: PrivateStore,
  journal: ApplyJournal,
  { checked, onStep, signal }: StagingInput,
): Promise<Result<void>> {
  const { operations, root } = journal
  const places = placesOf(store.folder, journal)
  const hidden = [...new Set(operations.flatMap(({ waitsIn }) => waitsIn ?? []))]
  await makePlaces(store.folder, root, hidden)
  const likes = new Map<number, Target>()
  for (const [number, { target }] of checked.entries())
    likes.set(operations[number]?.movedTo ?? number, target)
  const wanted = operations.flatMap((operation, number): Staging[] => {
    const like = likes.get(number) ?? { kind: 'absent' }
    return operation.new ? [{ entry: operation.new, place: places.staged(operation), like }] : []
  })
  const tell = () => onStep({ did: 'stage', done: 0, total: operations.length })
  const staged = await stageContents(store, wanted, { signal, onStaged: tell })
  if (!staged.ok) return staged
  keepOwners(root, operations, places)
  const files = wanted.filter(({ entry }) => entry.mode !== '120000').map(({ place }) => place)
  const holders = hidden.map(path => under(Buffer.from(root), bytesOf(path)))
  await flushAll([...files, ...holders, Buffer.from(store.folder.apply)])
  return ok()
}
