import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Paths of the files below a folder that are asked for. */
export async function findFiles(folder: string, isAskedFor: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(isAskedFor)
}
