import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolders } from '../../../src/infrastructure/files/make-folders.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('every missing folder on the way is made for its owner only', async () => {
  const top = await temporaryFolder()
  makeFolders(join(top, 'a', 'b'))
  makeFolders(join(top, 'a', 'b'))
  for (const folder of ['a', 'a/b']) expect((await stat(join(top, folder))).mode & 0o777).toBe(0o700)
})

test('a file on the way is an error', async () => {
  const top = await temporaryFolder()
  await writeFile(join(top, 'file'), '')
  expect(() => makeFolders(join(top, 'file', 'b'))).toThrow('ENOTDIR')
  expect(() => makeFolders(join(top, 'file'))).toThrow('EEXIST')
})

test.runIf(process.platform === 'linux')(
  'a place where the system makes no folders is an error at once',
  () => {
    expect(() => makeFolders('/proc/cleveragents/data')).toThrow('ENOENT')
  },
)
