import { expect, it } from 'vitest'
import { commandEnvironment } from '../../../src/infrastructure/confinement/command-environment.ts'

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
