import { expect, test } from 'vitest'
import { settingsWithoutEffect } from '../../scripts/docs/configuration.ts'
import { productFolders, readSources } from '../../scripts/source-files.ts'
import { settingsTable } from '../../src/infrastructure/config/settings-table.ts'

test('exactly those settings that nothing reads are marked as without effect', () => {
  const sources = readSources('.', [...productFolders]).filter(
    ({ path }) => !path.endsWith('config/settings-table.ts'),
  )
  const unread = settingsTable
    .map(row => row.key)
    .filter(key => !sources.some(({ text }) => text.includes(`'${key}'`)))
  expect(settingsWithoutEffect).toEqual(unread)
})
