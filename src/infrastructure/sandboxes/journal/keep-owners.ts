import { lchownSync, lstatSync } from 'node:fs'
import { errorCode } from '../../error-code.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { nearestFolder, under } from '../writes/parents.ts'
import { bytesOf, type Operation } from './journal.ts'
import type { Places } from './places.ts'

/** A file keeps its owner and group as far as the system allows; a new one gets what its folder asks for. */
export function keepOwners(root: string, operations: readonly Operation[], places: Places): void {
  const isRoot = process.getuid?.() === 0
  for (const operation of operations) {
    if (operation.new === null) continue
    const place = places.staged(operation)
    const now = lstatSync(place)
    const path = under(Buffer.from(root), bytesOf(operation.path))
    const before = operation.old ? lstatIfThere(path) : undefined
    const folder = lstatSync(nearestFolder(Buffer.from(root), bytesOf(operation.path)))
    const owner = isRoot ? (before?.uid ?? folder.uid) : now.uid
    const inherits = isRoot || (folder.mode & SET_GROUP) !== 0
    const group = before?.gid ?? (inherits ? folder.gid : now.gid)
    if (owner === now.uid && group === now.gid) continue
    try {
      lchownSync(place, owner, group)
    } catch (error) {
      if (errorCode(error) !== 'EPERM') throw error
    }
  }
}

const SET_GROUP = 0o2000
