import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wouldRun } from '../../../src/infrastructure/project/would-run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** `kind name: command → what is behind it`, one a line. */
async function listed(
  files: Readonly<Record<string, string>>,
  setUp: string | null = null,
): Promise<string[]> {
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const commands = await wouldRun(root, setUp)
  return commands.map(
    ({ kind, name, command, runs }) => `${kind} ${name}: ${command}${runs === null ? '' : ` → ${runs}`}`,
  )
}

const scripts = {
  test: 'node --test',
  pretest: 'tsc',
  prepare: 'husky',
  postinstall: 'node fetch.js',
  other: 'x',
}
const node = { 'package.json': JSON.stringify({ scripts, dependencies: { a: '1' } }) }
const lock = JSON.stringify({
  packages: {
    '': { hasInstallScript: true },
    'node_modules/a': { hasInstallScript: true },
    'node_modules/b/node_modules/esbuild': { hasInstallScript: true },
    'node_modules/c': {},
  },
})

const checks = ['check test: npm test → node --test', 'hook pretest: npm test → tsc']

describe('what would run because a folder says so', () => {
  it.each<[string, Record<string, string>, string | null, string[]]>([
    ['nothing in a folder without manifests', { 'README.md': '#' }, null, []],
    ['checks with the text of their scripts and what runs around them', node, null, checks],
    [
      'the hooks of an installation that a set-up step starts, those of packages too',
      { ...node, 'package-lock.json': lock, 'binding.gyp': '' },
      'npm ci',
      [
        ...checks,
        'set_up set-up: npm ci',
        'hook postinstall: npm ci → node fetch.js',
        'hook prepare: npm ci → husky',
        'hook node-gyp: node-gyp rebuild',
        'hook dependencies: install scripts of packages → a, esbuild',
      ],
    ],
    [
      'none where the installation is told to run none',
      node,
      'npm ci --ignore-scripts',
      [...checks, 'set_up set-up: npm ci --ignore-scripts'],
    ],
    [
      'none for a set-up step that installs nothing',
      node,
      'cp -r /cache deps',
      [...checks, 'set_up set-up: cp -r /cache deps'],
    ],
    [
      'an unreadable lock file is no reason to fail',
      { ...node, 'package-lock.json': '{' },
      'cd . && npm ci',
      [
        ...checks,
        'set_up set-up: cd . && npm ci',
        'hook postinstall: cd . && npm ci → node fetch.js',
        'hook prepare: cd . && npm ci → husky',
      ],
    ],
    [
      'the lines of a Makefile target, and no others',
      { Makefile: 'all: test\n\ntest: build\n\tgo test\n\t@echo done\n\nbuild:\n\tgo build\n' },
      null,
      [
        'check test: make test → test: build\n\tgo test\n\t@echo done',
        'check build: make build → build:\n\tgo build',
      ],
    ],
    [
      'setup.py under pip',
      { 'setup.py': '', 'pytest.ini': '' },
      '.venv/bin/pip install -e .',
      [
        'check test: python -m pytest',
        'set_up set-up: .venv/bin/pip install -e .',
        'hook setup.py: python setup.py',
      ],
    ],
    [
      'composer',
      { 'composer.json': JSON.stringify({ scripts: { test: 'phpunit', 'post-install-cmd': ['a', 'b'] } }) },
      'composer install',
      [
        'check test: composer run-script test → phpunit',
        'set_up set-up: composer install',
        'hook post-install-cmd: composer install → a && b',
      ],
    ],
  ])('is %s', async (_, files, setUp, expected) => {
    expect(await listed(files, setUp)).toEqual(expected)
  })

  it('is nothing where the folder is gone', async () => {
    expect(await wouldRun('/nowhere/at/all', 'npm ci')).toEqual([])
  })
})
