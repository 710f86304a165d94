import { settingsTable } from '../../src/infrastructure/config/settings-table.ts'
import { code, guideWith, markdownTable } from './section.ts'

/** Kept and checked, but read by nothing so far; a test looks whether that is still so. */
export const settingsWithoutEffect = [
  'sandbox.cleanup',
  'ui.theme',
  'ui.mouse',
  'ui.notify',
  'ui.row-memo',
  'ui.ascii',
  'log.level',
]

export function configurationGuide(): string {
  return guideWith('docs/configuration.md', { settings: settingTable })
}

function settingTable(): string {
  const rows = settingsTable.map(({ key, values, description, env, scope, ...row }) => [
    code(key),
    `${description}${settingsWithoutEffect.includes(key) ? ' *Without effect so far.*' : ''}`,
    values ? values.map(code).join(', ') : 'a text',
    code(row.default),
    code(env),
    scope === 'project' ? 'yes' : 'no',
  ])
  return markdownTable(['key', 'what it does', 'values', 'default', 'environment', 'per project'], rows)
}
