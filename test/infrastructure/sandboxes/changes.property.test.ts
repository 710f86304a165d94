import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { countedChanges } from '../../../src/infrastructure/sandboxes/store/counted-changes.ts'
import { planFolder } from '../../../src/infrastructure/sandboxes/store/plan-folder.ts'
import { createStore, type PrivateStore } from '../../../src/infrastructure/sandboxes/store/private-store.ts'
import { diffTrees, parseChanges } from '../../../src/infrastructure/sandboxes/store/tree-diff.ts'
import { userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { edited, writeTree } from '../../support/trees.ts'

const numRuns = process.env['LONG'] === '1' ? 2_000 : 25

/** Few lines, so that contents share some; some without a last line break, some empty, some not text. */
const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', '\0'), { maxLength: 5 })
  .map(parts => parts.join(''))
const paths = fc.constantFrom('a', 'b', 'd', 'd.x', 'd/a', 'd/e/a', 'd/e/b', 'f/a')
const file = fc.record({ text: texts, mode: fc.constantFrom('100644', '100755') })
const link = fc.record({ text: fc.constantFrom('a', 'd/a'), mode: fc.constant('120000') })
const entries = fc.oneof({ weight: 4, arbitrary: file }, link)

test('what differs between two trees, and how many lines, is found as git finds it', async () => {
  const folder = planFolder(join(await temporaryFolder(), 'state'), planId, '/project')
  const store = await createStore(createGit(userEnvironment()), folder, 'sha1')
  let counted = 0

  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(paths, entries),
      fc.dictionary(paths, fc.option(entries), { maxKeys: 3 }),
      async (before, edits) => {
        const from = writeTree(store, before)
        const to = writeTree(store, edited(before, edits))
        const [raw, numbers] = await askGit(store, from, to)

        expect(expectOk(await diffTrees(store, from, to))).toEqual(parseChanges(raw))
        const files = countedChanges(store, from, to)
        if (files === null) return
        counted += files.length
        const rows = files.map(({ path, additions, deletions, binary }) =>
          binary ? `-\t-\t${path}` : `${additions}\t${deletions}\t${path}`,
        )
        expect(rows).toEqual(numbers)
      },
    ),
    { numRuns, seed: 7 },
  )

  expect(counted).toBeGreaterThan(numRuns / 5)
}, 600_000)

async function askGit(store: PrivateStore, from: string, to: string): Promise<[Buffer, string[]]> {
  const ask = async (...args: string[]) =>
    expectOk(await store.run({ args: ['diff-tree', '-r', ...args, from, to] }))
  const raw = await ask('-z', '--raw', '--no-renames')
  const numbers = await ask('--numstat', '-M50%')
  return [raw, numbers.toString().split('\n').filter(Boolean)]
}
