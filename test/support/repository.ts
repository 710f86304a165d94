import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
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
  const root = join(await temporaryFolder(), options.name ?? 'project')
  await mkdir(root)
  const repository = repositoryAt(root)
  await repository.git('init', '-q', '-b', 'main', `--object-format=${options.objectFormat ?? 'sha1'}`)
  await repository.write(
    options.files ?? { 'readme.md': '# Project\n', 'src/main.ts': 'export const answer = 42\n' },
  )
  if (options.commit !== 'none') {
    await repository.git('add', '-A')
    await repository.git('commit', '-q', '--allow-empty', '-m', 'Start')
  }
  return repository
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

async function runGit(cwd: string, args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd, env: userEnvironment(), maxBuffer: 64 * 1024 * 1024 })
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
