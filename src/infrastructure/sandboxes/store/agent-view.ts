import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { quoteObjectsPath } from '../../git/environment.ts'
import type { Git } from '../../git/git.ts'
import type { PrivateStore } from './private-store.ts'
import type { ProjectRepository } from './project-repository.ts'

/**
 * Gives the sandbox a `.git` of its own, so that commands in it see the project's history, branches and status. It is
 * a throw-away: it shares nothing writable with the user's repository, and the program itself never reads it, because
 * an actor could have planted a program in it.
 */
export async function makeAgentView(
  git: Git,
  store: PrivateStore,
  project: ProjectRepository,
  signal: AbortSignal,
): Promise<Result<void>> {
  const { root } = store.folder
  const args = ['init', '--quiet', '--template=', `--object-format=${project.objectFormat}`, root]
  const made = await git({ args, cwd: store.folder.path }, signal)
  if (!made.ok) return made
  const view = join(root, '.git')
  await mkdir(join(view, 'info'), { recursive: true })
  await writeFile(
    join(view, 'objects', 'info', 'alternates'),
    `${quoteObjectsPath(join(project.commonDir, 'objects'))}\n`,
  )
  await writeFile(join(view, 'HEAD'), `${project.branch ? `ref: ${project.branch}` : project.headCommit}\n`)
  const refs = await git({ args: listRefs, cwd: project.root, settings: 'user' }, signal)
  if (!refs.ok) return refs
  await writeFile(
    join(view, 'packed-refs'),
    Buffer.concat([Buffer.from('# pack-refs with: sorted \n'), refs.value.stdout]),
  )
  await appendSettings(join(view, 'config'), project)
  for (const name of ['index', 'shallow', 'info/attributes']) await copyIfThere(project, view, name)
  await copyFile(join(store.folder.store, 'info', 'exclude'), join(view, 'info', 'exclude'))
  return ok()
}

const listRefs = [
  'for-each-ref',
  '--format=%(objectname) %(refname)',
  'refs/heads',
  'refs/remotes',
  'refs/tags',
]

// What decides whether a file counts as changed. Nothing that names a program, an address or a credential.
const SHARED_SETTINGS = [
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
]

async function appendSettings(file: string, project: ProjectRepository): Promise<void> {
  const lines = SHARED_SETTINGS.flatMap(key => {
    const value = project.settings.get(key)
    return value !== undefined && /^[a-z]+$/i.test(value) ? [`\t${key.slice('core.'.length)} = ${value}`] : []
  })
  await writeFile(file, `${await readFile(file, 'utf8')}[core]\n${lines.join('\n')}\n[gc]\n\tauto = 0\n`)
}

async function copyIfThere(project: ProjectRepository, view: string, name: string): Promise<void> {
  const from = name === 'index' ? project.gitDir : project.commonDir
  await copyFile(join(from, name), join(view, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
