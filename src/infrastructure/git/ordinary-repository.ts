import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lstatIfThere } from '../sandboxes/writes/lstat-if-there.ts'
import { readHeadFile } from './refs-as-files.ts'

/**
 * Whether a folder, named by its real path, is the root of a checkout of which the files alone say what git would:
 * everything of it lies in its own `.git`, belongs to us, and no setting sends git elsewhere. Starting git costs more
 * than looking. Where there is any doubt the answer is no, and git is asked.
 */
export function isOrdinaryRepository(root: string): boolean {
  try {
    return looksOrdinary(root, join(root, '.git'))
  } catch {
    // What we may not read, git may not read either, and says so.
    return false
  }
}

function looksOrdinary(root: string, gitDir: string): boolean {
  return (
    isOurFolder(root) &&
    isOurFolder(gitDir) &&
    readHeadFile(gitDir) !== null &&
    ['objects', 'refs'].every(name => lstatIfThere(join(gitDir, name))?.isDirectory()) &&
    UNUSUAL.every(name => !existsSync(join(gitDir, name))) &&
    isOrdinaryConfig(readIfThere(join(gitDir, 'config'))) &&
    !readIfThere(join(gitDir, 'packed-refs'))?.includes('refs/replace/')
  )
}

/** A part of another repository, refs in tables, and what makes git take one object for another. */
const UNUSUAL = ['commondir', 'config.worktree', 'reftable', 'refs/replace', 'info/grafts']

/** Git reads nothing in a folder that is somebody else's. */
function isOurFolder(path: string): boolean {
  const entry = lstatIfThere(path)
  return entry?.isDirectory() === true && entry.uid === process.geteuid?.()
}

function isOrdinaryConfig(text: string | null): boolean {
  return text?.split('\n').every(line => /^\s*([#;].*)?$/.test(line) || isOrdinaryLine(line.trim())) ?? false
}

/** A section or a setting that every reader understands alike, and that says nothing about where things lie. */
function isOrdinaryLine(line: string): boolean {
  if (/^\[[\w.-]+( "[^"\\]*")?\]$/.test(line)) return !/^\[(extensions|include)/i.test(line)
  const [, name = '', value = ''] = /^([a-z][\w-]*)(?: *= *([^"\\#;]*))?$/i.exec(line) ?? []
  const wanted = PLACES[name.toLowerCase()]
  return name !== '' && (wanted === undefined || wanted === value)
}

const PLACES: Readonly<Record<string, string | null>> = {
  bare: 'false',
  repositoryformatversion: '0',
  worktree: null,
}

function readIfThere(file: string): string | null {
  return lstatIfThere(file)?.isFile() ? readFileSync(file, 'utf8') : null
}
