import { chmod, lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { errorCode } from '../../error-code.ts'
import { under } from './parents.ts'

/**
 * Renames whatever is at a path. A folder that lies in the lower layer of an overlay cannot be renamed, only what is in
 * it: the kernel says so as if it were on another disk.
 */
export async function moveEntry(from: Buffer, to: Buffer): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    const entry = await lstat(from)
    if (errorCode(error) !== 'EXDEV' || !entry.isDirectory()) throw error
    await mkdir(to)
    for (const name of await readdir(from, { encoding: 'buffer' }))
      await moveEntry(under(from, name), under(to, name))
    await rmdir(from)
    await chmod(to, entry.mode & 0o7777)
  }
}
