import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { errorCode } from '../../error-code.ts'
import { lstatIfThere } from './lstat-if-there.ts'

/** Keeps what stands at a path under a second name: the old file itself, with its times and whatever else it carries. */
export function keepUnder(file: Buffer, name: Buffer): void {
  try {
    if (lstatSync(file).isSymbolicLink()) linkTheLink(file, name)
    else linkSync(file, name)
  } catch (error) {
    if (!cannotLink(error)) throw error
    copyWhole(file, name)
  }
}

/** Puts waiting content at a path where nothing is. Unlike a rename, it never replaces what somebody put there now. */
export function putAt(staged: Buffer, path: Buffer): void {
  try {
    if (lstatSync(staged).isSymbolicLink()) linkTheLink(staged, path)
    else linkSync(staged, path)
  } catch (error) {
    if (!cannotLink(error)) throw error
    if (lstatIfThere(path)) throw alreadyThere(path)
    renameSync(staged, path)
  }
}

// Some systems follow a link when it is given a second name, and make a file or nothing of it.
function linkTheLink(file: Buffer, name: Buffer): void {
  try {
    linkSync(file, name)
    if (lstatSync(name).isSymbolicLink()) return
    unlinkSync(name)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
  }
  symlinkSync(readlinkSync(file, { encoding: 'buffer' }), name)
}

/** Some file systems know no second names, and some systems allow them to the owner of a file only. */
function cannotLink(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error) ?? '')
}

// A copy that is broken off must not be taken for the file.
function copyWhole(file: Buffer, name: Buffer): void {
  if (lstatIfThere(name)) throw alreadyThere(name)
  const unfinished = Buffer.concat([name, Buffer.from('.part')])
  copyFileSync(file, unfinished, constants.COPYFILE_FICLONE)
  const handle = openSync(unfinished, 'r')
  fsyncSync(handle)
  closeSync(handle)
  renameSync(unfinished, name)
}

function alreadyThere(path: Buffer): Error {
  return Object.assign(new Error(`${path} exists already`), { code: 'EEXIST' })
}
