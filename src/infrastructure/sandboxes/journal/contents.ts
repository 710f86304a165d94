import { rm } from 'node:fs/promises'
import { ok, type Result } from '../../../domain/failure.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { presentParents, under } from '../writes/parents.ts'
import { type Staging, stageContents } from '../writes/stage.ts'
import { holdsEntry, readTarget } from '../writes/target.ts'
import { flushAll } from './durable.ts'
import { bytesOf } from './journal.ts'
import { makePlaces } from './places.ts'
import type { Run } from './run.ts'

/**
 * Sees to it that everything the run needs waits at its place, after somebody swept there or the power failed: the
 * plan's store has every content by its name.
 */
export async function fetchMissing(
  run: Run,
  direction: 'forward' | 'back',
  signal: AbortSignal,
): Promise<Result<void>> {
  const { operations, root } = run.journal
  const hidden = operations.flatMap(({ waitsIn }): RelPath[] => (waitsIn === null ? [] : [waitsIn]))
  await makePlaces(run.store.folder, root, [...new Set(hidden)])
  const wanted: Staging[] = []
  for (const operation of operations) {
    const entry = direction === 'forward' ? operation.new : operation.old
    const standing = await run.standing(operation)
    if (entry === null || standing.is !== (direction === 'forward' ? 'old' : 'new')) continue
    const place = direction === 'forward' ? run.places.staged(operation) : run.places.backup(operation)
    // What an editor wrote into the old file meanwhile is the user's, and goes back with it.
    const isThere = lstatIfThere(place) !== undefined
    if (isThere && (direction === 'back' || (await holdsEntry(place, await readTarget(place), entry))))
      continue
    await rm(place, { force: true })
    wanted.push({ entry, place, like: standing.target })
  }
  const staged = await stageContents(run.store, wanted, { signal })
  if (!staged.ok) return staged
  await flushAll(wanted.filter(({ entry }) => entry.mode !== '120000').map(({ place }) => place))
  return ok()
}

/** Everything that was changed in the project is on the disk after this. */
export async function flushProject(run: Run): Promise<void> {
  const folders = new Set<string>([run.journal.root])
  for (const operation of run.journal.operations) {
    for (const parent of presentParents(run.root, bytesOf(operation.path)))
      folders.add(under(run.root, parent).toString('latin1'))
  }
  await flushAll([...folders].map(name => Buffer.from(name, 'latin1')))
}
