import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolderInside } from '../../../src/infrastructure/files/open-inside.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it.runIf(process.platform === 'linux')(
  'keeps to the folder it opened although a link takes its place meanwhile',
  async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'root/sub'), { recursive: true })
    await mkdir(join(folder, 'outside'))
    const opened = openFolderInside(join(folder, 'root'), Buffer.from('sub'))
    if (!opened.ok) throw new Error(opened.failure.message)
    using sub = opened.value
    await rename(join(folder, 'root/sub'), join(folder, 'root/moved'))
    await symlink('../outside', join(folder, 'root/sub'))
    await writeFile(sub.at(Buffer.from('new.txt')), 'x')
    expect(await readdir(join(folder, 'outside'))).toEqual([])
    expect(await readdir(join(folder, 'root/moved'))).toEqual(['new.txt'])
    expect(openFolderInside(join(folder, 'root'), Buffer.from('sub'))).toMatchObject({ ok: false })
  },
)

it('works in a root that is reached through a link, and finds its names there', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'real/root/sub'), { recursive: true })
  await writeFile(join(folder, 'real/root/sub/file.txt'), 'here')
  await symlink('real/root', join(folder, 'way'))
  const opened = openFolderInside(join(folder, 'way'), Buffer.from('sub'))
  if (!opened.ok) throw new Error(opened.failure.message)
  using sub = opened.value
  expect(await readFile(sub.at(Buffer.from('file.txt')), 'utf8')).toBe('here')
  expect(openFolderInside(join(folder, 'way'), null)).toMatchObject({ ok: true })
})
