import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Failure, ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Git } from '../../git/git.ts'
import { isOrdinaryRepository } from '../../git/ordinary-repository.ts'
import { readHeadCommit, readHeadFile } from '../../git/refs-as-files.ts'
import { findObject } from './loose-objects.ts'

/** What must be known about the user's repository. Only questions are asked of it; nothing in it is ever written. */
export interface ProjectRepository {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
  readonly objectFormat: string
  /** What is checked out, in git's words: "ref: " and the full name of a branch, or a commit. */
  readonly head: string
  /** The commit and its tree; null in a repository without commits. */
  readonly headTree: string | null
  readonly headCommit: string | null
  readonly settings: ReadonlyMap<string, string>
  readonly homeFolder: string
  /** Where git keeps a person's own excludes and attributes. */
  readonly userSettingsFolder: string
  /** Unfinished operations, in words: "merge", "rebase". */
  readonly inProgress: readonly string[]
}

export interface GitAccess {
  readonly git: Git
  readonly environment: Readonly<Record<string, string | undefined>>
}

export async function describeRepository(
  { git, environment }: GitAccess,
  projectRoot: string,
  signal: AbortSignal,
): Promise<Result<ProjectRepository>> {
  const ask = asker(git, projectRoot, signal)
  const places = await findPlaces(ask, projectRoot)
  if (!places.ok) return places
  const [, gitDir = '', commonDir = '', objectFormat = '', headTree, headCommit] = places.value
  const head = await headOf(gitDir, ask)
  if (!head.ok) return head
  const settings = await ask('config', '--list', '-z')
  if (!settings.ok) return settings
  return ok({
    root: projectRoot,
    gitDir,
    commonDir: resolve(projectRoot, commonDir),
    objectFormat,
    head: head.value,
    headTree: headTree ?? null,
    headCommit: headCommit ?? null,
    settings: parseSettings(settings.value),
    homeFolder: environment['HOME'] ?? '/',
    userSettingsFolder: userSettingsFolder(environment),
    inProgress: operationsInProgress(gitDir),
  })
}

/** Whether it is a repository of its own that git reads; its settings are not needed to say so. */
export async function checkRepository(
  { git }: GitAccess,
  projectRoot: string,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  return findPlaces(asker(git, projectRoot, signal), projectRoot)
}

async function findPlaces(ask: Ask, projectRoot: string): Promise<Result<string[]>> {
  const known = await placesFromFiles(projectRoot)
  if (known !== null) return ok(known)
  const places = await askPlaces(ask)
  if (!places.ok) return explain(places.failure, projectRoot)
  return (await refuseOtherRoot(projectRoot, places.value[0] ?? '')) ?? places
}

function asker(git: Git, cwd: string, signal: AbortSignal): Ask {
  return async (...args) => {
    const ran = await git({ args, cwd, settings: 'user', accept: [1] }, signal)
    return ran.ok ? ok(ran.value.stdout.toString().replace(/\n$/, '')) : ran
  }
}

type Ask = (...args: string[]) => Promise<Result<string>>

const PLACES = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--show-object-format']

const HEAD_OBJECTS = ['HEAD^{tree}', 'HEAD^{commit}']

/** What git would answer, where the files of the repository say it and its commit is at hand. */
async function placesFromFiles(projectRoot: string): Promise<string[] | null> {
  const root = await realpath(projectRoot).catch(() => null)
  if (root === null || !isOrdinaryRepository(root)) return null
  const gitDir = join(root, '.git')
  const commit = readHeadCommit(gitDir)
  const tree = commit === null ? null : treeOfCommit(gitDir, commit)
  if (commit === null || tree === null) return null
  return [root, gitDir, gitDir, 'sha1', tree, commit]
}

function treeOfCommit(gitDir: string, commit: string): string | null {
  const found = findObject(gitDir, commit)
  const [, tree = ''] = /^tree ([0-9a-f]+)\n/.exec(found?.content.toString('latin1') ?? '') ?? []
  return found?.type === 'commit' && findObject(gitDir, tree)?.type === 'tree' ? tree : null
}

// One answer a line, unless a path contains line breaks itself; then each is asked alone. Without commits there is no
// tree, and git says so where it would stand.
async function askPlaces(ask: Ask): Promise<Result<string[]>> {
  const whole = await ask('rev-parse', ...PLACES, ...HEAD_OBJECTS)
  if (!whole.ok && isNoRepository(whole.failure)) return whole
  const together = whole.ok ? whole : await ask('rev-parse', ...PLACES)
  if (!together.ok) return together
  const lines = together.value.split('\n')
  if (lines.length === PLACES.length + (whole.ok ? HEAD_OBJECTS.length : 0)) return ok(lines)
  const answers: string[] = []
  for (const place of [...PLACES, ...(whole.ok ? HEAD_OBJECTS : [])]) {
    const answer = await ask('rev-parse', place)
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok(answers)
}

async function headOf(gitDir: string, ask: Ask): Promise<Result<string>> {
  const plain = readHeadFile(gitDir)
  if (plain !== null) return ok(plain)
  const branch = await ask('symbolic-ref', '--quiet', 'HEAD')
  if (!branch.ok || branch.value !== '') return branch.ok ? ok(`ref: ${branch.value}`) : branch
  return ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

async function refuseOtherRoot(projectRoot: string, toplevel: string) {
  if (toplevel !== '' && (await realpath(toplevel)) === (await realpath(projectRoot))) return null
  return refuse(
    'not_available',
    `${projectRoot} lies inside the repository ${toplevel}. Start the plan from ${toplevel}, or use the sandbox filesystem_copy for this part alone.`,
    { projectRoot, repositoryRoot: toplevel },
  )
}

function explain(failure: Failure, projectRoot: string) {
  if (/dubious ownership/.test(failure.message)) {
    return refuse(
      'sandbox_failed',
      `git refuses to read ${projectRoot} because it belongs to another user. Run as its owner, or trust it: git config --global --add safe.directory ${projectRoot}`,
      { projectRoot },
    )
  }
  if (isNoRepository(failure)) {
    return refuse(
      'not_available',
      `${projectRoot} is not the working folder of a git repository, which the sandbox git_worktree needs. The sandbox filesystem_copy works on any folder.`,
      { projectRoot, strategy: 'filesystem_copy' },
    )
  }
  return { ok: false as const, failure }
}

function isNoRepository({ message }: Failure): boolean {
  return /not a git repository|must be run in a work tree/.test(message)
}

function parseSettings(listing: string): Map<string, string> {
  const settings = new Map<string, string>()
  for (const entry of listing.split('\0')) {
    const end = entry.indexOf('\n')
    // A key without a value means "true" to git.
    if (end >= 0) settings.set(entry.slice(0, end), entry.slice(end + 1))
    else if (entry !== '') settings.set(entry, 'true')
  }
  return settings
}

function userSettingsFolder(environment: GitAccess['environment']): string {
  return join(environment['XDG_CONFIG_HOME'] || join(environment['HOME'] ?? '/', '.config'), 'git')
}

function operationsInProgress(gitDir: string): string[] {
  const signs: [file: string, operation: string][] = [
    ['MERGE_HEAD', 'merge'],
    ['rebase-merge', 'rebase'],
    ['rebase-apply', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
    ['BISECT_LOG', 'bisect'],
  ]
  return signs.filter(([file]) => existsSync(join(gitDir, file))).map(([, operation]) => operation)
}
