import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { bringEach, leftOutNotice } from '../bring-along.ts'
import type { BringAccess } from '../bring-limits.ts'
import type { FolderSpec } from '../folder-strategy.ts'
import { leftOutNotices } from '../left-out.ts'
import { filesApart } from '../store/apart.ts'
import { keepIgnored } from '../store/excludes.ts'
import { splitNul } from '../store/nul-list.ts'
import type { PrivateStore } from '../store/private-store.ts'
import type { GitAccess } from '../store/project-repository.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'

export interface InheritedIgnored {
  readonly notices: readonly string[]
  /** Everything that was there came along. */
  readonly isWhole: boolean
}

/**
 * Copies what is in the parent's folder and part of no state: dependencies, and whatever its commands made where git
 * ignores it. It is taken as it stands, which may be newer than the state. Null where the parent has no such folder.
 */
export async function inheritIgnored(
  access: GitAccess & BringAccess,
  { from, to }: { readonly from: PrivateStore; readonly to: PrivateStore },
  { projectRoot, apart = [] }: FolderSpec,
  signal: AbortSignal,
): Promise<Result<InheritedIgnored | null>> {
  const { root } = from.folder
  if (lstatIfThere(Buffer.from(root))?.isDirectory() !== true) return ok(null)
  const place = { workTree: root, index: from.folder.workIndex }
  const args = ['ls-files', '-z', '--others', '--ignored', '--directory', '--exclude-standard']
  const listed = await from.run({ ...place, args }, signal)
  if (!listed.ok) return listed
  const databases = filesApart(apart)
  const ignored = splitNul(listed.value).filter(path => !databases.some(each => each.equals(path)))
  const links = ignored.filter(path => isLink(root, path))
  const bound = ignored.filter(path => isBoundTo(root, path))
  const taken = ignored.filter(path => !links.includes(path) && !bound.includes(path))
  const wanted = taken.filter(path => lstatIfThere(placeOf(to.folder.root, path)) === undefined)
  await keepIgnored(join(to.folder.store, 'info', 'exclude'), wanted)
  const move = { from: root, to: to.folder.root, environment: { ...access.environment } }
  const brought = await bringEach(wanted, { ...move, limits: access.bringLimits() }, signal)
  const lost = brought.filter(each => each.way === null)
  const inherited = brought.filter(each => each.way !== null).map(each => each.path)
  const notices = leftOutNotices({ inherited, ignored: { omitted: [], links }, bound })
  for (const each of lost) notices.push(await leftOutNotice(each, projectRoot))
  const isWhole = lost.length === 0 && links.length === 0 && bound.length === 0
  return ok({ notices, isWhole: isWhole && wanted.length === taken.length })
}

function isLink(root: string, path: Buffer): boolean {
  return lstatIfThere(placeOf(root, path))?.isSymbolicLink() === true
}

/**
 * An environment of Python names its own place in its programs: in a copy they would go on working in the parent's. One
 * that the user made is no more than they have themselves.
 */
function isBoundTo(root: string, path: Buffer): boolean {
  const activate = under(placeOf(root, path), Buffer.from('bin/activate'))
  try {
    return lstatSync(activate).isFile() && readFileSync(activate).includes(root)
  } catch {
    return false
  }
}

function placeOf(root: string, path: Buffer): Buffer {
  return under(Buffer.from(root), path.at(-1) === SLASH ? path.subarray(0, -1) : path)
}

const SLASH = 0x2f
