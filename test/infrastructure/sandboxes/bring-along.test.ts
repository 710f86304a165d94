import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { bringAlong } from '../../../src/infrastructure/sandboxes/bring-along.ts'
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
    bring: (...paths: Buffer[]) => bringAlong(paths, { from, to, environment: process.env }, never),
  }
}

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
