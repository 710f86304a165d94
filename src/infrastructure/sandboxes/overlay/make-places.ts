import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OverlayPlaces } from './places.ts'

/** The upper layer is the sandbox's own folder to the kernel: who may work in it is decided by its owner and mode. */
export async function makePlaces(places: OverlayPlaces, projectRoot: string): Promise<void> {
  const { upper, work, lower, mount, view, root } = places
  for (const folder of [upper, work, lower, mount, view, dirname(root)])
    await mkdir(folder, { recursive: true })
  const { mode, uid, gid } = await stat(projectRoot)
  if (process.getuid?.() === 0) await chown(upper, uid, gid)
  await chmod(upper, mode & 0o7777)
}
