import { execFile } from 'node:child_process'
import { lstat, mkdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import { installCommand, setUpRemedy } from '../project/install-command.ts'
import { readProjectFiles } from '../project/project-files.ts'
import { type BringLimits, excessOf } from './bring-limits.ts'
import { belongsToOpenDatabase, copyDatabase, isDatabase, isInUse } from './copy/copy-database.ts'
import { readStart } from './copy/read-start.ts'
import { lstatIfThere } from './writes/lstat-if-there.ts'
import { under } from './writes/parents.ts'

export interface Move {
  readonly from: string
  readonly to: string
  readonly environment: NodeJS.ProcessEnv
}

/** What is brought, and how much of it there may be at one path. */
export interface Bringing extends Move {
  readonly limits: BringLimits
}

/** One path that was to come along. */
export interface Brought {
  readonly path: Buffer
  /** Null: it did not come, for this reason or one that nobody knows. */
  readonly way: 'reflink' | 'copy' | null
  readonly excess: string | null
}

/** Copies paths that are in no state into the sandbox. Returns a sentence for each. */
export async function bringAlong(
  paths: readonly Buffer[],
  bringing: Bringing,
  signal: AbortSignal,
): Promise<string[]> {
  const notices: string[] = []
  for (const each of await bringEach(paths, bringing, signal))
    notices.push(
      each.way === null
        ? await leftOutNotice(each, bringing.from)
        : `${shown(each.path)} was brought along by ${each.way}.`,
    )
  return notices
}

export async function leftOutNotice({ path, excess }: Brought, projectRoot: string): Promise<string> {
  const why = excess === null ? 'could not be brought along.' : `was left out: ${excess}`
  return `${shown(path)} ${why} ${await remedyFor([path], projectRoot)}`.trimEnd()
}

/** Sharing blocks where the file system can. A database that a program has open is copied as that program sees it. */
export async function bringEach(
  paths: readonly Buffer[],
  { limits, ...move }: Bringing,
  signal: AbortSignal,
): Promise<Brought[]> {
  if (paths.length === 0) return []
  const sharesBlocks = await canShareBlocks(move)
  const way = sharesBlocks ? 'reflink' : 'copy'
  // What shares its blocks costs no space, only the time that each file takes.
  const caps = sharesBlocks ? { ...limits, bytes: Number.POSITIVE_INFINITY } : limits
  const brought: Brought[] = []
  for (const path of paths) {
    if (belongsToOpenDatabase(inside(move.from, path))) continue
    const excess = await excessOf(inside(move.from, path), caps, signal)
    const isCopied = excess === null && (await copy(path, move, signal))
    brought.push({ path, way: isCopied ? way : null, excess })
  }
  return brought
}

/** How the sandbox gets a dependency folder all the same; empty where no manifest beside it tells. */
export async function remedyFor(folders: readonly Buffer[], projectRoot: string): Promise<string> {
  if (folders.length === 0) return ''
  const files = await readProjectFiles(projectRoot)
  const commands = folders.map(path => installCommand(files, withoutSlash(path).toString()))
  const command = commands.find(each => each !== null)
  return command ? setUpRemedy(projectRoot, command) : ''
}

const run = promisify(execFile)

async function copy(path: Buffer, move: Move, signal: AbortSignal): Promise<boolean> {
  const { from, to, environment } = move
  const plain = withoutSlash(path)
  const name = plain.toString()
  if (isOpenDatabase(inside(from, plain))) {
    await mkdir(dirname(join(to, name)), { recursive: true })
    return copyDatabase(inside(from, plain), inside(to, plain))
  }
  if (!Buffer.from(name).equals(plain)) return copyByBytes(plain, move, signal)
  const target = join(to, name)
  await mkdir(dirname(target), { recursive: true })
  // Git leaves an empty folder where a submodule is, and what is copied would land inside of it.
  await rmdir(target).catch(() => {})
  for (const options of copyOptions) {
    const args = [...options, '--', join(from, name), target]
    const isDone = await run('cp', args, { env: environment, signal }).then(yes, no)
    signal.throwIfAborted()
    if (isDone) return true
    await rm(target, { recursive: true, force: true })
  }
  return false
}

function isOpenDatabase(file: Buffer): boolean {
  return lstatIfThere(file)?.isFile() === true && isDatabase(readStart(file)) && isInUse(file)
}

/** Arguments of a process are text in Node; bytes that are none reach `cp` as a list that ends each name with a NUL. */
async function copyByBytes(
  path: Buffer,
  { from, to, environment }: Move,
  signal: AbortSignal,
): Promise<boolean> {
  const args = ['-0', 'cp', '-a', '--reflink=auto', '--parents', '-t', to, '--']
  const copying = run('xargs', args, { cwd: from, env: environment, signal })
  copying.child.stdin?.end(Buffer.concat([path, Buffer.of(0)]))
  const isDone = await copying.then(yes, no)
  signal.throwIfAborted()
  if (!isDone) await rm(inside(to, path), { recursive: true, force: true })
  return isDone
}

function inside(folder: string, path: Buffer): Buffer {
  return under(Buffer.from(folder), withoutSlash(path))
}

function withoutSlash(path: Buffer): Buffer {
  return path.at(-1) === 0x2f ? path.subarray(0, -1) : path
}

// Node's own copy walks names as text and is several times slower on a big dependency folder.
const copyOptions =
  process.platform === 'darwin'
    ? [
        ['-c', '-R', '-p'],
        ['-R', '-p'],
      ]
    : [['-a', '--reflink=auto'], ['-a']]

export async function canShareBlocks({ from, to, environment }: Move): Promise<boolean> {
  if ((await lstat(from)).dev !== (await lstat(to)).dev) return false
  const probe = join(dirname(to), '.reflink-probe')
  const options = process.platform === 'darwin' ? ['-c'] : ['--reflink=always']
  await writeFile(probe, 'probe')
  const isShared = await run('cp', [...options, '--', probe, `${probe}-2`], { env: environment }).then(
    yes,
    no,
  )
  await rm(probe, { force: true })
  await rm(`${probe}-2`, { force: true })
  return isShared
}

function shown(path: Buffer): string {
  const parsed = relPathFromBytes(withoutSlash(path))
  return parsed.ok ? parsed.value : path.toString()
}

function yes(): boolean {
  return true
}

function no(): boolean {
  return false
}
