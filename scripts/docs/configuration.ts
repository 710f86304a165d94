import { globSync, readFileSync } from 'node:fs'
import { allowedWords } from '../../src/infrastructure/config/load.ts'
import { settingsTable } from '../../src/infrastructure/config/settings-table.ts'
import { productFolders } from '../source-files.ts'
import { code, guideWith, markdownTable } from './section.ts'

export function configurationGuide(): string {
  return guideWith('docs/configuration.md', { settings: settingTable })
}

function settingTable(): string {
  const sources = productTexts()
  const rows = settingsTable.map(({ key, values, description, env, scope, ...row }) => [
    code(key),
    `${description}${isRead(key, sources) ? '' : ' *Kept, without effect so far.*'}`,
    Array.isArray(values) ? values.map(code).join(', ') : allowedWords(values),
    code(row.default),
    code(env),
    scope === 'project' ? 'yes' : 'no',
  ])
  return markdownTable(['key', 'what it does', 'values', 'default', 'environment', 'per project'], rows)
}

/** A setting that no source asks for by its name does nothing, and the guide must not promise it. */
function isRead(key: string, sources: readonly string[]): boolean {
  return sources.some(text => text.includes(`'${key}'`))
}

function productTexts(): string[] {
  return globSync(productFolders.map(folder => `${folder}/**/*.{ts,tsx}`))
    .filter(path => !path.endsWith('settings-table.ts'))
    .map(path => readFileSync(path, 'utf8'))
}
