import type { Setting, Settings } from '../../application/ports/setting.ts'
import { FailureError, type Result, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import { isTree, type KeyPath, readSettingsFile, type Tree, valueAt, writeSetting } from './settings-file.ts'
import { type SettingRow, settingsTable, type ValueSource } from './settings-table.ts'

export interface SettingsOptions {
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the command line said, by key. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/**
 * What is set, wherever it was set. Values for one project lie in the user's own file too, below `projects:`, so that
 * nothing inside a repository that is not trusted configures us.
 */
export function openSettings(options: SettingsOptions): Settings {
  return {
    get: (key, project) => {
      const row = rowOf(key)
      if (!row.ok) return row
      const tree = readSettingsFile(options.file)
      return tree.ok ? settingOf(row.value, project, { ...options, tree: tree.value }) : tree
    },
    list: project => {
      const tree = readSettingsFile(options.file)
      if (!tree.ok) throw new FailureError(tree.failure)
      return [
        ...settingsTable.map(row => listed(row, project, { ...options, tree: tree.value })),
        ...unknownIn(tree.value, options.file),
      ]
    },
    set: (key, value, project) => change(options, key, value, project),
  }
}

interface Sources extends SettingsOptions {
  readonly tree: Tree
}

function rowOf(key: string): Result<SettingRow> {
  const row = settingsTable.find(each => each.key === key)
  if (row) return { ok: true, value: row }
  if (key.startsWith('keys.')) return refuse('not_available', 'Keys cannot be changed yet.', { key })
  const known = settingsTable.map(each => each.key)
  return refuse('not_found', `There is no setting ${JSON.stringify(key)}. ${suggest(key, known)}`, { key })
}

function settingOf(row: SettingRow, project: string | null, sources: Sources): Result<Setting> {
  const source = row.order.find(each => valueFrom(each, row, project, sources) !== undefined)
  const setting = { key: row.key, description: row.description, problem: null }
  if (!source) return { ok: true, value: { ...setting, value: row.default, source: 'default' } }
  const value = checkedValue(row, valueFrom(source, row, project, sources), placeOf(source, row, sources))
  return value.ok ? { ok: true, value: { ...setting, value: value.value, source } } : value
}

function valueFrom(source: ValueSource, row: SettingRow, project: string | null, sources: Sources): unknown {
  switch (source) {
    case 'flag':
      return sources.flags[row.key]
    case 'environment':
      return sources.env[row.env] || undefined
    case 'project':
      if (project === null || row.scope !== 'project') return undefined
      return valueAt(sources.tree, pathOf(row.key, project))
    case 'file':
      return valueAt(sources.tree, pathOf(row.key, null))
  }
}

/** A setting that is named like one with more after it lies beside that one: `default` and `default.strategy`. */
function pathOf(key: string, project: string | null): KeyPath {
  const shorter = settingsTable.find(each => key.startsWith(`${each.key}.`))?.key
  const parts = (shorter ?? key).split('.')
  const path =
    shorter === undefined ? parts : [...parts.slice(0, -1), key.slice(shorter.lastIndexOf('.') + 1)]
  return project === null ? path : ['projects', project, ...path]
}

function placeOf(source: ValueSource, row: SettingRow, { file }: Sources): string {
  if (source === 'flag') return ' on the command line'
  return source === 'environment' ? ` in ${row.env}` : ` in ${file}`
}

/** YAML reads `true` where a person means `on`, and an amount as a number. */
function checkedValue(row: SettingRow, raw: unknown, place: string): Result<string> {
  const value = textOf(raw)
  if (typeof value === 'string' && value !== '' && isAllowed(row.values, value)) {
    const refusal = row.refusal?.(value) ?? null
    if (refusal === null) return { ok: true, value }
    return refuse('invalid_input', `${refusal} It stands${place || ' in what you wrote'}.`, {
      key: row.key,
      value: raw,
    })
  }
  const allowed = allowedWords(row.values)
  return refuse('invalid_input', `${row.key}${place} is ${JSON.stringify(raw)}; it must be ${allowed}.`, {
    key: row.key,
    value: raw,
    allowed: row.values,
  })
}

function textOf(raw: unknown): unknown {
  if (typeof raw === 'boolean') return raw ? 'on' : 'off'
  return typeof raw === 'number' ? String(raw) : raw
}

function isAllowed(values: SettingRow['values'], value: string): boolean {
  if (values === null) return true
  if (values === 'count') return value === 'none' || /^\d{1,9}$/.test(value)
  if (values === 'amount') return value === 'none' || /^\d{1,9}(\.\d{1,9})?$/.test(value)
  return values.includes(value)
}

export function allowedWords(values: SettingRow['values']): string {
  if (values === null) return 'a text'
  if (values === 'count') return 'a whole number of 0 or more, or none'
  if (values === 'amount') return 'a number of 0 or more, or none'
  return `one of ${values.join(', ')}`
}

function listed(row: SettingRow, project: string | null, sources: Sources): Setting {
  const setting = settingOf(row, project, sources)
  if (setting.ok) return setting.value
  const { key, description } = row
  return { key, value: row.default, source: 'default', description, problem: setting.failure.message }
}

function change(
  options: SettingsOptions,
  key: string,
  raw: unknown,
  project: string | null,
): Result<Setting> {
  const row = rowOf(key)
  if (!row.ok) return row
  if (project !== null && row.value.scope !== 'project')
    return refuse('invalid_input', `${key} holds for all projects; set it without naming one.`, {
      key,
      project,
    })
  const value = checkedValue(row.value, raw, '')
  if (!value.ok) return value
  const written = writeSetting(options.file, pathOf(key, project), value.value)
  return written.ok ? openSettings(options).get(key, project) : written
}

/** What the file holds and nobody reads, so that a misspelt key is not silently without effect. */
function unknownIn(tree: Tree, file: string): Setting[] {
  // Providers of models have a reader of their own.
  const { projects, providers: _providers, keys: _reserved, ...sections } = tree
  const perProject = isTree(projects) ? Object.values(projects).flatMap(keysIn) : []
  return [...keysIn(sections), ...perProject].flatMap(({ key, value }) => {
    const row = rowOf(key)
    if (row.ok) return []
    const problem = `${row.failure.message} It stands in ${file} and has no effect.`
    return [{ key, value, source: 'file', description: '', problem }]
  })
}

function keysIn(sections: unknown): { readonly key: string; readonly value: unknown }[] {
  if (!isTree(sections)) return []
  return Object.entries(sections).flatMap(([name, below]) =>
    isTree(below)
      ? keysIn(below).map(({ key, value }) => ({ key: `${name}.${key}`, value }))
      : [{ key: name, value: below }],
  )
}
