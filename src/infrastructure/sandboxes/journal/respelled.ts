import { readdirSync } from 'node:fs'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import type { TreeChange } from '../store/tree-diff.ts'
import { conflictAt } from '../writes/conflict.ts'
import { foldedName } from '../writes/folded-name.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'

/** Paths that the plan wants side by side and that are one and the same where capitals do not count. */
export function findRespelled(
  root: string,
  changes: readonly TreeChange[],
  ignoresCase: (folder: string) => boolean = looksAlike,
): ApplyConflict[] {
  const seen = new Set<string>()
  const again: Buffer[] = []
  for (const { path, new: entry } of changes) {
    if (entry === null) continue
    const name = foldedName(path)
    if (seen.has(name)) again.push(path)
    seen.add(name)
  }
  if (again.length === 0 || !ignoresCase(root)) return []
  return again.map(path =>
    conflictAt(
      path,
      'foreign',
      'another file of the plan has the same name but for capitals, which do not count here',
    ),
  )
}

/** Asks for an entry of the folder by a name that is not in its list. */
function looksAlike(folder: string): boolean {
  const names = readdirSync(folder)
  const known = new Set(names)
  for (const name of names) {
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
    if (known.has(other)) continue
    return lstatIfThere(under(Buffer.from(folder), Buffer.from(other))) !== undefined
  }
  return false
}
