import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Move } from './bring-along.ts'
import { under } from './writes/parents.ts'

/**
 * The repositories in a project, submodules for example, that `.worktreeinclude` names by their path. Patterns are not
 * matched: a repository that somebody happens to keep in the folder is not copied unasked.
 */
export async function includedRepositories(
  projectRoot: string,
  repositories: readonly Buffer[],
): Promise<Buffer[]> {
  const text = await readFile(join(projectRoot, '.worktreeinclude'), 'latin1').catch(() => '')
  const named = new Set(text.split('\n').map(line => line.trim().replace(/^\/|\/$/g, '')))
  return repositories.filter(path => named.has(path.toString('latin1')))
}

/**
 * Makes plain files of repositories that were brought along: with a `.git` of theirs, what an actor does with git in
 * them would reach the history of the original. A sentence for each.
 */
export async function bringAlone(
  repositories: readonly Buffer[],
  { to }: Pick<Move, 'to'>,
): Promise<string[]> {
  const notices: string[] = []
  for (const path of repositories) {
    const folder = under(Buffer.from(to), path)
    if (!existsSync(folder) || readdirSync(folder).length === 0) continue
    await removeHistory(folder)
    notices.push(
      `${path.toString()} is a repository of its own, and is in the sandbox as plain files: what the plan changes there is in no checkpoint and is not applied.`,
    )
  }
  return notices
}

async function removeHistory(folder: Buffer): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const inner = under(folder, entry.name)
    if (entry.name.toString('latin1') === '.git') await rm(inner, { recursive: true, force: true })
    else if (entry.isDirectory()) await removeHistory(inner)
  }
}
