import { randomUUID } from 'node:crypto'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'

/** Names of folders that were on their way out; whoever finds one may finish that. */
const REMOVED = '.removed-'

/**
 * Removes a folder of ours with everything in it. It loses its name first, so that a program that still works in it,
 * left behind by a process that was killed, cannot get into what is made in its place.
 */
export async function removeFolder(path: string): Promise<void> {
  const aside = join(dirname(path), `${REMOVED}${randomUUID()}`)
  try {
    await rename(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    // A mount, or a folder above that refuses: the name cannot go first.
    return removeAll(path)
  }
  await removeAll(aside)
}

export function isBeingRemoved(name: string): boolean {
  return name.startsWith(REMOVED)
}

/** Also where folders may not be written: caches that programs protect from themselves stay in no one's way. */
async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error
    await openFolders(Buffer.from(path))
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function openFolders(path: Buffer): Promise<void> {
  // Part of it is gone already, or goes this moment: the removal that failed was under way in several folders.
  await chmod(path, 0o700).catch(() => {})
  const entries = await readdir(path, { encoding: 'buffer', withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory()) await openFolders(Buffer.concat([path, SLASH, entry.name]))
}

const SLASH = Buffer.from('/')
