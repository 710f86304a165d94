import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadAll, YAMLException } from 'js-yaml'
import { type Result, refuse } from '../../domain/failure.ts'
import { errorCode } from '../error-code.ts'
import { makeFolders } from '../files/make-folders.ts'
import { setInYaml } from './set-in-yaml.ts'

export type KeyPath = readonly string[]
export type Tree = Readonly<Record<string, unknown>>

/** The tree of the file; empty when there is none. It is read anew each time: other processes change it too. */
export function readSettingsFile(file: string): Result<Tree> {
  try {
    const text = readText(file)
    const [tree = {}, ...more] = loadAll(text)
    if (isTree(tree) && more.length === 0) return { ok: true, value: tree }
    return unreadable(
      file,
      'it should be one document of sections, like `core:` with `format: json` below it',
    )
  } catch (error) {
    if (error instanceof YAMLException)
      return unreadable(file, `line ${(error.mark?.line ?? 0) + 1}: ${error.reason}`)
    const reason = reasonOf(errorCode(error))
    if (reason === null) throw error
    return unreadable(file, reason)
  }
}

/** Writes one value beside the others; the file is complete at every moment, and its comments stay where possible. */
export function writeSetting(file: string, path: KeyPath, value: string): Result<void> {
  const before = readSettingsFile(file)
  if (!before.ok) return before
  makeFolders(dirname(file))
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, setInYaml(readText(file), before.value, path, value), { mode: 0o600 })
  renameSync(draft, file)
  return { ok: true, value: undefined }
}

export function valueAt(tree: Tree, path: KeyPath): unknown {
  let at: unknown = tree
  for (const key of path) at = isTree(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return at
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

function reasonOf(code: string | null): string | null {
  if (code === 'EISDIR') return 'it is a folder'
  return code === 'EACCES' || code === 'EPERM' ? 'you may not read it' : null
}

function unreadable(file: string, reason: string) {
  return refuse(
    'invalid_input',
    `The settings in ${file} cannot be read: ${reason}. Correct the file or move it away.`,
    {
      file,
      reason,
    },
  )
}
