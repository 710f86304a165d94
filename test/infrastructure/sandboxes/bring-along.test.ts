import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { bringAlong, canShareBlocks } from '../../../src/infrastructure/sandboxes/bring-along.ts'
import type { BringLimits } from '../../../src/infrastructure/sandboxes/bring-limits.ts'
import { never } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function twoFolders() {
  const folder = await temporaryFolder()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await mkdir(from)
  await mkdir(to)
  return {
    from,
    to,
    bring: (...paths: Buffer[]) => bringUpTo({ bytes: 1_000_000, files: 100 }, ...paths),
    bringUpTo,
  }

  function bringUpTo(limits: BringLimits, ...paths: Buffer[]) {
    return bringAlong(paths, { from, to, environment: process.env, limits }, never)
  }
}

const MODULES = Buffer.from('node_modules/')

it('leaves out a folder with too many files, and names the setting and the set-up step', async () => {
  const { from, to, bringUpTo } = await twoFolders()
  await writeFile(join(from, 'package.json'), '{}')
  await mkdir(join(from, 'node_modules', 'inner'), { recursive: true })
  for (const name of ['a', 'inner/b']) await writeFile(join(from, 'node_modules', name), '')
  expect(await bringUpTo({ bytes: 1, files: 2 }, MODULES)).toEqual([
    `node_modules was left out: it holds more than 2 files. The setting sandbox.bring-along-max-files is the limit. To install what is missing in every new sandbox: agents project set-up ${from} --command "npm install"`,
  ])
  expect(await readdir(to)).toEqual([])
  expect(await bringUpTo({ bytes: 1, files: 3 }, MODULES)).toEqual([
    expect.stringMatching(/was brought along by/),
  ])
})

it('leaves out a folder that is too large, unless copies share its blocks', async () => {
  const { from, to, bringUpTo } = await twoFolders()
  await mkdir(join(from, 'node_modules'))
  await writeFile(join(from, 'node_modules', 'a'), 'x'.repeat(3_000))
  // Two names of one file are copied as one.
  await link(join(from, 'node_modules', 'a'), join(from, 'node_modules', 'b'))
  const sharesBlocks = await canShareBlocks({ from, to, environment: process.env })
  const [notice] = await bringUpTo({ bytes: 2_900, files: 9 }, MODULES)
  expect(notice).toBe(
    sharesBlocks
      ? 'node_modules was brought along by reflink.'
      : 'node_modules was left out: it is larger than 2.9 KB. The setting sandbox.bring-along-max-mb is the limit.',
  )
  await rm(join(to, 'node_modules'), { recursive: true, force: true })
  expect(await bringUpTo({ bytes: 3_000, files: 9 }, MODULES)).toEqual([
    expect.stringMatching(/was brought along by/),
  ])
})

it.runIf(process.platform === 'linux')('brings what has a name that is no text, links as links', async () => {
  const { from, to, bring } = await twoFolders()
  const name = Buffer.concat([Buffer.from('sub/b'), Buffer.of(0xff, 0x0a)])
  const source = Buffer.concat([Buffer.from(`${from}/`), name])
  await mkdir(source, { recursive: true })
  await writeFile(Buffer.concat([source, Buffer.from('/file')]), 'bytes')
  await symlink('file', Buffer.concat([source, Buffer.from('/link')]))
  const notices = await bring(Buffer.concat([name, Buffer.from('/')]))
  expect(notices).toEqual([expect.stringMatching(/was brought along by/)])
  const target = Buffer.concat([Buffer.from(`${to}/`), name])
  expect((await readdir(target)).sort()).toEqual(['file', 'link'])
  expect(await readFile(Buffer.concat([target, Buffer.from('/link')]), 'utf8')).toBe('bytes')
})

it('brings a database that a program has open with all that program wrote', async () => {
  const { from, to, bring } = await twoFolders()
  const database = new SQLite(join(from, 'dev.db'))
  onTestFinished(() => void database.close())
  database.pragma('journal_mode = WAL')
  database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
  const notices = await bring(...['dev.db', 'dev.db-shm', 'dev.db-wal'].map(name => Buffer.from(name)))
  expect(notices).toHaveLength(1)
  expect(await readdir(to)).toEqual(['dev.db'])
  const copy = new SQLite(join(to, 'dev.db'), { readonly: true })
  expect(copy.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'mine' }])
  copy.close()
})
