import { resolve } from 'node:path'
import type { Given } from './given.ts'
import type { BackendOptions, CliHost } from './host.ts'

export function optionsOf(host: CliHost, globals: Given): BackendOptions {
  const folder = folderOf(host, globals)
  const path = (name: string) => {
    const text = globals.maybe(name)
    return text === undefined ? null : resolve(host.cwd, text)
  }
  return { folder, dataDir: path('data-dir'), configPath: path('config-path') }
}

export function folderOf(host: CliHost, globals: Given): string {
  return resolve(host.cwd, globals.maybe('directory') ?? '.')
}

export function colourAsked(globals: Given): 'auto' | 'never' {
  return globals.has('no-color') ? 'never' : 'auto'
}
