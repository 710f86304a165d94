import { findCycles } from '../cycles.ts'
import { type Import, importsOf } from '../imports.ts'
import { directionProblems } from '../layers.ts'
import type { SourceFile } from '../source-files.ts'
import type { Row } from './row.ts'

const outerFolders = ['components', 'stores', 'themes', 'src/cli']
const innerFolders = ['src/application', 'src/domain', 'src/infrastructure']

export function directionRows(files: readonly SourceFile[]): Row[] {
  const imports = files.flatMap(importsOf)
  const valueCycles = findCycles(imports.filter(each => each.kind === 'value'))
  const allCycles = findCycles(imports)
  const problems = directionProblems(imports)
  return [
    { what: 'circles of imports, values', found: valueCycles.map(cycle => cycle.join(' -> ')) },
    {
      what: 'circles of imports, types and late ones too',
      found: allCycles.map(cycle => cycle.join(' -> ')),
    },
    {
      what: 'imports against the direction',
      found: problems.map(({ path, line, message }) => `${path}:${line} ${message}`),
    },
    { what: 'of these, screen or cli reaching inside', found: imports.filter(reachesInside).map(describe) },
    {
      what: 'domain importing anything but domain and zod',
      found: imports.filter(leavesDomain).map(describe),
    },
    { what: 'members missing from the index of their family', found: missingMembers(files, imports) },
  ]
}

function reachesInside({ from, target }: Import): boolean {
  return target.kind === 'file' && isIn(from, outerFolders) && isIn(target.path, innerFolders)
}

function leavesDomain({ from, target }: Import): boolean {
  if (!isIn(from, ['src/domain'])) return false
  return target.kind === 'file'
    ? !isIn(target.path, ['src/domain'])
    : target.kind !== 'package' || target.name !== 'zod'
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some(folder => path.startsWith(`${folder}/`))
}

function describe({ from, line, target }: Import): string {
  return `${from}:${line} ${target.kind === 'file' ? target.path : target.kind === 'package' ? target.name : target.text}`
}

const families = [
  'src/infrastructure/sandboxes',
  'src/infrastructure/tools',
  'src/infrastructure/actors',
  'src/domain/guards',
  'themes',
  'components/views',
]

/** Files of a family that its index does not reach, also not through another member. */
function missingMembers(files: readonly SourceFile[], imports: readonly Import[]): string[] {
  return families.flatMap(family => {
    const members = files.map(file => file.path).filter(path => path.startsWith(`${family}/`))
    const reached = reachedWithin(`${family}/index.ts`, family, imports)
    return members.filter(path => !reached.has(path))
  })
}

function reachedWithin(start: string, family: string, imports: readonly Import[]): Set<string> {
  const reached = new Set([start])
  for (const path of reached) {
    for (const { from, target } of imports) {
      if (from === path && target.kind === 'file' && target.path.startsWith(`${family}/`))
        reached.add(target.path)
    }
  }
  return reached
}
