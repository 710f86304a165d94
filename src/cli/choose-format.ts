import type { Given } from './given.ts'
import { type Format, formats } from './global-flags.ts'
import type { CliClient, CliHost } from './host.ts'

/** How to print: the flag, then the environment, then the configuration, then what the terminal can show. */
export interface FormatChoice {
  readonly format: Format
  /** What chose it; only a default gives way to the configuration. */
  readonly by: 'person' | 'default'
  /** The environment names a format that does not exist. */
  readonly wrong: string | null
}

export function chooseFormat(globals: Given, { env, stdout }: CliHost): FormatChoice {
  const fallback = stdout.isTTY === true ? 'rich' : 'plain'
  const flag = globals.maybe('format')
  if (isFormat(flag)) return { format: flag, by: 'person', wrong: null }
  const named = env['CLEVERAGENTS_FORMAT'] || undefined
  if (isFormat(named)) return { format: named, by: 'person', wrong: null }
  return { format: fallback, by: 'default', wrong: named ?? null }
}

/** A configuration that cannot be read has no say here; whatever is wrong with it, its own command tells. */
export async function configuredFormat(client: CliClient): Promise<Format | null> {
  const setting = await client.call('_cleveragents/config/get', { key: 'core.format' })
  if (!setting.ok || setting.value.source === 'default') return null
  return isFormat(setting.value.value) ? setting.value.value : null
}

function isFormat(value: unknown): value is Format {
  return formats.some(format => format === value)
}
