import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderFacts } from '../../application/ports/project.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Git } from '../git/git.ts'
import { isOrdinaryRepository } from '../git/ordinary-repository.ts'
import { readHeadFile, readRefs } from '../git/refs-as-files.ts'

/** What a folder is: inside a git checkout, the root of that checkout; else the folder itself. */
export async function inspectFolder(git: Git, folder: string): Promise<Result<FolderFacts>> {
  const real = await realFolder(folder)
  if (!real.ok) return real
  const root = await rootOf(git, real.value)
  if (!root.ok) {
    if (root.failure.message.includes('dubious ownership')) return root
    if (await isBare(git, real.value)) return refuseBare(real.value)
    return { ok: true, value: { root: real.value, resource: 'fs-directory', branch: null } }
  }
  const branch = await branchOf(git, root.value)
  return { ok: true, value: { root: root.value, resource: 'git-checkout', branch } }
}

async function rootOf(git: Git, folder: string): Promise<Result<string>> {
  if (isOrdinaryRepository(folder)) return { ok: true, value: folder }
  return ask(git, folder, ['rev-parse', '--show-toplevel'])
}

/** By its short name, unless that could be another ref as well. */
async function branchOf(git: Git, root: string): Promise<string | null> {
  const gitDir = join(root, '.git')
  const [, name] = /^ref: refs\/heads\/(.+)$/.exec(readHeadFile(gitDir) ?? '') ?? []
  const refs = name === undefined ? null : readRefs(gitDir)
  if (name !== undefined && refs !== null && !isAmbiguous(gitDir, refs, name)) return name
  const branch = await ask(git, root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return branch.ok && branch.value !== '' ? branch.value : null
}

function isAmbiguous(gitDir: string, refs: ReadonlyMap<string, string>, name: string): boolean {
  const others = [`refs/tags/${name}`, `refs/remotes/${name}`, `refs/remotes/${name}/HEAD`]
  return (
    others.some(other => refs.has(other)) ||
    [name, `refs/${name}`].some(each => existsSync(join(gitDir, each)))
  )
}

export async function reachFolder(folder: string): Promise<string | null> {
  const real = await realFolder(folder)
  return real.ok ? null : real.failure.message
}

async function isBare(git: Git, folder: string): Promise<boolean> {
  const answer = await ask(git, folder, ['rev-parse', '--is-bare-repository'])
  return answer.ok && answer.value === 'true'
}

function refuseBare(folder: string) {
  return refuse(
    'invalid_input',
    `${folder} is a bare git repository: it has no files to work on. Use a clone or a worktree of it.`,
    { folder },
  )
}

async function realFolder(folder: string): Promise<Result<string>> {
  try {
    const real = await realpath(folder)
    if ((await stat(real)).isDirectory()) return { ok: true, value: real }
    return refuse('invalid_input', `${folder} is a file, not a folder.`, { folder })
  } catch {
    return refuse('not_found', `There is no folder ${folder}.`, { folder })
  }
}

async function ask(git: Git, cwd: string, args: readonly string[]): Promise<Result<string>> {
  const ran = await git({ args, cwd, settings: 'user', accept: [1] })
  return ran.ok ? { ok: true, value: ran.value.stdout.toString('utf8').replace(/\n$/, '') } : ran
}
