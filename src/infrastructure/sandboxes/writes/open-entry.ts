import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { errorCode, isNothingThere } from '../../error-code.ts'
import type { EntryMode } from '../store/tree-diff.ts'
import { lstatIfThere } from './lstat-if-there.ts'

/** A file or a link as it was at one moment: whatever takes its name afterwards, this is still what was there. */
export type OpenEntry = Disposable &
  (
    | {
        readonly kind: 'file'
        readonly mode: '100644' | '100755'
        readonly file: number
        readonly size: number
      }
    | { readonly kind: 'link'; readonly mode: '120000'; readonly target: Buffer }
  )

/** Nobody makes a path another thing at every one of so many looks and means it. */
const MOST_LOOKS = 100

/** Null where there is neither, at this moment. What becomes another thing between two looks is looked at again. */
export function openEntry(path: Buffer): OpenEntry | null {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const found = lstatIfThere(path)
    if (!found?.isFile() && !found?.isSymbolicLink()) return null
    const opened = found.isFile() ? openFile(path) : openLink(path)
    if (opened !== null) return opened
  }
  return null
}

/** All of it at once; of a file that shrinks meanwhile what is left. */
export function readEntry(path: Buffer): { readonly mode: EntryMode; readonly content: Buffer } | null {
  using entry = openEntry(path)
  if (entry === null) return null
  return { mode: entry.mode, content: entry.kind === 'link' ? entry.target : readFileSync(entry.file) }
}

// Neither a link nor a pipe that took its place a moment ago is followed or waited for.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function openFile(path: Buffer): OpenEntry | null {
  const file = unlessReplaced(() => openSync(path, READ))
  if (file === null) return null
  const stat = fstatSync(file)
  if (stat.isFile()) return entryOf(file, stat)
  closeSync(file)
  return null
}

function entryOf(file: number, { mode, size }: Stats): OpenEntry {
  const close = { [Symbol.dispose]: () => closeSync(file) }
  return { kind: 'file', mode: mode & OWNER_MAY_RUN ? '100755' : '100644', file, size, ...close }
}

const OWNER_MAY_RUN = 0o100

function openLink(path: Buffer): OpenEntry | null {
  const target = unlessReplaced(() => readlinkSync(path, { encoding: 'buffer' }))
  return target === null ? null : { kind: 'link', mode: '120000', target, [Symbol.dispose]: () => {} }
}

/** Null when what was seen a moment ago has gone, or become something that cannot be opened in this way. */
function unlessReplaced<Value>(open: () => Value): Value | null {
  try {
    return open()
  } catch (error) {
    // Not a link; a socket, or a pipe; a folder.
    if (isNothingThere(error) || ['EINVAL', 'ENXIO', 'EISDIR'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}
