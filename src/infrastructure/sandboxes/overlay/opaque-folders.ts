import { execFile } from 'node:child_process'
import type { BigIntStats } from 'node:fs'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { exactLstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { isEntered } from './mounts.ts'
import type { OverlayPlaces } from './places.ts'

export type OpaqueFolders = (paths: readonly string[]) => Promise<Result<ReadonlySet<string>>>

/**
 * Which folders of the upper layer hide the folder below them. The kernel keeps that as an attribute, which this
 * runtime cannot read and the archiver of every distribution can. Most folders need no look at it.
 */
export function opaqueFolders(
  places: OverlayPlaces,
  environment: Readonly<Record<string, string | undefined>>,
): OpaqueFolders {
  const remembered = new Map<string, { readonly stamp: string; readonly isOpaque: boolean }>()
  return async paths => {
    const opaque = new Set<string>()
    const unknown: { path: string; stamp: string }[] = []
    for (const path of paths) {
      const stamp = stampOf(places.upper, path)
      const known = remembered.get(path)
      if (known?.stamp !== stamp) unknown.push({ path, stamp })
      else if (known.isOpaque) opaque.add(path)
    }
    const asked = unknown.filter(({ path }) => !isMerged(places, path)).map(({ path }) => path)
    const read = asked.length === 0 ? ok(new Set<string>()) : await readAttributes(places, asked, environment)
    if (!read.ok) return read
    for (const { path, stamp } of unknown) {
      const isOpaque = read.value.has(path)
      remembered.set(path, { stamp, isOpaque })
      if (isOpaque) opaque.add(path)
    }
    return ok(opaque)
  }
}

/** The attribute cannot come or go without this changing. */
function stampOf(upper: string, path: string): string {
  const stat = look(upper, path)
  return stat ? `${stat.ino}:${stat.ctimeNs}` : ''
}

/**
 * A folder that shows both layers counts one link, whatever is in it; any other counts its own. Where every folder
 * counts one, this says nothing.
 */
function isMerged(places: OverlayPlaces, path: string): boolean {
  if (!isEntered(places)) return false
  const [seen, own] = [look(places.root, path), look(places.upper, path)]
  return seen?.nlink === 1n && own !== undefined && own.nlink > 1n
}

function look(root: string, path: string): BigIntStats | undefined {
  return exactLstatIfThere(under(Buffer.from(root), Buffer.from(path, 'latin1')))
}

/** Exit code of an archive that is whole, of folders that somebody works in. */
const CHANGED_MEANWHILE = 1

const ATTRIBUTE = 'user.overlay.opaque'

async function readAttributes(
  { upper }: OverlayPlaces,
  paths: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<ReadonlySet<string>>> {
  const names = Buffer.concat(paths.map(path => Buffer.from(`./${path}\0`, 'latin1')))
  const options = ['--create', '--file=-', '--format=posix', '--xattrs', `--xattrs-include=${ATTRIBUTE}`]
  // One that went a moment ago hides nothing.
  const about = ['--ignore-failed-read', '--no-recursion']
  const args = [...options, ...about, `--directory=${upper}`, '--null', '--verbatim-files-from']
  const archive = await new Promise<Buffer | Error>(resolve => {
    const child = execFile(
      'tar',
      [...args, '--files-from=-'],
      { env: { ...environment, LC_ALL: 'C' }, encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024 },
      (error, stdout) => resolve(error && error.code !== CHANGED_MEANWHILE ? error : stdout),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(names)
  })
  if (archive instanceof Error)
    return refuse('sandbox_failed', `What the sandbox hides could not be read: ${archive.message}`)
  return ok(foldersWithAttribute(archive))
}

/** Blocks of 512 bytes; a header of kind "x" has the attributes and odd names of the entry that follows it. */
function foldersWithAttribute(archive: Buffer): Set<string> {
  const found = new Set<string>()
  let about: { path: string | null; isOpaque: boolean } = { path: null, isOpaque: false }
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK)
    const size = Number.parseInt(text(header, 124, 12), 8) || 0
    const content = archive.subarray(at + BLOCK, at + BLOCK + size)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (header[KIND_AT] === EXTENDED) {
      about = readExtended(content)
      continue
    }
    const prefix = text(header, 345, 155)
    const name = about.path ?? (prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`)
    if (about.isOpaque) found.add(name.replace(/^\.\//, '').replace(/\/$/, ''))
    about = { path: null, isOpaque: false }
  }
  return found
}

/** "<length> <key>=<value>\n", one after the other. */
function readExtended(content: Buffer): { path: string | null; isOpaque: boolean } {
  let path: string | null = null
  let isOpaque = false
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space))
    if (space < 0 || !(length > 0)) break
    const record = content.toString('latin1', space + 1, at + length - 1)
    const equals = record.indexOf('=')
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)]
    if (key === 'path') path = value
    if (key === `SCHILY.xattr.${ATTRIBUTE}`) isOpaque = value === 'y'
    at += length
  }
  return { path, isOpaque }
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? length : end)
}

const BLOCK = 512
const KIND_AT = 156
const EXTENDED = 'x'.charCodeAt(0)
