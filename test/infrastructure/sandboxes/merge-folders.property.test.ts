import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { writeObject } from '../../../src/infrastructure/sandboxes/store/loose-objects.ts'
import { mergeFolders } from '../../../src/infrastructure/sandboxes/store/merge-folders.ts'
import { planFolder } from '../../../src/infrastructure/sandboxes/store/plan-folder.ts'
import { createStore, type PrivateStore } from '../../../src/infrastructure/sandboxes/store/private-store.ts'
import { recordState } from '../../../src/infrastructure/sandboxes/store/states.ts'
import { type FolderEntry, treeObjectOf } from '../../../src/infrastructure/sandboxes/store/tree-object.ts'
import { userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const numRuns = process.env['LONG'] === '1' ? 2_000 : 20
const LENGTH = 40

/** Paths with contents. Few of each, so that sides meet, move files to each other's places and turn files to folders. */
const files = fc.dictionary(
  fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'f/a', 'f/b'),
  fc.record({ text: fc.constantFrom('1', '2', '3'), mode: fc.constantFrom('100644', '100755', '120000') }),
)
type Files = Record<string, { readonly text: string; readonly mode: string }>

const edits = fc.dictionary(
  fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'f/a', 'f/b'),
  fc.option(fc.record({ text: fc.constantFrom('1', '2', '3'), mode: fc.constantFrom('100644', '100755') })),
)

test('what is merged by names alone is what git makes of it', async () => {
  const store = await emptyStore()
  let merged = 0

  await fc.assert(
    fc.asyncProperty(files, edits, edits, async (base, mine, theirs) => {
      const trees = {
        base: treeOf(store, base),
        mine: treeOf(store, edited(base, mine)),
        theirs: treeOf(store, edited(base, theirs)),
      }
      const found = expectOk(await mergeFolders(store, trees))
      if (found.outcome === 'met') return
      merged += 1
      const byGit = await mergedByGit(store, trees)
      // Git finds files in the way of folders that nobody put there, whenever both sides removed some other file.
      if (!byGit.includes('CONFLICT (file/directory)')) expect(found.tree).toBe(byGit)
    }),
    { numRuns, seed: 11 },
  )

  expect(merged).toBeGreaterThan(0)
}, 600_000)

async function emptyStore(): Promise<PrivateStore> {
  const folder = planFolder(join(await temporaryFolder(), 'state'), planId, '/project')
  return createStore(createGit(userEnvironment()), folder, 'sha1')
}

function edited(base: Files, changes: Record<string, Files[string] | null>): Files {
  const next = new Map(Object.entries(base))
  for (const [path, file] of Object.entries(changes)) {
    if (file === null) next.delete(path)
    else next.set(path, file)
  }
  return Object.fromEntries(next)
}

/** A file hides what is said to be below it. */
function treeOf(store: PrivateStore, all: Files): string {
  const folder = new Map<string, FolderEntry>()
  const below = new Map<string, Files>()
  for (const [path, file] of Object.entries(all)) {
    const [first = '', ...rest] = path.split('/')
    if (rest.length > 0) below.set(first, { ...below.get(first), [rest.join('/')]: file })
    else
      folder.set(first, { mode: file.mode, object: write(store, 'blob', Buffer.from(file.text.repeat(60))) })
  }
  for (const [name, inside] of below)
    if (!folder.has(name)) folder.set(name, { mode: '40000', object: treeOf(store, inside) })
  return write(store, 'tree', treeObjectOf(folder))
}

function write(store: PrivateStore, type: 'blob' | 'tree', content: Buffer): string {
  return writeObject(store.folder.store, { type, content }, LENGTH)
}

async function mergedByGit(store: PrivateStore, trees: Record<'base' | 'mine' | 'theirs', string>) {
  const state = { label: 'x', ref: null } as const
  const base = expectOk(await recordState(store, { ...state, tree: trees.base, parent: null }))
  const mine = expectOk(await recordState(store, { ...state, tree: trees.mine, parent: base }))
  const theirs = expectOk(await recordState(store, { ...state, tree: trees.theirs, parent: base }))
  const args = ['merge-tree', '--write-tree', '--messages', mine, theirs]
  const text = expectOk(await store.run({ args, accept: [1] })).toString()
  return text.includes('CONFLICT') ? text : (text.split('\n')[0] ?? '')
}
