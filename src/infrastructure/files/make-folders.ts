import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A folder for its owner only, with the folders above it. Step by step: Node's own recursive form never returns where
 * the system answers ENOENT below a folder that is there, as /proc does.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) makeFolders(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
