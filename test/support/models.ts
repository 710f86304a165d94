import type { Models } from '../../src/application/ports/model.ts'
import { openSettings } from '../../src/infrastructure/config/load.ts'
import { createModels } from '../../src/infrastructure/models/index.ts'

/** The models that these variables and this settings file lead to. */
export function modelsOf(
  env: Readonly<Record<string, string>>,
  settingsFile = '/there/is/no/settings/file',
): Models {
  return createModels({ env, settingsFile, settings: openSettings({ file: settingsFile, env, flags: {} }) })
}
