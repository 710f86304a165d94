import { readFileSync } from 'node:fs'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { parentsOf, under } from '../writes/parents.ts'

/**
 * Names the area within which a file can change its name: one mount of one file system. Folders that are not there yet
 * belong to where they will be made.
 */
export function areas(root: string): (path: Buffer) => string {
  const mountPoints = readMountPoints()
  const known = new Map<string, string | null>()
  const areaOf = (folder: Buffer): string | null => {
    const key = folder.toString('latin1')
    const found = known.get(key)
    if (found !== undefined) return found
    const entry = lstatIfThere(folder)
    const area = entry?.isDirectory() ? `${entry.dev} ${mountPointOf(mountPoints, key)}` : null
    known.set(key, area)
    return area
  }
  const rootFolder = Buffer.from(root)
  return path => {
    let area = areaOf(rootFolder) ?? ''
    for (const parent of parentsOf(path)) {
      const next = areaOf(under(rootFolder, parent))
      if (next === null) break
      area = next
    }
    return area
  }
}

// One device can be mounted at several places, and nothing moves between them; other systems do not have that.
function readMountPoints(): string[] {
  try {
    const rows = readFileSync('/proc/self/mountinfo', 'latin1').split('\n')
    return rows.flatMap(row => {
      const point = row.split(' ')[4]
      return point
        ? [point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))]
        : []
    })
  } catch {
    return []
  }
}

function mountPointOf(mountPoints: readonly string[], folder: string): string {
  const above = mountPoints.filter(
    point => point === '/' || folder === point || folder.startsWith(`${point}/`),
  )
  return above.reduce((longest, point) => (point.length > longest.length ? point : longest), '')
}
