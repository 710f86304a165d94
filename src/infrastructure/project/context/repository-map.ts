import { estimatedTokens } from '../../../domain/model/usage.ts'
import { readText } from '../../files/read-text.ts'
import type { WalkedFile } from '../../files/walk.ts'
import { declarationsIn } from './declarations.ts'

/** Where people look last: what is generated, brought from elsewhere, or checks the rest. */
const LATER =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|vendor|third_party|dist|build|out|generated|node_modules|docs?)\//i
const NOTHING_TO_READ =
  /\.(?:lock|min\.\w+|map|svg|png|jpe?g|gif|ico|pdf|zip|gz|woff2?|ttf|snap|wasm|bin)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$/i
/** Longer files are mostly data. */
const MOST_CHARACTERS = 400_000

/**
 * The folders of a project with how many files they hold, and its files with what they declare: the nearest to the top
 * first, within a budget of tokens. Only files that find a place are read.
 */
export function repositoryMap(root: string, files: readonly WalkedFile[], maxTokens: number): string {
  const lines: string[] = []
  let left = maxTokens
  const add = (line: string): boolean => {
    const cost = estimatedTokens(`${line}\n`)
    if (cost > left) return false
    left -= cost
    lines.push(line)
    return true
  }
  add(`${counted(files.length, 'file')} in ${counted(foldersOf(files).length, 'folder')}`)
  const reserve = Math.floor(maxTokens * 0.7)
  for (const { folder, count } of foldersOf(files)) {
    if (left < reserve || !add(`${folder}/ ${count}`)) break
  }
  const ranked = [...files].sort(byRank)
  let shown = 0
  for (const file of ranked) {
    if (!add(lineFor(root, file))) break
    shown++
  }
  if (shown < files.length) lines.push(`and ${files.length - shown} more files`)
  return lines.join('\n')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function foldersOf(files: readonly WalkedFile[]): { folder: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { path } of files)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  return [...counts]
    .map(([folder, count]) => ({ folder, count }))
    .sort((a, b) => depth(a.folder) - depth(b.folder) || (a.folder < b.folder ? -1 : 1))
}

function byRank(one: WalkedFile, other: WalkedFile): number {
  return rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1)
}

function rank(path: string): number {
  return depth(path) + (LATER.test(path) ? 100 : 0) + (NOTHING_TO_READ.test(path) ? 200 : 0)
}

function depth(path: string): number {
  return path.split('/').length
}

function lineFor(root: string, { path, kind }: WalkedFile): string {
  const names = kind === 'file' && !NOTHING_TO_READ.test(path) ? declared(root, path) : []
  return names.length === 0 ? path : `${path}: ${names.join(', ')}`
}

/** Of a file that cannot be read, only the name is told. */
function declared(root: string, path: WalkedFile['path']): readonly string[] {
  try {
    const read = readText(root, path)
    return read.ok ? declarationsIn(path, read.value.text.slice(0, MOST_CHARACTERS)) : []
  } catch {
    return []
  }
}
