import { join } from 'node:path'
import { ok } from '../../domain/failure.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { Git } from '../git/git.ts'
import { readHeadCommit, readHeadFile, readRefs } from '../git/refs-as-files.ts'
import type { ProjectRepository } from './store/project-repository.ts'

/** Where the user's repository stood when the plan began. */
export interface Head {
  /** Full name of the branch, or null when none was checked out. */
  readonly branch: string | null
  readonly commit: string
}

export function headOf({ head, headCommit }: Pick<ProjectRepository, 'head' | 'headCommit'>): Head | null {
  const branch = head.startsWith('ref: ') ? head.slice('ref: '.length) : null
  return headCommit === null ? null : { branch, commit: headCommit }
}

/** Of a folder that need be no repository; null where git keeps it in another form than plain files. */
export function headIn(projectRoot: string): Head | null {
  const gitDir = join(projectRoot, '.git')
  const head = readHeadFile(gitDir)
  const headCommit = readHeadCommit(gitDir)
  return head === null ? null : headOf({ head, headCommit })
}

/** Apply merges into the files whatever the branch did, and says what it did. */
export function withMovedBase(
  sandbox: Sandbox,
  { git, head, projectRoot }: { readonly git: Git; readonly head: Head | null; readonly projectRoot: string },
): Sandbox {
  if (head === null) return sandbox
  return {
    ...sandbox,
    apply: async (request, signal, watch) => {
      const report = await sandbox.apply(request, signal, watch)
      if (!report.ok || report.value.outcome !== 'applied') return report
      const moved = await moves(git, head, projectRoot)
      return ok({ ...report.value, notices: [...report.value.notices, ...moved] })
    },
  }
}

/** Known from the files of the repository where it is there as one expects; git is asked everywhere else. */
function isWhereItWas({ branch, commit }: Head, projectRoot: string): boolean {
  const gitDir = join(projectRoot, '.git')
  const head = readHeadFile(gitDir)
  if (branch === null) return head === commit
  return head === `ref: ${branch}` && readRefs(gitDir)?.get(branch) === commit
}

async function moves(git: Git, { branch, commit }: Head, cwd: string): Promise<string[]> {
  if (isWhereItWas({ branch, commit }, cwd)) return []
  const ask = async (accept: readonly number[], ...args: string[]) => {
    const ran = await git({ args, cwd, settings: 'user', accept })
    return ran.ok && ran.value.stdout.length > 0 ? ran.value.stdout.toString().trim() : null
  }
  const now = await ask([1], 'symbolic-ref', '--quiet', 'HEAD')
  const counts = await ask([128], 'rev-list', '--left-right', '--count', `${commit}...HEAD`)
  const [gone = 0, come = 0] = counts?.split(/\s+/).map(Number) ?? []
  const words: string[] = []
  if (now !== branch)
    words.push(`${nameOf(now)} is checked out, and ${nameOf(branch)} was when the plan began`)
  if (come > 0) words.push(`the base moved by ${commits(come)}`)
  if (gone > 0) words.push(`${commits(gone)} that the plan began with ${gone === 1 ? 'is' : 'are'} not in it`)
  return words.length === 0
    ? []
    : [`In your repository ${words.join('; ')}. The plan was merged around that.`]
}

function nameOf(branch: string | null): string {
  return branch === null ? 'no branch' : branch.replace(/^refs\/heads\//, '')
}

function commits(count: number): string {
  return `${count} ${count === 1 ? 'commit' : 'commits'}`
}
