import { readdirSync, watch } from 'node:fs'
import { setPriority } from 'node:os'
import type { BackendChild } from './backend-child.ts'

/**
 * Kills a backend hard as soon as so many entries of a folder were made, replaced or removed, or what it was asked for
 * has ended: the kernel tells of each, so nobody has to look all the time. How far it came can be seen afterwards.
 */
export async function killAtChange(
  child: BackendChild,
  { folder, count }: { readonly folder: string; readonly count: number },
  ask: () => Promise<unknown>,
): Promise<void> {
  const watcher = watch(folder)
  giveWay(child)
  let seen = 0
  await new Promise<void>(resolve => {
    watcher.on('change', kind => {
      // A second name or another time of a file is a `change`.
      if (kind !== 'rename' || ++seen !== count) return
      child.signal('SIGKILL')
      resolve()
    })
    // The kill cuts its answer off.
    ask().then(
      () => resolve(),
      () => resolve(),
    )
  })
  watcher.close()
  await killNow(child)
}

const A_LITTLE_LOWER = 5

/** On a busy machine the one that is to be killed would be at its end before the one that kills has its turn. */
function giveWay({ pid }: BackendChild): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), A_LITTLE_LOWER)
}

export async function killNow(child: BackendChild): Promise<void> {
  try {
    child.signal('SIGKILL')
  } catch {
    // It is gone already.
  }
  await child.closed
}

/** A kill can come too late on a busy machine: plays a story until its moment was hit, and holds it to its end each time. */
export async function untilHit(story: () => Promise<{ readonly wasHit: boolean }>): Promise<boolean> {
  for (let tries = 0; tries < 10; tries++) if ((await story()).wasHit) return true
  return false
}
