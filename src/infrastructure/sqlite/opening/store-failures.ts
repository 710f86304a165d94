import { type Failure, refuse } from '../../../domain/failure.ts'

export function newerStore(file: string, found: number, known: number): Failure {
  return refuse(
    'store_newer',
    `${file} has version ${found}, written by a newer program; this program knows versions up to ${known}. It was not touched. Update the program, or name another folder with --data-dir.`,
    { file, found, known },
  ).failure
}

export function damagedStore(file: string): Failure {
  return refuse(
    'store_damaged',
    `${file} is damaged or is not a store of this program. It was left as it is: move it away to begin with an empty store, or put a backup in its place.`,
    { file },
  ).failure
}

export function busyStore(file: string): Failure {
  return refuse(
    'store_busy',
    `Another process keeps ${file} locked; nothing was stored. Try again, and if it stays so, end that process.`,
    { file },
  ).failure
}

export function fullDisk(file: string): Failure {
  return refuse(
    'disk_full',
    `The disk that holds ${file} is full; nothing was stored. Free some space and try again.`,
    { file },
  ).failure
}
