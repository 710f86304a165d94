/** Composes the screen: its settings, and the process of its backend. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { runScreen as openScreen, type ScreenSettings } from '../components/run-screen.tsx'
import { type BackendProcess, startBackendProcess } from './a2a/client/backend-process.ts'
import { createClient } from './a2a/client/client.ts'
import type { BackendOptions, ScreenOptions } from './cli/host.ts'
import type { Result } from './domain/failure.ts'
import { configFile } from './infrastructure/system/data-dir.ts'
import { writeNewFile } from './infrastructure/system/write-new-file.ts'

/** The screen draws first; its backend is a process of its own, started behind the first frame. */
export async function runScreen(process: NodeJS.Process, options: ScreenOptions): Promise<number> {
  const settings = await screenSettings(process, options)
  if (!settings.ok) {
    process.stderr.write(`${settings.failure.message}\n`)
    return 2
  }
  return openScreen({
    process,
    settings: settings.value,
    folder: options.folder,
    writeNewFile,
    colour: options.colour,
    startWith: { kind: options.startWith },
    connect: async () => {
      const backend = startApart(process, options)
      return { ...createClient(backend), leave: () => backend.leave() }
    },
  })
}

/** Read here, because the screen draws before its backend is up. Nothing is loaded where nothing is set. */
async function screenSettings(
  process: NodeJS.Process,
  options: BackendOptions,
): Promise<Result<ScreenSettings>> {
  const { env, platform } = process
  const file = options.configPath
    ? resolve(options.folder, options.configPath)
    : configFile({ env, platform, home: homedir() })
  const isSet = existsSync(file) || Object.keys(env).some(name => name.startsWith('CLEVERAGENTS_UI_'))
  if (!isSet) return { ok: true, value: { theme: 'auto', ascii: false, rowMemo: true } }
  const { openSettings } = await import('./infrastructure/config/load.ts')
  const settings = openSettings({ file, env, flags: {} })
  const theme = settings.get('ui.theme', null)
  const ascii = settings.get('ui.ascii', null)
  const rowMemo = settings.get('ui.row-memo', null)
  if (!theme.ok) return theme
  if (!ascii.ok) return ascii
  if (!rowMemo.ok) return rowMemo
  const named = theme.value.value
  return {
    ok: true,
    value: {
      theme: named === 'dark' || named === 'light' ? named : 'auto',
      ascii: ascii.value.value === 'on',
      rowMemo: rowMemo.value.value === 'on',
    },
  }
}

/** A backend in a process of its own, for the screen and for what runs detached. */
export function startApart(process: NodeJS.Process, options: BackendOptions): BackendProcess {
  return startBackendProcess({ argv: backendCommand(process, options) })
}

function backendCommand(
  process: NodeJS.Process,
  { folder, dataDir, configPath }: BackendOptions,
): [string, ...string[]] {
  const [node = process.execPath, program = ''] = process.argv
  const data = dataDir === null ? [] : ['--data-dir', dataDir]
  const config = configPath === null ? [] : ['--config-path', configPath]
  return [node, program, '-C', folder, ...data, ...config, 'serve', '--stdio']
}
