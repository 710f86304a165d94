import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { ProjectCheck } from '../../domain/actor/actor.ts'
import type { FolderCommand } from '../../domain/trust.ts'
import { discoverChecks } from './discover-checks.ts'
import { readPackage } from './package-manifest.ts'
import { type ProjectFiles, readProjectFiles } from './project-files.ts'

/**
 * Everything that would run because a folder says so: its checks with what is behind them, the set-up step that a
 * person named for it, and what its package manager runs besides. Nothing is run to find out. Code that a check loads
 * is the folder's own work and is not listed.
 */
export async function wouldRun(root: string, setUp: string | null): Promise<FolderCommand[]> {
  if (!existsSync(root)) return []
  const files = await readProjectFiles(root)
  const { checks } = await discoverChecks(root)
  return [
    ...checks.flatMap(check => [asCommand(check, files), ...aroundScript(check, files)]),
    ...(setUp === null ? [] : await setUpCommands(root, setUp, files)),
  ]
}

function asCommand({ name, command }: ProjectCheck, files: ProjectFiles): FolderCommand {
  const script = scriptOf(command)
  if (script === null) return { kind: 'check', name, command, ...targetOf(command, files) }
  const runs = readPackage(files.text(script.file)).scripts.get(script.name) ?? null
  return { kind: 'check', name, command, runs, from: script.file }
}

/** The script of a package.json or composer.json that a command of ours runs. */
function scriptOf(command: string): { readonly file: string; readonly name: string } | null {
  const [, runner = '', name = ''] =
    /^(npm|pnpm|yarn|bun|composer) (?:run |run-script )?([\w:-]+)$/.exec(command) ?? []
  return name === '' ? null : { file: runner === 'composer' ? 'composer.json' : 'package.json', name }
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

/** Of a Makefile's target its lines; of all else only that it is there. */
function targetOf(command: string, files: ProjectFiles): Pick<FolderCommand, 'runs' | 'from'> {
  const [, target] = /^make ([\w-]+)$/.exec(command) ?? []
  const file = makefiles.find(each => files.text(each) !== null)
  if (target === undefined || file === undefined) return { runs: null, from: null }
  const lines = (files.text(file) ?? '').split('\n')
  const at = lines.findIndex(line => new RegExp(`^${target}\\s*:(?![=:])`).test(line))
  const end = lines.findIndex((line, index) => index > at && !/^(\t|\s*$)/.test(line))
  return {
    runs: lines
      .slice(at, end === -1 ? undefined : end)
      .join('\n')
      .trimEnd(),
    from: file,
  }
}

/** npm and its like run `pretest` and `posttest` around `test`. */
function aroundScript({ command }: ProjectCheck, files: ProjectFiles): FolderCommand[] {
  const script = scriptOf(command)
  if (script === null) return []
  return scriptsNamed([`pre${script.name}`, `post${script.name}`], script.file, command, files)
}

async function setUpCommands(root: string, command: string, files: ProjectFiles): Promise<FolderCommand[]> {
  const itself: FolderCommand = { kind: 'set_up', name: 'set-up', command, runs: null, from: null }
  return [itself, ...(await hooksOf(root, command, files))]
}

const lifecycle = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']
const composerHooks = ['pre-install-cmd', 'post-install-cmd', 'pre-autoload-dump', 'post-autoload-dump']

async function hooksOf(root: string, command: string, files: ProjectFiles): Promise<FolderCommand[]> {
  const programs = new Set(command.split(/[^\w./-]+/).map(word => word.split('/').at(-1) ?? ''))
  const has = (...names: string[]) => names.some(name => programs.has(name))
  const hooks: FolderCommand[] = []
  if (has('npm', 'pnpm', 'yarn', 'bun') && !command.includes('--ignore-scripts')) {
    hooks.push(...scriptsNamed(lifecycle, 'package.json', command, files))
    if (files.names.has('binding.gyp')) hooks.push(fileHook('node-gyp', 'node-gyp rebuild', 'binding.gyp'))
    hooks.push(...(await dependencyScripts(root, files)))
  }
  if (has('composer')) hooks.push(...scriptsNamed(composerHooks, 'composer.json', command, files))
  if (has('pip', 'pip3', 'uv', 'poetry') && files.names.has('setup.py'))
    hooks.push(fileHook('setup.py', 'python setup.py', 'setup.py'))
  if (has('cargo') && files.names.has('build.rs'))
    hooks.push(fileHook('build.rs', 'the build script of the crate', 'build.rs'))
  return hooks
}

function scriptsNamed(
  names: readonly string[],
  from: string,
  command: string,
  files: ProjectFiles,
): FolderCommand[] {
  const { scripts } = readPackage(files.text(from))
  return names.flatMap(name => {
    const runs = scripts.get(name)
    return runs === undefined ? [] : [{ kind: 'hook' as const, name, command, runs, from }]
  })
}

function fileHook(name: string, command: string, from: string): FolderCommand {
  return { kind: 'hook', name, command, runs: null, from }
}

const lockFile = z.object({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional().catch(false) })),
})

const maxLockBytes = 50 * 1024 * 1024

/** npm notes in its lock file which packages run something when they are installed. */
async function dependencyScripts(root: string, files: ProjectFiles): Promise<FolderCommand[]> {
  const from = 'package-lock.json'
  if (!files.names.has(from)) return []
  const lock = lockFile.safeParse(await readJson(join(root, from)))
  if (!lock.success) return []
  const names = Object.entries(lock.data.packages)
    .filter(([path, each]) => path !== '' && each.hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  if (names.length === 0) return []
  const runs = [...new Set(names)].sort().join(', ')
  return [{ kind: 'hook', name: 'dependencies', command: 'install scripts of packages', runs, from }]
}

/** Undefined where it cannot be read: then the package manager cannot read it either. */
async function readJson(file: string): Promise<unknown> {
  try {
    await using handle = await open(file)
    if ((await handle.stat()).size > maxLockBytes) return undefined
    return JSON.parse(await handle.readFile('utf8'))
  } catch {
    return undefined
  }
}
