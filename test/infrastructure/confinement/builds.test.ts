import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeConfinement } from '../../../src/infrastructure/confinement/probe-confinement.ts'
import { readPlaces } from '../../../src/infrastructure/confinement/read-places.ts'
import { runCommandTool } from '../../../src/infrastructure/tools/run-command.ts'
import { toolContext } from '../../contracts/tool.ts'
import { folderForHome } from '../../support/home.ts'
import { type FileTree, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'

const probe = await probeConfinement(process.env['PATH'] ?? '')

const says = (text: string) => ({ executable: `#!/bin/sh\n${text}\n` })

/** Tools as their installers lay them below a home folder, each with something that a program needs beside itself. */
const tools: FileTree = {
  '.nvm/versions/node/v24.1.0/bin/mode': says('cat "$(dirname "$0")/../lib/node_modules/npm/package.json"'),
  '.nvm/versions/node/v24.1.0/lib/node_modules/npm/package.json': 'nvm',
  '.nvm/versions/node/v24.1.0/bin/linked': { link: '../lib/node_modules/npm/cli' },
  '.nvm/versions/node/v24.1.0/lib/node_modules/npm/cli': says('echo nvm'),
  '.volta/bin/volta-shim': says('cat ~/.volta/tools/image/node/24/version'),
  '.volta/bin/vnode': { link: 'volta-shim' },
  '.volta/tools/image/node/24/version': 'volta',
  '.pyenv/shims/pypy': says('exec ~/.pyenv/versions/3.13.1/bin/pypy'),
  '.pyenv/versions/3.13.1/bin/pypy': says('echo pyenv'),
  // Moved to another disk.
  '.cargo': { link: '../disk/cargo' },
  '../disk/cargo/bin/rustup': says('cat ~/.rustup/toolchains/stable/version ~/.cargo/registry/cache/crate'),
  '../disk/cargo/bin/carg': { link: 'rustup' },
  '../disk/cargo/registry/cache/crate': 'crate',
  '../disk/cargo/credentials.toml': 'secret',
  '.rustup/toolchains/stable/version': 'rust ',
  'sdk/go1.24/bin/go': says('cat ~/sdk/go1.24/VERSION ~/go/pkg/mod/cache/download/mod'),
  'sdk/go1.24/VERSION': 'go ',
  'go/pkg/mod/cache/download/mod': 'mod',
  'go/src/private.txt': 'secret',
  '.local/bin/pipxtool': { link: '../share/pipx/venvs/tool/bin/pipxtool' },
  '.local/share/pipx/venvs/tool/bin/pipxtool': says('cat "$(dirname "$(readlink -f "$0")")/../pyvenv.cfg"'),
  '.local/share/pipx/venvs/tool/pyvenv.cfg': 'pipx',
  '.local/share/private/notes': 'secret',
  'opt/node-24/bin/optnode': says('cat ~/opt/node/lib/version'),
  'opt/node-24/lib/version': 'opt',
  'opt/node': { link: 'node-24' },
  'opt/diary': 'secret',
  'bin/deploy': { link: '../Documents/deploy.sh' },
  'Documents/deploy.sh': says('echo deploy'),
  'Documents/diary': 'secret',
  'jdk/21/release': 'java',
  'shared/lib/lib.txt': 'shared',
  '.config/gh/hosts.yml': 'secret',
  '.config/plain.toml': 'plain',
  '.npmrc': 'registry',
  'work/other/file': 'secret',
}

const path = [
  '.nvm/versions/node/v24.1.0/bin',
  '.volta/bin',
  '.pyenv/shims',
  '.cargo/bin',
  'sdk/go1.24/bin',
  '.local/bin',
  'opt/node/bin',
  'bin',
  'nothing/here',
]

let base = ''
let home = ''

beforeAll(async () => {
  base = await folderForHome()
  home = join(base, 'home')
  await writeFiles(home, tools)
  await symlink('home', join(base, 'alias'))
  await mkdir(join(home, 'work/app'), { recursive: true })
  await mkdir(join(base, 'sandbox'))
})

afterAll(() => rm(base, { recursive: true, force: true }))

interface How {
  readonly visible?: string
  /** The home as the user's variables name it. */
  readonly named?: string
}

async function outputOf(command: string, { visible = 'none', named = home }: How = {}): Promise<string> {
  const folders = [named, ...path.map(folder => join(named, folder)), ...systemPath].filter(
    folder => folder !== named || visible === 'none',
  )
  const tool = runCommandTool({
    keyVariables: () => [],
    environment: { PATH: folders.join(':'), HOME: named, JAVA_HOME: join(named, 'jdk/21') },
    confinement: { mode: 'required', home: named, homeVisible: readPlaces(visible, named), own: [] },
    probe: async () => probe,
    defaultTimeoutSeconds: 60,
  })
  const context = toolContext(join(base, 'sandbox'), {
    projectRoot: join(home, 'work/app'),
    outputFolder: join(base, 'output'),
  })
  const { output } = expectOk(await tool.run({ command }, context))
  return `${output['stdout']}${output['stderr']}`
}

const systemPath = (process.env['PATH'] ?? '').split(':')

const installed = [
  ['node by nvm', 'mode; linked', 'nvmnvm\n'],
  ['node by volta', 'vnode', 'volta'],
  ['python by pyenv', 'pypy', 'pyenv\n'],
  ['rust by rustup, with what cargo fetched', 'carg', 'rust crate'],
  ['go with its modules', 'go', 'go mod'],
  ['a tool by pipx', 'pipxtool', 'pipx'],
  ['a tool behind a link to its folder', 'optnode', 'opt'],
  ['a script that a folder of the PATH links to', 'deploy', 'deploy\n'],
  ['what JAVA_HOME names', 'cat "$JAVA_HOME/release"', 'java'],
] as const

describe.runIf(probe.ok)('a build in a confined command', () => {
  let found: readonly string[] = []
  beforeAll(async () => {
    found = (await outputOf(installed.map(([, command]) => `${command}; echo "|"`).join('\n'))).split('|\n')
  })

  it.each(installed.map(([what, , expected], i) => ({ what, expected, i })))(
    'finds $what',
    ({ expected, i }) => {
      expect(found[i]).toBe(expected)
    },
  )

  // In the temporary folder, where confined commands have another, the link itself is hidden from them.
  const linksAreSeen = !process.cwd().startsWith(`${realpathSync(tmpdir())}/`)

  it.runIf(linksAreSeen)('finds them all where the home folder is reached through a link', async () => {
    const all = installed.map(([, command]) => command).join('; ')
    const expected = installed.map(([, , output]) => output).join('')
    expect(await outputOf(all, { named: join(base, 'alias') })).toBe(expected)
  })

  it('finds nothing else of the home folder, not even beside what it needs', async () => {
    const seen = await outputOf('find ~ -type f | sed "s#^$HOME/##" | sort')
    const needed = Object.entries(tools).flatMap(([name, content]) =>
      typeof content === 'object' && 'link' in content ? [] : [name.replace('../disk/cargo', '.cargo')],
    )
    const kept = [
      'go/src',
      '.local/share/private',
      'opt/diary',
      'Documents/diary',
      'shared',
      '.config',
      '.npmrc',
      'work',
    ]
    const expected = needed.filter(name => !kept.some(place => name.startsWith(place))).sort()
    expect(seen.trim().split('\n').sort()).toEqual(
      [...expected, 'opt/node/bin/optnode', 'opt/node/lib/version'].sort(),
    )
    expect(await outputOf(`grep -r secret ~ ${base}/disk`)).toBe('')
  })

  it('finds what the setting names besides, still without the logins in it', async () => {
    const visible = '~/shared/lib, .config'
    expect(
      await outputOf('cat ~/shared/lib/lib.txt ~/.config/plain.toml; ls ~/.config/gh', { visible }),
    ).toBe('sharedplain')
  })

  it('finds a login that the setting names by itself', async () => {
    expect(await outputOf('cat ~/.npmrc', { visible: '~/.npmrc' })).toBe('registry')
  })

  it('finds the whole home folder where the setting says so, without the logins in it', async () => {
    const seen = await outputOf('cat ~/opt/diary; ls ~/.config/gh; cat ~/.cargo/credentials.toml', {
      visible: '~',
    })
    expect(seen).toBe('secret')
  })

  it('may write into a home folder of its own, which is gone afterwards', async () => {
    const command = 'ls ~/made 2>/dev/null; echo x > ~/made; mkdir -p ~/.npm/_logs; cat ~/made'
    expect([await outputOf(command), await outputOf(command)]).toEqual(['x\n', 'x\n'])
  })

  it('cannot write into the tools of the user', async () => {
    expect(await outputOf('echo x > ~/.cargo/bin/rustup')).toContain('Read-only file system')
  })
})

/** Programs of this machine, where it has them. */
const here = ['node', 'npm', 'make', 'python3', 'git'].filter(isThere)

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.runIf(probe.ok)('the tools of this machine, confined', () => {
  beforeAll(() =>
    writeFiles(join(base, 'sandbox'), {
      'package.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        scripts: { test: 'node test.js && tsc' },
      }),
      'test.js': "require('node:fs').writeFileSync('out.txt', 'tested')\nconsole.log('tested')\n",
      'node_modules/typescript/bin/tsc': { executable: '#!/usr/bin/env node\nconsole.log("compiled")\n' },
      'node_modules/.bin/tsc': { link: '../typescript/bin/tsc' },
      Makefile: 'all:\n\t@echo made > made.txt && cat made.txt\n',
    }),
  )

  it.each([
    ['node', 'node -p "6 * 7"', /^42\n$/],
    ['npm', 'npm test --silent; npx tsc', /^tested\ncompiled\ncompiled\n$/],
    ['make', 'make', /^made\n$/],
    [
      'python3',
      'python3 -m venv --without-pip .venv && .venv/bin/python -c "import sys; print(sys.prefix)"',
      /\/home\/work\/app\/\.venv\n$/,
    ],
    ['git', 'git init -q . 2>&1; git status --short | grep Makefile', /^\?\? Makefile\n$/],
  ] as const)('%s works', async (program, command, expected) => {
    if (!here.includes(program)) return
    expect(await outputOf(command)).toMatch(expected)
  })
})
