import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { mergeFolders } from '../../../src/infrastructure/sandboxes/store/merge-folders.ts'
import { planFolder } from '../../../src/infrastructure/sandboxes/store/plan-folder.ts'
import { createStore, type PrivateStore } from '../../../src/infrastructure/sandboxes/store/private-store.ts'
import { recordState } from '../../../src/infrastructure/sandboxes/store/states.ts'
import { userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { edited, writeTree } from '../../support/trees.ts'

const numRuns = process.env['LONG'] === '1' ? 2_000 : 20
const texts = fc.constantFrom('1', '2', '3').map(text => text.repeat(60))

/** Paths with contents. Few of each, so that sides meet, move files to each other's places and turn files to folders. */
const files = fc.dictionary(
  fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'f/a', 'f/b'),
  fc.record({ text: texts, mode: fc.constantFrom('100644', '100755', '120000') }),
)

const edits = fc.dictionary(
  fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'f/a', 'f/b'),
  fc.option(fc.record({ text: texts, mode: fc.constantFrom('100644', '100755') })),
)

test('what is merged by names alone is what git makes of it', async () => {
  const store = await emptyStore()
  let merged = 0

  await fc.assert(
    fc.asyncProperty(files, edits, edits, async (base, mine, theirs) => {
      const trees = {
        base: writeTree(store, base),
        mine: writeTree(store, edited(base, mine)),
        theirs: writeTree(store, edited(base, theirs)),
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

async function mergedByGit(store: PrivateStore, trees: Record<'base' | 'mine' | 'theirs', string>) {
  const state = { label: 'x', ref: null } as const
  const base = expectOk(await recordState(store, { ...state, tree: trees.base, parent: null }))
  const mine = expectOk(await recordState(store, { ...state, tree: trees.mine, parent: base }))
  const theirs = expectOk(await recordState(store, { ...state, tree: trees.theirs, parent: base }))
  const args = ['merge-tree', '--write-tree', '--messages', mine, theirs]
  const text = expectOk(await store.run({ args, accept: [1] })).toString()
  return text.includes('CONFLICT') ? text : (text.split('\n')[0] ?? '')
}
