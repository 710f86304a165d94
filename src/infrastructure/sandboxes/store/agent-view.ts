import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { quoteObjectsPath } from '../../git/environment.ts'
import type { Git } from '../../git/git.ts'
import { readRefs } from '../../git/refs-as-files.ts'
import { initRepository } from './init-repository.ts'
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
  const view = join(store.folder.root, '.git')
  const { objectFormat } = project
  await initRepository(view, { objectFormat, isBare: false, settings: settingsOf(project) })
  await writeFile(
    join(view, 'objects', 'info', 'alternates'),
    `${quoteObjectsPath(join(project.commonDir, 'objects'))}\n`,
  )
  await writeFile(join(view, 'HEAD'), `${project.head}\n`)
  const refs = await listRefs(git, project, signal)
  if (!refs.ok) return refs
  await writeFile(
    join(view, 'packed-refs'),
    Buffer.concat([Buffer.from('# pack-refs with: sorted \n'), refs.value]),
  )
  for (const name of ['index', 'shallow', 'info/attributes']) await copyIfThere(project, view, name)
  await copyFile(join(store.folder.store, 'info', 'exclude'), join(view, 'info', 'exclude'))
  return ok()
}

/** "<object> <name>" a line. */
async function listRefs(
  git: Git,
  { root, commonDir }: ProjectRepository,
  signal: AbortSignal,
): Promise<Result<Buffer>> {
  const refs = readRefs(commonDir)
  if (refs) return ok(Buffer.from([...refs].map(([name, object]) => `${object} ${name}\n`).join('')))
  const args = [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]
  const listed = await git({ args, cwd: root, settings: 'user' }, signal)
  return listed.ok ? ok(listed.value.stdout) : listed
}

// What decides whether a file counts as changed. Nothing that names a program, an address or a credential.
const SHARED_SETTINGS = [
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
]

function settingsOf(project: ProjectRepository): string {
  const lines = SHARED_SETTINGS.flatMap(key => {
    const value = project.settings.get(key)
    return value !== undefined && /^[a-z]+$/i.test(value) ? [`\t${key.slice('core.'.length)} = ${value}`] : []
  })
  return `[core]\n\tlogAllRefUpdates = true\n${lines.join('\n')}\n[gc]\n\tauto = 0\n`
}

async function copyIfThere(project: ProjectRepository, view: string, name: string): Promise<void> {
  const from = name === 'index' ? project.gitDir : project.commonDir
  await copyFile(join(from, name), join(view, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
