import type { GitCall } from './git.ts'

/** The environment of one git process: what was inherited without anything git reads, plus what the call names. */
export function gitEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  call: Pick<GitCall, 'dirs' | 'settings'>,
): Record<string, string> {
  return {
    ...withoutGitVariables(inherited),
    ...(call.settings === 'user' ? {} : isolation),
    ...identity,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
    ...(call.dirs ? directories(call.dirs) : {}),
  }
}

/** On the command line because it must win over every file, the project's own configuration included. */
export const safetySettings = [
  '--no-pager',
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'].flatMap(
    asOption,
  ),
  ...['commit.gpgSign=false', 'protocol.allow=never'].flatMap(asOption),
] as const

const isolation = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' }

// Commits in a plan's store are made by the program; without a fixed identity git refuses where a person has none set.
const name = 'CleverAgents'
const email = 'agents@localhost'
const identity = {
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
}

/** The same as it stands in a commit. */
export const commitIdentity = `${name} <${email}>`

function asOption(setting: string): [string, string] {
  return ['-c', setting]
}

// A program started from a hook inherits GIT_DIR and GIT_INDEX_FILE of another repository and would write there.
function withoutGitVariables(
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !name.toUpperCase().startsWith('GIT_')) kept[name] = value
  }
  return kept
}

function directories(dirs: NonNullable<GitCall['dirs']>): Record<string, string> {
  const { gitDir, workTree, indexFile, borrowedObjects } = dirs
  return {
    GIT_DIR: gitDir,
    GIT_COMMON_DIR: gitDir,
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(borrowedObjects === undefined
      ? {}
      : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteObjectsPath(borrowedObjects) }),
  }
}

/** Git's form for a path in a list of objects folders, where a colon would end it and a quote begin a quoted one. */
export function quoteObjectsPath(path: string): string {
  if (!/[\n":#]/.test(path)) return path
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
