import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { ProjectCheck } from '../../domain/actor/actor.ts'
import { installCommand, setUpRemedy } from './install-command.ts'
import { readPackage } from './package-manifest.ts'
import { type ProjectFiles, readProjectFiles } from './project-files.ts'

/**
 * Why a check cannot run in this folder and what to do about it; null when nothing speaks against it. Nothing is run.
 * `project` is what the folder is called in commands.
 */
export async function reasonNotRunnable(
  root: string,
  check: ProjectCheck,
  { path, project }: { readonly path: string; readonly project: string },
): Promise<string | null> {
  const program = programOf(check.command)
  if (program && !(await isThere(root, program, path)))
    return program.includes('/') ? `There is no program ${program} here.` : `${program} is not on the PATH.`
  const files = await readProjectFiles(root)
  if (packageRunners.has(program ?? '')) {
    const { hasDependencies } = readPackage(files.text('package.json'))
    const installed = files.names.has('node_modules') || files.names.has('.pnp.cjs')
    if (hasDependencies && !installed) return notInstalled(files, 'node_modules', project)
  }
  if (
    program === 'composer' &&
    !files.names.has('vendor') &&
    readPackage(files.text('composer.json')).hasDependencies
  )
    return notInstalled(files, 'vendor', project)
  return null
}

function notInstalled(files: ProjectFiles, folder: string, project: string): string {
  const command = installCommand(files, folder)
  const remedy = command === null ? '' : ` ${setUpRemedy(project, command)}`
  return `Its dependencies are not installed: there is no ${folder} folder.${remedy}`
}

const packageRunners = new Set(['npm', 'npx', 'pnpm', 'yarn', 'bun'])

/** The first word of the command; null where the shell decides what runs. */
function programOf(command: string): string | null {
  const [, word] = /^\s*([\w./+-]+)(?=\s|$)/.exec(command) ?? []
  return word && !shellWords.has(word) ? word : null
}

const shellWords = new Set([
  ...['.', 'cd', 'command', 'echo', 'eval', 'exec', 'exit', 'export', 'false', 'for', 'if', 'printf', 'set'],
  ...['test', 'true', 'type', 'ulimit', 'umask', 'unset', 'until', 'while', 'case'],
])

async function isThere(root: string, program: string, path: string): Promise<boolean> {
  if (isAbsolute(program)) return isExecutable(program)
  if (program.includes('/')) return isExecutable(join(root, program))
  const folders = path.split(delimiter).filter(folder => folder !== '')
  for (const folder of folders) if (await isExecutable(join(folder, program))) return true
  return false
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
