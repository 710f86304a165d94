import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessUser } from '../system/run-process.ts'

export type Runner =
  /** An ordinary user started us; commands run as that user. */
  | { readonly kind: 'self' }
  /** Root started us on somebody's project; commands run as that somebody. */
  | { readonly kind: 'owner'; readonly user: ProcessUser }
  /** Root started us on root's own project; commands lose root's powers where that can be done. */
  | { readonly kind: 'root'; readonly canDropRights: boolean }

export function whoRuns(projectRoot: string): Runner {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  const { uid, gid } = statSync(projectRoot)
  if (uid !== 0) return { kind: 'owner', user: { uid, gid } }
  return { kind: 'root', canDropRights: hasSetpriv() }
}

function hasSetpriv(): boolean {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].some(folder => {
    try {
      accessSync(join(folder, 'setpriv'), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Where the user lives, so that tools do not look for their settings in root's home; /tmp for the unknown. */
export function homeOf(uid: number): string {
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n')
  const row = rows.map(line => line.split(':')).find(fields => fields[2] === String(uid))
  return row?.[5] || '/tmp'
}
