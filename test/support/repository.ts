import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

export interface RepositoryOptions {
  readonly files?: FileTree
  /** `none` leaves a repository without commits and the files untracked. */
  readonly commit?: 'all' | 'none'
  /** Name of the project's folder. */
  readonly name?: string
  readonly objectFormat?: 'sha1' | 'sha256'
}

/** Path to contents; an object makes an executable or a symbolic link. */
export type FileTree = Record<string, FileContent>
export type FileContent = string | Uint8Array | { executable: string } | { link: string }

export interface TestRepository {
  readonly root: string
  /** Runs git as the user would, with a fixed identity and none of this machine's settings. */
  git(...args: string[]): Promise<string>
  write(files: FileTree): Promise<void>
}

/** A real repository in a temporary folder, on branch `main`, with everything committed unless asked otherwise. */
export async function makeRepository(options: RepositoryOptions = {}): Promise<TestRepository> {
  const { name = 'project', files = ordinaryFiles, commit = 'all', objectFormat = 'sha1' } = options
  const root = join(await temporaryFolder(), name)
  await mkdir(root)
  const repository = repositoryAt(root)
  await repository.write(files)
  const known = isLittle(files) ? placeOf({ files, commit, objectFormat }) : null
  if (known !== null && existsSync(known)) {
    await cp(known, join(root, '.git'), { recursive: true })
    // Its index has the times of other files.
    if (commit === 'all') await repository.git('update-index', '-q', '--refresh')
    return repository
  }
  await repository.git('init', '-q', '-b', 'main', `--object-format=${objectFormat}`)
  if (commit === 'all') {
    await repository.git('add', '-A')
    await repository.git('commit', '-q', '--allow-empty', '-m', 'Start')
  }
  if (known !== null) await keepCopy(join(root, '.git'), known)
  return repository
}

const ordinaryFiles: FileTree = { 'readme.md': '# Project\n', 'src/main.ts': 'export const answer = 42\n' }

function isLittle(files: FileTree): boolean {
  const sizes = Object.values(files).map(content =>
    typeof content === 'string' || content instanceof Uint8Array ? content.length : 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0) < 100_000
}

/** Where the git directory of a repository is kept that has exactly this in it: most are asked for often. */
function placeOf(made: Required<Pick<RepositoryOptions, 'files' | 'commit' | 'objectFormat'>>): string {
  const isBytes = (value: unknown) => value instanceof Uint8Array
  const text = JSON.stringify(made, (_, value) =>
    isBytes(value) ? Buffer.from(value).toString('hex') : value,
  )
  return join(keptRepositories, createHash('sha256').update(text).digest('hex'))
}

const keptRepositories = join(import.meta.dirname, '../../node_modules/.cache/agents-test/repositories')

async function keepCopy(gitDir: string, place: string): Promise<void> {
  const fresh = `${place}.${process.pid}`
  await cp(gitDir, fresh, { recursive: true })
  // Another process of the tests may have been faster.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true }))
}

/** A folder that git knows nothing of. */
export async function makePlainFolder(files: FileTree): Promise<string> {
  const root = join(await temporaryFolder(), 'project')
  await mkdir(root)
  await writeFiles(root, files)
  return root
}

/** The same verbs for a repository that exists already (a linked worktree, a clone). */
export function repositoryAt(root: string): TestRepository {
  return {
    root,
    git: (...args) => runGit(root, args),
    write: files => writeFiles(root, files),
  }
}

export async function writeFiles(root: string, files: FileTree): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    await mkdir(dirname(path), { recursive: true })
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content)
    else if ('link' in content) await symlink(content.link, path)
    else {
      await writeFile(path, content.executable)
      await chmod(path, 0o755)
    }
  }
}

const run = promisify(execFile)

/** After a commit git starts one more process, to see whether there is something to clean up. */
const quiet = ['-c', 'maintenance.auto=false']

async function runGit(cwd: string, args: string[]): Promise<string> {
  const { stdout } = await run('git', [...quiet, ...args], {
    cwd,
    env: userEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** An environment in which git behaves the same on every machine. */
export function userEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  }
}
