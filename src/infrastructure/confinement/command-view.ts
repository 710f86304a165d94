import { existsSync } from 'node:fs'
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
  const real = entry === null ? await realpath(root) : root
  const place = entry?.root ?? real
  return {
    emptyFile,
    gitMounts: await gitMounts({ root: real, place }, await realpath(projectRoot), scratch),
  }
}

/** Where the project's git folder, or the objects in it, are shown; a folder that exists in no project. */
const shownGit = '/run/agents-git'

/**
 * The sandbox stands at the project's path and so hides the project's own .git folder, in which the objects of the
 * sandbox's history lie. They are shown elsewhere, read-only; in all cases the .git entry itself cannot be written.
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
  // One that is entered has the project's objects with it, and covers the place where they are for us.
  const common = place === root ? await commonFolder(projectRoot) : null
  if (common === null) return ['--ro-bind', entry, target]
  if (status.isFile()) {
    const isOwn = root !== projectRoot || (await isLinkedBack(seen, common, projectRoot))
    return isOwn ? worktreeMounts({ seen, entry, target }, common, scratch) : ['--ro-bind', entry, target]
  }
  // In the project itself an earlier command may have made it, with a list that names any folder.
  return root === projectRoot
    ? ['--ro-bind', entry, target]
    : ['--ro-bind', entry, target, ...(await objectMounts({ seen, target }, common, scratch))]
}

/** A linked worktree: its pointer is turned to the second view. */
async function worktreeMounts(
  { seen, entry, target }: { readonly seen: string; readonly entry: string; readonly target: string },
  common: string,
  scratch: string,
): Promise<readonly string[]> {
  const gitFolder = await readPointer(seen)
  // The pointer lies in the sandbox, where an earlier command may have turned it to any other folder.
  if (!gitFolder?.startsWith(`${common}/worktrees/`)) return ['--ro-bind', entry, target]
  const shown = join(scratch, 'shown-git-pointer')
  await writeFile(shown, `gitdir: ${join(shownGit, relative(common, gitFolder))}\n`)
  return ['--ro-bind', common, shownGit, '--ro-bind', shown, target]
}

/** A .git folder of the sandbox's own, which borrows the objects of the project and of what the project borrows from. */
async function objectMounts(
  { seen, target }: { readonly seen: string; readonly target: string },
  common: string,
  scratch: string,
): Promise<readonly string[]> {
  const list = join('objects', 'info', 'alternates')
  if (!(await lstat(join(seen, list)).catch(() => null))?.isFile()) return []
  const folders = await objectFolders(join(common, 'objects'))
  const shown = folders.map((_, i) => `${shownGit}/${i}`)
  const shownList = join(scratch, 'shown-alternates')
  const emptyFile = join(scratch, 'empty')
  await writeFile(shownList, shown.map(folder => `${folder}\n`).join(''))
  const mounts = folders.flatMap((folder, i) => ['--ro-bind', folder, `${shownGit}/${i}`])
  const ownLists = folders.map((folder, i) => [
    join(folder, 'info', 'alternates'),
    `${shownGit}/${i}/info/alternates`,
  ])
  const covers = ownLists.flatMap(([from = '', at = '']) =>
    existsSync(from) ? ['--ro-bind', emptyFile, at] : [],
  )
  return [...mounts, ...covers, '--ro-bind', shownList, join(target, list)]
}

/** A folder of objects and those it borrows from, as git reads its list of them. */
async function objectFolders(first: string): Promise<readonly string[]> {
  const found = new Set<string>()
  const next = [first]
  for (let folder = next.shift(); folder !== undefined && found.size < MAX_BORROWED; folder = next.shift()) {
    const real = await realpath(folder).catch(() => null)
    if (real === null || found.has(real)) continue
    found.add(real)
    const text = await readFile(join(real, 'info', 'alternates'), 'utf8').catch(() => '')
    const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
    next.push(...lines.map(line => resolve(real, unquoted(line))))
  }
  return [...found]
}

const MAX_BORROWED = 20

function unquoted(line: string): string {
  const [, inner] = /^"(.*)"$/.exec(line) ?? []
  return inner === undefined ? line : inner.replace(/\\n/g, '\n').replace(/\\(["\\])/g, '$1')
}

/** The git folder that a `.git` file names. */
async function readPointer(file: string): Promise<string | null> {
  const pointer = /^gitdir: (.+)\n?$/.exec(await readFile(file, 'utf8'))?.[1]
  return pointer ? resolve(file, '..', pointer) : null
}

/** Whether a repository says the same of a worktree as its pointer, which a command in the project could have made. */
async function isLinkedBack(pointer: string, common: string, projectRoot: string): Promise<boolean> {
  const gitFolder = await realpath((await readPointer(pointer)) ?? '').catch(() => null)
  if (gitFolder === null || `${gitFolder}/`.startsWith(`${projectRoot}/`)) return false
  const back = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => '')
  const named = await realpath(resolve(gitFolder, back.trim())).catch(() => null)
  return named === pointer && existsSync(join(common, 'HEAD')) && existsSync(join(common, 'objects'))
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
