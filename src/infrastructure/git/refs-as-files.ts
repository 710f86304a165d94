/** What a repository has checked out, and its refs, where git keeps them in plain files. Elsewhere git is asked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNothingThere } from '../error-code.ts'
import { lstatIfThere } from '../sandboxes/writes/lstat-if-there.ts'

/** "ref: " and the full name of a branch, or a commit; null where that is not in a file of this form. */
export function readHeadFile(gitDir: string): string | null {
  const file = join(gitDir, 'HEAD')
  const text = lstatIfThere(file)?.isFile() ? readFileSync(file, 'utf8').trimEnd() : ''
  const isPlain = /^(ref: refs\/heads\/[^\s]+|[0-9a-f]{40,64})$/.test(text)
  // What stands there where refs are kept in tables.
  return isPlain && text !== 'ref: refs/heads/.invalid' ? text : null
}

/** The commit that is checked out; null where there is none, or where git has to say which it is. */
export function readHeadCommit(gitDir: string): string | null {
  const head = readHeadFile(gitDir)
  const [, branch] = /^ref: (.+)$/.exec(head ?? '') ?? []
  return branch === undefined ? head : (readRefs(gitDir)?.get(branch) ?? null)
}

/** Branches, those of other repositories, and tags, with the object of each; sorted by name as git sorts them. */
export function readRefs(commonDir: string): ReadonlyMap<string, string> | null {
  if (existsSync(join(commonDir, 'reftable'))) return null
  try {
    // In this order: git puts a ref into the packed file before it removes its own.
    const loose = FAMILIES.flatMap(family => refsBelow(commonDir, family))
    const found = new Map([...packedRefs(commonDir), ...loose])
    const refs = [...found].map(([name, value]) => [name, objectOf(found, value)] as const)
    const plain = refs.filter((ref): ref is [string, string] => isPlainName(ref[0]) && ref[1] !== null)
    return plain.length === refs.length ? new Map(plain.sort(([a], [b]) => (a < b ? -1 : 1))) : null
  } catch (error) {
    if (isNothingThere(error)) return null
    throw error
  }
}

const FAMILIES = ['refs/heads', 'refs/remotes', 'refs/tags']

function refsBelow(commonDir: string, folder: string): [name: string, value: string][] {
  if (!existsSync(join(commonDir, folder))) return []
  return readdirSync(join(commonDir, folder), { withFileTypes: true }).flatMap(entry => {
    const name = `${folder}/${entry.name}`
    if (entry.name.endsWith('.lock')) return []
    if (entry.isDirectory()) return refsBelow(commonDir, name)
    const value = entry.isFile() ? readFileSync(join(commonDir, name), 'latin1').trimEnd() : 'a link'
    return [[name, value] as [string, string]]
  })
}

// "<object> <name>" a line; "^<object>" says what the tag before it leads to.
function packedRefs(commonDir: string): [name: string, value: string][] {
  const file = join(commonDir, 'packed-refs')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.flatMap(line => {
    const [, value = '', name = ''] = /^([0-9a-f]{40,64}) (.*)$/.exec(line) ?? []
    return FAMILIES.some(family => name.startsWith(`${family}/`)) ? [[name, value] as [string, string]] : []
  })
}

function isPlainName(name: string): boolean {
  return /^[\w./+@=,#%!-]+$/.test(name)
}

/** Null for what is neither an object nor the name of a ref that has one. */
function objectOf(refs: ReadonlyMap<string, string>, value: string): string | null {
  const [, target] = /^ref: (\S+)$/.exec(value) ?? []
  const object = target === undefined ? value : refs.get(target)
  return object !== undefined && /^[0-9a-f]{40,64}$/.test(object) ? object : null
}
