import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandEnvironment } from '../../../src/infrastructure/confinement/command-environment.ts'
import { toolContext } from '../../contracts/tool.ts'
import { startBackend } from '../../support/backend.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it.each([
  ...['GIT_DIR', 'GIT_INDEX_FILE', 'git_dir', 'CLEVERAGENTS_DATA_DIR', 'AWS_PROFILE', 'OPENAI_BASE_URL'],
  ...[
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'MY_API_KEY',
    'STRIPE_SECRET',
    'SECRET_KEY_BASE',
    'MYTOKEN',
    'DB_PASSWORD',
  ],
  ...['SSH_AUTH_SOCK', 'DATABASE_URL', 'TOKEN', 'npm_lifecycle_event', 'TOKEN_FILE', 'SENTRY_DSN'],
  ...['XDG_RUNTIME_DIR', 'TMUX', 'VSCODE_IPC_HOOK_CLI'],
])('takes %s away from commands', name => {
  expect(commandEnvironment({ [name]: 'value' })).toEqual({})
})

it.each([
  ...[
    'PATH',
    'HOME',
    'LANG',
    'KEYBOARD',
    'KEYMAP_NAME',
    'NODE_ENV',
    'COMPASS',
    'AUTHOR',
    'PWD',
    'TERM',
    'MONKEY',
  ],
  ...['NODE_OPTIONS', 'npm_config_registry', 'CI', 'TOKENIZERS_PARALLELISM', 'JAVA_HOME', 'VIRTUAL_ENV'],
])('leaves %s to commands', name => {
  expect(commandEnvironment({ [name]: 'value', GONE: undefined })).toEqual({ [name]: 'value' })
})

it('takes away whatever variable the settings name for the key of a model', async () => {
  const dataDir = await temporaryFolder()
  const provider = '{ base-url: "http://127.0.0.1:9/v1", key-env: STUDIO_BEARER }'
  await writeFile(join(dataDir, 'config.yaml'), `providers: { studio: ${provider} }`)
  const environment = { STUDIO_BEARER: 'k-0815', STUDIO_MODE: 'fast' }
  const { ports } = await startBackend({ dataDir, environment })
  const command = 'echo "$STUDIO_MODE [$STUDIO_BEARER]"'

  const ran = await ports.tools.find('builtin/run_command')?.run({ command }, toolContext(dataDir))
  expect(ran).toMatchObject({ ok: true, value: { output: { stdout: 'fast []\n' } } })
})
