import { isAbsolute, join } from 'node:path'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The user's home folder. */
  readonly home: string
}

const NAME = 'cleveragents'

/** Where the store, the sandboxes and the logs are kept. */
export function dataDir({ env, platform, home }: Surroundings): string {
  const named = env['CLEVERAGENTS_DATA_DIR']
  if (named) return named
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', NAME)
  return join(baseFolder(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), NAME)
}

/** The user's own settings. */
export function configFile({ env, home }: Surroundings): string {
  return join(baseFolder(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), NAME, 'config.yaml')
}

/** The base directory specification: a relative path is to be ignored. */
function baseFolder(folder: string | undefined): string | null {
  return folder && isAbsolute(folder) ? folder : null
}
