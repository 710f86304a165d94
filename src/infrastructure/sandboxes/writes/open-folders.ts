import { chmod } from 'node:fs/promises'
import { lstatIfThere } from './lstat-if-there.ts'
import { parentsOf, presentParents, under } from './parents.ts'

/**
 * Lets this program write in the folders above these paths, and gives them their permissions back afterwards: caches
 * that programs protect from themselves are part of a sandbox like everything else. Only for folders of ours.
 */
export async function withOpenFolders<Value>(
  root: string,
  paths: readonly Buffer[],
  work: () => Promise<Value>,
): Promise<Value> {
  const opened: { readonly folder: Buffer; readonly permissions: number }[] = []
  try {
    for (const folder of presentFolders(Buffer.from(root), paths)) {
      const entry = lstatIfThere(folder)
      if (!entry?.isDirectory() || (entry.mode & OWNER_MAY_ALL) === OWNER_MAY_ALL) continue
      await chmod(folder, entry.mode | OWNER_MAY_ALL)
      opened.push({ folder, permissions: entry.mode & 0o7777 })
    }
    return await work()
  } finally {
    for (const { folder, permissions } of opened.toReversed())
      await chmod(folder, permissions).catch(() => {})
  }
}

const OWNER_MAY_ALL = 0o700

/** Outermost first, each looked for when its turn comes: the one above it may have to be opened before. */
function* presentFolders(root: Buffer, paths: readonly Buffer[]): Generator<Buffer> {
  yield root
  const parents = new Set(paths.flatMap(path => parentsOf(path).map(parent => parent.toString('latin1'))))
  for (const name of [...parents].sort()) {
    const folder = Buffer.from(name, 'latin1')
    if (presentParents(root, folder).length === parentsOf(folder).length) yield under(root, folder)
  }
}
