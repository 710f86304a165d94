import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startBackend } from '../support/backend.ts'
import { makeDatabase } from '../support/database.ts'
import { makeRepository } from '../support/repository.ts'

async function shop() {
  const backend = await startBackend()
  const { file } = await makeDatabase()
  const add = (more: { name?: string; location?: string; mode?: 'copy' | 'transaction' } = {}) => ({
    name: 'shop-db',
    type: 'sqlite' as const,
    location: file,
    ...more,
  })
  return { backend, file, add }
}

test('a database is registered, linked, shown with what is protected, unlinked and forgotten', async () => {
  const { backend, file, add } = await shop()
  const project = (await makeRepository({ files: { 'a.txt': 'a\n' } })).root

  const added = await backend.call('_cleveragents/resource/add', add())
  const linked = await backend.call('_cleveragents/project/link-resource', { project, resource: 'shop-db' })
  const shown = await backend.call('_cleveragents/resource/show', { name: 'shop-db' })
  const kept = await backend.refusal('_cleveragents/resource/remove', { name: 'shop-db' })
  const unlinked = await backend.call('_cleveragents/project/unlink-resource', {
    project,
    resource: 'shop-db',
  })
  await backend.call('_cleveragents/resource/remove', { name: 'shop-db' })
  const left = await backend.call('_cleveragents/resource/list', {})

  expect(added).toMatchObject({ location: file, mode: 'copy', sandbox: 'transaction_rollback', projects: [] })
  expect([linked.resources, unlinked.resources]).toEqual([['shop-db'], []])
  expect(shown.projects).toEqual([linked.name])
  expect(shown.protects.join(' ')).toContain('until you approve Apply')
  expect(kept.message).toContain(`agents project unlink-resource ${linked.name} shop-db`)
  expect(left.resources).toEqual([])
})

test('what cannot be a database of a plan is refused with the reason, and nothing is registered', async () => {
  const { backend, file, add } = await shop()
  const text = join(dirname(file), 'notes.txt')
  await writeFile(text, 'no database, but a text of some length')
  const refusals = [
    add({ name: 'local/shop' }),
    add({ location: `${file}.gone` }),
    add({ location: text }),
    add({ location: dirname(file) }),
    { ...add(), type: 'postgresql' as const },
    { name: 'pg', type: 'postgresql' as const, location: 'postgresql://ada:secret@host/shop' },
    { name: 'pg', type: 'postgresql' as const, location: 'postgresql://host/shop', mode: 'copy' as const },
  ].map(params => backend.refusal('_cleveragents/resource/add', params))

  const messages = (await Promise.all(refusals)).map(each => each.message)

  expect(messages).toEqual([
    expect.stringContaining('"local/shop" is not a resource name'),
    `There is no file ${file}.gone.`,
    `${text} is not a SQLite database.`,
    `There is no file ${dirname(file)}.`,
    expect.stringContaining('postgresql://USER@HOST'),
    expect.stringContaining('The URL holds a password'),
    'A postgresql database has no mode copy; it has transaction.',
  ])
  expect(messages.join(' ')).not.toContain('secret')
  expect((await backend.call('_cleveragents/resource/list', {})).resources).toEqual([])
})

test('a name stands for one resource', async () => {
  const { backend, add } = await shop()
  await backend.call('_cleveragents/resource/add', add())

  const again = await backend.refusal('_cleveragents/resource/add', add())
  const unknown = await backend.refusal('_cleveragents/resource/show', { name: 'shop-bd' })

  expect(again.message).toContain('already a resource shop-db')
  expect(unknown.message).toContain('shop-db')
})
