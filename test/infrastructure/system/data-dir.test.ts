import { expect, test } from 'vitest'
import { configFile, dataDir } from '../../../src/infrastructure/system/data-dir.ts'

const home = '/home/ada'

test.each([
  [{}, 'linux', '/home/ada/.local/share/cleveragents'],
  [{}, 'darwin', '/home/ada/Library/Application Support/cleveragents'],
  [{ XDG_DATA_HOME: '/data' }, 'linux', '/data/cleveragents'],
  [{ XDG_DATA_HOME: 'relative' }, 'linux', '/home/ada/.local/share/cleveragents'],
  [{ XDG_DATA_HOME: '/data', CLEVERAGENTS_DATA_DIR: '/mine' }, 'darwin', '/mine'],
] as const)('data with %j on %s lies in %s', (env, platform, folder) => {
  expect(dataDir({ env, platform, home })).toBe(folder)
})

test.each([
  [{}, '/home/ada/.config/cleveragents/config.yaml'],
  [{ XDG_CONFIG_HOME: '/config' }, '/config/cleveragents/config.yaml'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ada/.config/cleveragents/config.yaml'],
] as const)('settings with %j lie in %s', (env, file) => {
  expect(configFile({ env, platform: 'linux', home })).toBe(file)
})
