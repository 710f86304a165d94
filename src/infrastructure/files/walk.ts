import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import createIgnore, { type Ignore } from 'ignore'
import { type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import { errorCode, isNothingThere } from '../error-code.ts'
import { type OpenFolder, openFolderInside } from './open-inside.ts'

export interface WalkedFile {
  readonly path: RelPath
  readonly bytes: Buffer
  readonly kind: 'file' | 'link'
}

/**
 * The files below a root, sorted by their bytes. Like git it leaves out `.git` and what the folders' .gitignore files
 * name; unlike git it cannot know that an ignored file is tracked. Links are listed, never followed.
 */
export async function walk(root: string, signal: AbortSignal): Promise<readonly WalkedFile[]> {
  const found: WalkedFile[] = []
  await walkFolder({ root, signal, found }, null, [])
  return found.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
}

interface Walk {
  readonly root: string
  readonly signal: AbortSignal
  readonly found: WalkedFile[]
}

/** The rules of one .gitignore, for paths below its folder. */
interface IgnoreRules {
  readonly folder: Uint8Array | null
  readonly rules: Ignore
}

async function walkFolder(
  walk: Walk,
  folder: Uint8Array | null,
  above: readonly IgnoreRules[],
): Promise<void> {
  walk.signal.throwIfAborted()
  const { entries, rules } = await readFolder(walk.root, folder)
  const all = rules ? [{ folder, rules }, ...above] : above
  for (const entry of entries) {
    const bytes = folder === null ? entry.name : Buffer.concat([folder, Buffer.from('/'), entry.name])
    const path = relPathFromBytes(bytes)
    // The one name that is refused here is .git in any spelling.
    if (!path.ok || isIgnored(all, bytes, entry.isDirectory())) continue
    if (entry.isDirectory()) await walkFolder(walk, bytes, all)
    else if (entry.isFile()) walk.found.push({ path: path.value, bytes, kind: 'file' })
    else if (entry.isSymbolicLink()) walk.found.push({ path: path.value, bytes, kind: 'link' })
  }
}

async function readFolder(root: string, folder: Uint8Array | null): Promise<FolderContents> {
  try {
    return await readOpenFolder(root, folder)
  } catch (error) {
    // It went since its parent was read; a root that is not there is another matter.
    if (folder !== null && isNothingThere(error)) return nothing
    throw error
  }
}

interface FolderContents {
  readonly entries: readonly Dirent<Buffer>[]
  readonly rules: Ignore | null
}

const nothing: FolderContents = { entries: [], rules: null }

async function readOpenFolder(root: string, folder: Uint8Array | null): Promise<FolderContents> {
  const opened = openFolderInside(root, folder)
  // Swapped for something else since its parent was read: nothing of it is ours to list.
  if (!opened.ok) return nothing
  using opening = opened.value
  const entries = await readdir(opening.at(new Uint8Array()), {
    withFileTypes: true,
    encoding: 'buffer',
  })
  const hasRules = entries.some(entry => entry.isFile() && entry.name.toString() === '.gitignore')
  return { entries: entries as Dirent<Buffer>[], rules: hasRules ? await readRules(opening) : null }
}

async function readRules(folder: OpenFolder): Promise<Ignore | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    await using handle = await open(folder.at(Buffer.from('.gitignore')), flags)
    return createIgnore({ ignorecase: false, allowRelativePaths: true }).add(await handle.readFile('utf8'))
  } catch (error) {
    if (isNothingThere(error) || errorCode(error) === 'EISDIR') return null
    throw error
  }
}

/** The nearest .gitignore with an opinion decides. */
function isIgnored(all: readonly IgnoreRules[], bytes: Uint8Array, isFolder: boolean): boolean {
  for (const { folder, rules } of all) {
    const below = Buffer.from(folder === null ? bytes : bytes.subarray(folder.length + 1)).toString()
    const verdict = rules.test(isFolder ? `${below}/` : below)
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}
