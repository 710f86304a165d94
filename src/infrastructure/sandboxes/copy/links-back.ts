import { readlinkSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { under } from '../writes/parents.ts'

/** Whether a link is absolute and leads into the project: what is written through it reaches the user's files. */
export function leadsInto(projectRoot: string, path: Buffer): boolean {
  const target = readTarget(under(Buffer.from(projectRoot), path))
  return isAbsolute(target) && !relative(projectRoot, target).startsWith('..')
}

function readTarget(link: Buffer): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
