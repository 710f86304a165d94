import { readdirSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { errorCode } from '../error-code.ts'
import type { Survey } from './copy/survey.ts'
import type { PlanFolder } from './store/plan-folder.ts'
import type { EntryMode, TreeChange } from './store/tree-diff.ts'
import { lstatIfThere } from './writes/lstat-if-there.ts'
import { findParentProblem, under } from './writes/parents.ts'

/**
 * What a project has besides what a tree of git can hold: empty folders, and files that not everybody may read or that
 * more than their owner may write. A plan has them from its start; its states do not record changes of them.
 */
const besidesSchema = z.object({
  /** Bytes of names as latin1. */
  emptyFolders: z.array(z.string()).readonly(),
  permissions: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
})
type Besides = z.output<typeof besidesSchema>

/** Gives a sandbox that was filled from a tree what the tree lacks, and keeps a note of it if there is anything. */
export async function copyBesides(folder: PlanFolder, projectRoot: string, survey: Survey): Promise<void> {
  const found: Besides = {
    emptyFolders: survey.folders
      .filter(({ path }) => isEmpty(under(Buffer.from(projectRoot), path)))
      .map(({ path }) => latin1(path)),
    permissions: survey.entries.flatMap(({ path, stat }) => {
      const permissions = Number(stat.mode & 0o777n) | OWNER_MAY_WRITE
      return stat.isFile() && !ORDINARY.has(permissions) ? [[latin1(path), permissions] as const] : []
    }),
  }
  if (found.emptyFolders.length === 0 && found.permissions.length === 0) return
  await writeFile(folder.besides, JSON.stringify(found))
  await makeEmptyFolders(folder.root, found)
  for (const [name, permissions] of found.permissions) {
    const place = under(Buffer.from(folder.root), Buffer.from(name, 'latin1'))
    // What is part of no state is not here yet, or never comes.
    const entry = lstatIfThere(place)
    if (entry?.isFile() && (entry.mode & 0o777) !== permissions) await chmod(place, permissions)
  }
}

/** Gives a sandbox what the one it begins from has by its note. */
export async function inheritBesides(parent: PlanFolder, folder: PlanFolder): Promise<void> {
  const found = await readBesides(parent)
  if (found === null) return
  await writeFile(folder.besides, JSON.stringify(found))
  await makeEmptyFolders(folder.root, found)
  for (const [name, permissions] of found.permissions) {
    const place = under(Buffer.from(folder.root), Buffer.from(name, 'latin1'))
    const entry = lstatIfThere(place)
    if (!entry?.isFile()) continue
    await chmod(place, withExecutable(permissions, entry.mode & 0o100 ? '100755' : '100644'))
  }
}

/** A plan can work on what its user protected; Apply gives a file the permissions that it has in the project. */
const OWNER_MAY_WRITE = 0o600

/** What a new file gets, by the habits of one person or another. */
const ORDINARY = new Set([0o644, 0o755, 0o664, 0o775])

/** After a restore: the empty folders are there again, and files that were brought back are nobody else's to read. */
export async function returnBesides(folder: PlanFolder, changes: readonly TreeChange[]): Promise<void> {
  const found = await readBesides(folder)
  if (found === null) return
  await makeEmptyFolders(folder.root, found)
  const known = new Map(found.permissions)
  for (const change of changes) {
    const permissions = known.get(latin1(change.path))
    if (change.old !== null || change.new === null || change.new.mode === '120000') continue
    if (permissions === undefined) continue
    const place = under(Buffer.from(folder.root), change.path)
    await chmod(place, withExecutable(permissions, change.new.mode))
  }
}

// The executable bit is part of the state.
function withExecutable(permissions: number, mode: EntryMode): number {
  return mode === '100755' ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111
}

async function readBesides(folder: PlanFolder): Promise<Besides | null> {
  const text = await readFile(folder.besides, 'utf8').catch(() => null)
  return text === null ? null : besidesSchema.parse(JSON.parse(text))
}

async function makeEmptyFolders(root: string, { emptyFolders }: Besides): Promise<void> {
  for (const name of emptyFolders) {
    const path = Buffer.from(name, 'latin1')
    // Where a state has a file or a link above it, there is no such folder.
    if ((await findParentProblem(Buffer.from(root), path, new Set())) !== null) continue
    await mkdir(under(Buffer.from(root), path), { recursive: true }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
}

function isEmpty(folder: Buffer): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return false
  }
}

function latin1(path: Buffer): string {
  return path.toString('latin1')
}
