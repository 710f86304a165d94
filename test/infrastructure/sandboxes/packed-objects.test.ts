import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findObject } from '../../../src/infrastructure/sandboxes/store/loose-objects.ts'
import { lines } from '../../support/contract-files.ts'
import { makeRepository, type TestRepository } from '../../support/repository.ts'

test.each([
  ['sha1', 'the distance back to it', 'true'],
  ['sha256', 'the distance back to it', 'true'],
  ['sha1', 'its name', 'false'],
] as const)(
  'objects of a %s repository are found in a pack that says the base of each by %s',
  async (objectFormat, _, byDistance) => {
    const repository = await makeRepository({ files: { 'a.txt': lines(200) }, objectFormat })
    for (let round = 0; round < 6; round++) {
      await repository.write({
        'a.txt': `${lines(200)}round ${round}\n`,
        [`folder/${round}.txt`]: `${round}\n`,
      })
      await repository.git('add', '-A')
      await repository.git('commit', '-q', '-m', `Round ${round}`)
    }
    const setting = `repack.useDeltaBaseOffset=${byDistance}`
    await repository.git('-c', setting, 'repack', '-q', '-adf', '--depth=10')

    const objects = await objectsOf(repository)
    expect(objects.filter(({ base }) => !/^0+$/.test(base)).length).toBeGreaterThan(4)
    const gitDir = join(repository.root, '.git')
    for (const { id, type, size } of objects) {
      const found = findObject(gitDir, id)
      expect([found?.type, found?.content.length]).toEqual([type, size])
    }
    expect(findObject(gitDir, '1'.repeat(objects[0]?.id.length ?? 0))).toBeNull()
  },
)

test('what does not match its name is left to git', async () => {
  const [one, other] = [
    await makeRepository({ files: { a: 'a\n' } }),
    await makeRepository({ files: { b: 'b\n' } }),
  ]
  for (const { git } of [one, other]) await git('repack', '-q', '-ad')
  const [wanted] = await objectsOf(one)
  const pack = async ({ root }: TestRepository) => {
    const folder = join(root, '.git/objects/pack')
    const name = (await readdir(folder)).find(each => each.endsWith('.pack')) ?? ''
    return join(folder, name)
  }
  await rename(await pack(other), await pack(one))

  expect(findObject(join(one.root, '.git'), wanted?.id ?? '')).toBeNull()
})

async function objectsOf({ git }: TestRepository) {
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize) %(deltabase)'
  const listed = await git('cat-file', '--batch-all-objects', format)
  return listed
    .trim()
    .split('\n')
    .map(line => line.split(' '))
    .map(([id = '', type = '', size = '', base = '']) => ({ id, type, size: Number(size), base }))
}
