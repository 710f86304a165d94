import { basename } from 'node:path'
import type { ProjectContext } from '../../../domain/actor/actor.ts'
import { withHiddenShown } from '../../../domain/model/untrusted.ts'
import { estimatedTokens } from '../../../domain/model/usage.ts'
import { readText } from '../../files/read-text.ts'
import type { WalkedFile } from '../../files/walk.ts'

/** Files in which projects tell agents how to work on them, by the tools that introduced the names. */
const ROOT_FILES = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  'CONVENTIONS.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
]
const NESTED = new Set(['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'])

/**
 * What lies at the top of a project, within a budget of tokens; the same text under two names counts once. Links are not
 * followed: most of these that are links lead to another of them.
 */
export function readInstructions(
  root: string,
  files: readonly WalkedFile[],
  maxTokens: number,
): ProjectContext['instructions'] {
  const there = new Set<string>(files.flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])))
  const found: { path: string; text: string }[] = []
  let left = maxTokens
  for (const walked of files.filter(({ path }) => ROOT_FILES.includes(path)).sort(byRank)) {
    if (!there.has(walked.path) || left <= 0) continue
    const read = readText(root, walked.path)
    const text = read.ok ? withHiddenShown(read.value.text.replace(/^\uFEFF/, '').trim()) : ''
    if (text === '' || found.some(each => each.text === text)) continue
    const taken = cutTo(text, left)
    found.push({ path: walked.path, text: taken })
    left -= estimatedTokens(taken)
  }
  return found
}

function byRank(one: WalkedFile, other: WalkedFile): number {
  return ROOT_FILES.indexOf(one.path) - ROOT_FILES.indexOf(other.path)
}

function cutTo(text: string, maxTokens: number): string {
  if (estimatedTokens(text) <= maxTokens) return text
  return `${text.slice(0, maxTokens * 4)}\n[cut here; the file has ${text.length} characters]`
}

/** Deeper in the project such a file speaks of its own folder; it is read by who works there. */
export function nestedInstructions(files: readonly WalkedFile[]): readonly string[] {
  return files.flatMap(({ path, kind }) =>
    kind === 'file' && path.includes('/') && NESTED.has(basename(path)) ? [path] : [],
  )
}
