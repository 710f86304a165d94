import { constants } from 'node:fs'
import { copyFile, link, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { Git } from '../../git/git.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { createStore, type PrivateStore } from '../store/private-store.ts'
import { openParent, type Parent } from './parent.ts'

export interface Inherited {
  readonly store: PrivateStore
  readonly tree: string
}

/** Makes a store that has the tree of a state of another, and further trees of it, whole and its own. */
export async function inheritStore(
  git: Git,
  folder: PlanFolder,
  { further = [], ...parent }: Parent & { readonly further?: readonly string[] },
  signal: AbortSignal,
): Promise<Result<Inherited>> {
  const from = await openParent(git, parent)
  if (!from.ok) return from
  const { tree } = from.value
  const store = await createStore(git, folder, tree.length === SHA256_LENGTH ? 'sha256' : 'sha1')
  const packed = await packLoose(from.value.store, { trees: [tree, ...further], into: folder }, signal)
  if (!packed.ok) return packed
  await linkPacks(parent.folder, folder)
  // What was ignored when the parent began stays so whatever becomes of the rules.
  await copyFile(excludesOf(parent.folder), excludesOf(folder))
  await copyFile(parent.folder.userIndex, folder.userIndex).catch(ignoreMissing)
  return ok({ store, tree })
}

const SHA256_LENGTH = 64

/** What the trees have that lies in no pack yet, in one. Before the packs are taken, since more may come meanwhile. */
function packLoose(
  from: PrivateStore,
  { trees, into }: { readonly trees: readonly string[]; readonly into: PlanFolder },
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const args = ['pack-objects', '--quiet', '--revs', '--unpacked', '--non-empty', '--window=0']
  const stdin = Buffer.from(trees.map(tree => `${tree}\n`).join(''))
  return from.run({ args: [...args, join(packsOf(into), 'pack')], stdin }, signal)
}

/** A pack never changes, so both stores can have one file under their names; each may lose its name. */
async function linkPacks(from: PlanFolder, to: PlanFolder): Promise<void> {
  const names = await readdir(packsOf(from))
  for (const name of names.filter(each => each.endsWith('.idx'))) {
    const pack = name.replace(/idx$/, 'pack')
    // Without its index a pack is not there yet.
    for (const each of [pack, name]) await shareFile(join(packsOf(from), each), join(packsOf(to), each))
  }
}

async function shareFile(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    return copyFile(from, to, constants.COPYFILE_FICLONE)
  })
}

function packsOf({ store }: PlanFolder): string {
  return join(store, 'objects', 'pack')
}

function excludesOf({ store }: PlanFolder): string {
  return join(store, 'info', 'exclude')
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
