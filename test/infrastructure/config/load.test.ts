import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../../src/application/ports/setting.ts'
import { openSettings, type SettingsOptions } from '../../../src/infrastructure/config/load.ts'
import { settingsTable } from '../../../src/infrastructure/config/settings-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let file: string

beforeEach(async () => {
  file = join(await temporaryFolder(), 'cleveragents', 'config.yaml')
})

describe('a setting', () => {
  test('has its default while nothing is set', () => {
    const settings = open()
    for (const row of settingsTable)
      expect(settings.get(row.key, null)).toMatchObject({
        ok: true,
        value: { value: row.default, source: 'default' },
      })
  })

  test('comes from the flag, else the environment, else the file', () => {
    set('core.format', 'yaml')
    expect(effective('core.format')).toEqual(['yaml', 'file'])
    const env = { CLEVERAGENTS_FORMAT: 'json' }
    expect(effective('core.format', null, { env })).toEqual(['json', 'environment'])
    expect(effective('core.format', null, { env, flags: { 'core.format': 'plain' } })).toEqual([
      'plain',
      'flag',
    ])
    expect(effective('core.format', null, { env: { CLEVERAGENTS_FORMAT: '' } })).toEqual(['yaml', 'file'])
  })

  test('is named after section and key in the environment', () => {
    expect(effective('ui.row-memo', null, { env: { CLEVERAGENTS_UI_ROW_MEMO: 'off' } })).toEqual([
      'off',
      'environment',
    ])
  })

  test('of the automation profile is taken from the project before flag and environment', () => {
    const key = 'core.automation-profile'
    set(key, 'trusted')
    set(key, 'cautious', 'local/shop')
    const given = { env: { CLEVERAGENTS_AUTOMATION_PROFILE: 'auto' }, flags: { [key]: 'review' } }
    expect(effective(key, 'local/shop', given)).toEqual(['cautious', 'project'])
    expect(effective(key, 'local/other', given)).toEqual(['review', 'flag'])
    expect(effective(key, null, { env: given.env })).toEqual(['auto', 'environment'])
    expect(effective(key)).toEqual(['trusted', 'file'])
  })

  test('that is unknown is refused with names like it', () => {
    expect(failureOf(open().get('core.formt', null))).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('core.format'),
    })
    expect(failureOf(open().set('core.formt', 'x', null))).toMatchObject({ code: 'not_found' })
    expect(failureOf(open().set('keys.approve', 'y', null))).toMatchObject({ code: 'not_available' })
  })

  test.each(['loud', '', 3, null, ['json']])('cannot be %j when that is none of its values', value => {
    expect(failureOf(open().set('core.format', value, null))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('one of rich, plain, json, yaml'),
    })
  })

  test('that is wrong where it stands is refused with the place, and can be set right', async () => {
    set('core.format', 'json')
    await writeFile(file, 'core:\n  format: loud\n')
    expect(failureOf(open().get('core.format', null)).message).toContain(file)
    const env = { CLEVERAGENTS_UI_THEME: 'loud' }
    expect(failureOf(open({ env }).get('ui.theme', null)).message).toContain('CLEVERAGENTS_UI_THEME')
    set('core.format', 'yaml')
    expect(effective('core.format')).toEqual(['yaml', 'file'])
  })

  test('for one project is refused where a setting holds for all', () => {
    expect(failureOf(open().set('core.format', 'json', 'local/shop'))).toMatchObject({
      code: 'invalid_input',
    })
  })
})

describe('the list', () => {
  test('knows settings of any depth, and one that is named like another with more after it', () => {
    set('budget.session.max-cost', '5')
    set('actor.default', 'openai/one')
    set('actor.default.strategy', 'anthropic/two')
    set('actor.default', 'openai/three')
    expect(
      open()
        .list(null)
        .filter(each => each.source === 'file'),
    ).toMatchObject([
      { key: 'budget.session.max-cost', value: '5', problem: null },
      { key: 'actor.default', value: 'openai/three', problem: null },
      { key: 'actor.default.strategy', value: 'anthropic/two', problem: null },
    ])
  })

  test('holds every setting, and names what has no effect', async () => {
    set('core.format', 'json')
    await writeFile(file, 'core:\n  format: loud\n  formt: json\nkeys:\n  approve: y\n')
    const list = open().list(null)
    expect(list.map(({ key }) => key)).toEqual([...settingsTable.map(({ key }) => key), 'core.formt'])
    expect(list.filter(({ problem }) => problem !== null)).toMatchObject([
      { key: 'core.format', value: 'rich', problem: expect.stringContaining('one of rich') },
      { key: 'core.formt', value: 'json', problem: expect.stringContaining('Did you mean core.format?') },
    ])
  })

  test.each(['core: [', '- a\n', 'a: 1\n---\nb: 2\n'])('cannot be made from %j', async text => {
    set('core.format', 'json')
    await writeFile(file, text)
    expect(() => open().list(null)).toThrow(file)
    expect(failureOf(open().set('core.format', 'json', null))).toMatchObject({ code: 'invalid_input' })
    expect(await readFile(file, 'utf8')).toBe(text)
  })
})

describe('the file', () => {
  test('is refused where a folder lies in its place', async () => {
    await mkdir(file, { recursive: true })
    expect(() => open().list(null)).toThrow('it is a folder')
  })

  test('is the user’s own', async () => {
    set('core.format', 'json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toBe('core:\n  format: json\n')
  })

  test('keeps its comments and everything else', async () => {
    set('core.format', 'json')
    const text = [
      '# mine',
      'core:',
      '  format: json # for scripts',
      '',
      'ui:',
      '    theme: "dark"',
      '# the end',
      'keys: {approve: y}',
    ]
    await writeFile(file, `${text.join('\n')}\n`)
    set('core.format', 'yaml')
    set('ui.ascii', 'on')
    set('sandbox.cleanup', 'manual')
    set('core.automation-profile', 'cautious', 'local/shop')
    set('core.automation-profile', 'review', 'local/shop')
    const changed = [
      '# mine',
      'core:',
      '  format: yaml # for scripts',
      '',
      'ui:',
      '    theme: "dark"',
      "    ascii: 'on'",
      '# the end',
      'keys: {approve: y}',
      'sandbox:',
      '  cleanup: manual',
      'projects:',
      '  local/shop:',
      '    core:',
      '      automation-profile: review',
    ]
    expect(await readFile(file, 'utf8')).toBe(`${changed.join('\n')}\n`)
  })

  test('in flow style is written anew with the same content', async () => {
    set('core.format', 'json')
    await writeFile(file, '{core: {format: json, x: 1}, ui: {theme: dark}}\n')
    set('core.format', 'yaml')
    expect(await readFile(file, 'utf8')).toBe('core:\n  format: yaml\n  x: 1\nui:\n  theme: dark\n')
  })

  test('may say true and false for on and off', async () => {
    set('ui.row-memo', 'on')
    await writeFile(file, 'ui:\n  row-memo: false\n')
    expect(effective('ui.row-memo')).toEqual(['off', 'file'])
  })
})

function open(options: Partial<SettingsOptions> = {}): Settings {
  return openSettings({ file, env: {}, flags: {}, ...options })
}

function set(key: string, value: string, project: string | null = null): void {
  expect(open().set(key, value, project)).toMatchObject({ ok: true, value: { value, problem: null } })
}

function effective(key: string, project: string | null = null, options: Partial<SettingsOptions> = {}) {
  const setting = open(options).get(key, project)
  if (!setting.ok) throw new Error(setting.failure.message)
  return [setting.value.value, setting.value.source]
}

function failureOf(result: ReturnType<Settings['get']>) {
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.value)}`)
  return result.failure
}
