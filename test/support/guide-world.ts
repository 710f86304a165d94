import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { agentsHere } from './agents-here.ts'
import { sharedCompileCache } from './compile-cache.ts'
import { makeRepository, userEnvironment } from './repository.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Ran {
  readonly exitCode: number | null
  readonly output: string
}

/**
 * A machine of its own for the reader of a guide: a repository to stand in, and `agents` on the path. Told to run
 * `here`, it answers commands of `agents` alone inside this process, where they need not start first.
 */
export async function makeGuideWorld(agentsRun: 'here' | 'as processes') {
  const home = await temporaryFolder()
  const repository = await makeRepository({ name: 'shop', files: shop })
  const environment = {
    ...userEnvironment(),
    ...sharedCompileCache,
    HOME: home,
    PATH: `${await folderWithAgents(home)}:${process.env['PATH'] ?? ''}`,
    CLEVERAGENTS_DATA_DIR: join(home, 'data'),
  }
  const here = await agentsHere(repository.root, environment)
  return {
    write: repository.write,
    async run(line: string): Promise<Ran> {
      const args = agentsRun === 'here' ? argumentsOf(line) : null
      if (args === null) return runLine(line, repository.root, environment)
      const { code, both } = await here.run(...args)
      return { exitCode: code, output: both }
    },
  }
}

/** Null when the line is more than `agents` with words, some of them in quotes: that takes a shell. */
function argumentsOf(line: string): string[] | null {
  const word = /'([^']*)'|"([^"$`\\]*)"|([\w@#./:=*,+-]+)/
  if (!new RegExp(`^agents( +(${word.source}))*$`).test(line)) return null
  const words = line.matchAll(new RegExp(word, 'g'))
  return [...words].slice(1).map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}

async function folderWithAgents(home: string): Promise<string> {
  const folder = join(home, 'bin')
  const program = join(folder, 'agents')
  await mkdir(folder)
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/agents.mjs')}" "$@"\n`)
  await chmod(program, 0o755)
  return folder
}

function runLine(line: string, cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((settle, fail) => {
    const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('error', fail)
    child.on('close', exitCode => settle({ exitCode, output: Buffer.concat(pieces).toString('utf8') }))
  })
}

const shop = {
  'README.md': '# Shop\n\nThe colour of a shirt is part of its name.\n',
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/colours.js': "export const colours = ['red', 'green']\n\nexport const colour = 0\n",
  'src/shirt.js':
    "import { colour } from './colours.js'\n\nexport const shirt = { colour, newCheckout: true }\n",
  'test/shirt.test.js':
    "import assert from 'node:assert'\nimport test from 'node:test'\nimport { shirt } from '../src/shirt.js'\n\ntest('a shirt has a colour', () => assert.ok('colour' in shirt))\n",
}
