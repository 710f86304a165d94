import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'

export interface SnapshotOptions {
  /** Names of entries that are left out wherever they occur. */
  readonly except?: readonly string[]
  /** `ignored` leaves the timestamps out, for comparing two folders with each other. */
  readonly times?: 'kept' | 'ignored'
}

/**
 * Everything about a folder that a person could notice, one line an entry, keyed by path: kind, permission bits,
 * contents and modification time. Names that are not UTF-8 appear escaped. Compare two with `toEqual`.
 */
export async function snapshotFolder(
  root: string,
  options: SnapshotOptions = {},
): Promise<Record<string, string>> {
  const lines: Record<string, string> = {}
  await visit(Buffer.from(root), '', { except: ['.git'], times: 'kept', ...options }, lines)
  return lines
}

async function visit(
  folder: Buffer,
  prefix: string,
  options: Required<SnapshotOptions>,
  lines: Record<string, string>,
): Promise<void> {
  const names = await readdir(folder, { encoding: 'buffer' })
  for (const name of names.sort(Buffer.compare)) {
    if (options.except.includes(name.toString())) continue
    const path = Buffer.concat([folder, Buffer.from('/'), name])
    const shown = prefix + printable(name)
    const entry = await lstat(path, { bigint: true })
    if (entry.isDirectory()) {
      lines[`${shown}/`] = 'folder'
      await visit(path, `${shown}/`, options, lines)
      continue
    }
    const time = options.times === 'kept' ? ` ${entry.mtimeNs}` : ''
    lines[shown] = `${await describe(path, entry)}${time}`
  }
}

async function describe(path: Buffer, entry: { mode: bigint; isSymbolicLink(): boolean; isFile(): boolean }) {
  if (entry.isSymbolicLink()) return `link ${await readlink(path)}`
  if (!entry.isFile()) return 'special'
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return `file ${(entry.mode & 0o7777n).toString(8)} ${digest.slice(0, 16)}`
}

function printable(name: Buffer): string {
  const text = name.toString('utf8')
  return Buffer.from(text, 'utf8').equals(name) ? text : `\\x${name.toString('hex')}`
}
