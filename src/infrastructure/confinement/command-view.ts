import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { ToolContext } from '../../domain/tool.ts'

/** What a confined command is shown besides the sandbox itself. */
export interface CommandView {
  /** An empty file to lay over secrets; a device would be refused by mounts that permit none. */
  readonly emptyFile: string
  /** Mounts that let it look at git without touching it. */
  readonly gitMounts: readonly string[]
}

/** Prepares the view's files in a scratch folder outside of the sandbox. */
export async function prepareView(
  { root, entry, projectRoot }: Pick<ToolContext, 'root' | 'entry' | 'projectRoot'>,
  scratch: string,
): Promise<CommandView> {
  await mkdir(scratch, { recursive: true })
  const emptyFile = join(scratch, 'empty')
  await writeFile(emptyFile, '')
  // A command that enters first finds the root elsewhere than we do.
  const place = entry?.root ?? (await realpath(root))
  return { emptyFile, gitMounts: await gitMounts({ root, place }, await realpath(projectRoot), scratch) }
}

/** Where the project's shared git folder is shown; a folder that exists in no project. */
const shownGit = '/run/agents-git'

/**
 * The sandbox stands at the project's path and so hides the project's own .git folder. A linked worktree is given a
 * second, read-only view of it; in all cases the .git entry itself cannot be written.
 */
async function gitMounts(
  { root, place }: { readonly root: string; readonly place: string },
  projectRoot: string,
  scratch: string,
): Promise<readonly string[]> {
  const seen = join(root, '.git')
  const entry = join(place, '.git')
  const status = await lstat(seen).catch(() => null)
  if (!status?.isDirectory() && !status?.isFile()) return []
  const target = join(projectRoot, '.git')
  const gitFolder = status.isFile() ? await readPointer(seen) : null
  const common = gitFolder && (await commonFolder(projectRoot))
  // The pointer lies in the sandbox, where an earlier command may have turned it to any other folder.
  if (!common || !gitFolder.startsWith(`${common}/worktrees/`)) return ['--ro-bind', entry, target]
  const shown = join(scratch, 'shown-git-pointer')
  await writeFile(shown, `gitdir: ${join(shownGit, relative(common, gitFolder))}\n`)
  return ['--ro-bind', common, shownGit, '--ro-bind', shown, target]
}

/** The git folder that a `.git` file names. */
async function readPointer(file: string): Promise<string | null> {
  const pointer = /^gitdir: (.+)\n?$/.exec(await readFile(file, 'utf8'))?.[1]
  return pointer ? resolve(file, '..', pointer) : null
}

/** The git folder that all worktrees of the project share, as the project itself says, not the sandbox. */
async function commonFolder(projectRoot: string): Promise<string | null> {
  const entry = join(projectRoot, '.git')
  const status = await lstat(entry).catch(() => null)
  if (status?.isDirectory()) return entry
  const gitFolder = status?.isFile() ? await readPointer(entry) : null
  if (!gitFolder) return null
  const common = await readFile(join(gitFolder, 'commondir'), 'utf8').catch(() => '.')
  return resolve(gitFolder, common.trim())
}
