import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { Git } from '../../git/git.ts'
import type { IndexEntry } from './index-entries.ts'
import { joinNul, splitNul } from './nul-list.ts'
import type { ProjectRepository } from './project-repository.ts'

/**
 * Files whose committed form may differ from their bytes on disk (line endings, filters, encodings), or whose
 * committed form may not be here at all. Their index entries say "unchanged" about the wrong bytes.
 */
export async function convertedPaths(
  git: Git,
  project: ProjectRepository,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<Result<Buffer[]>> {
  const paths = entries.map(entry => entry.path)
  if (convertsEverything(project.settings) || isPartialClone(project.settings)) return ok(paths)
  if (!hasAttributes(project, paths)) return ok([])
  const args = ['check-attr', '-z', '--stdin', ...CONVERTING]
  const asked = await git({ args, cwd: project.root, settings: 'user', stdin: joinNul(paths) }, signal)
  return asked.ok ? ok(convertedIn(splitNul(asked.value.stdout))) : asked
}

const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding']

function convertsEverything(settings: ReadonlyMap<string, string>): boolean {
  const value = settings.get('core.autocrlf')?.toLowerCase() ?? 'false'
  return !['false', 'no', 'off', '0', ''].includes(value)
}

function isPartialClone(settings: ReadonlyMap<string, string>): boolean {
  return [...settings.keys()].some(
    key => key === 'extensions.partialclone' || /^remote\..*\.promisor$/.test(key),
  )
}

function hasAttributes(project: ProjectRepository, paths: readonly Buffer[]): boolean {
  if (project.settings.has('core.attributesfile')) return true
  if (existsSync(join(project.commonDir, 'info', 'attributes'))) return true
  if (paths.some(path => /(^|\/)\.gitattributes$/.test(path.toString('latin1')))) return true
  return existsSync(join(project.userSettingsFolder, 'attributes')) || existsSync('/etc/gitattributes')
}

// Triples of path, attribute, value.
function convertedIn(fields: readonly Buffer[]): Buffer[] {
  const found = new Map<string, Buffer>()
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path, value] = [fields[i], fields[i + 2]?.toString()]
    if (path && value !== 'unspecified' && value !== 'unset') found.set(path.toString('latin1'), path)
  }
  return [...found.values()]
}
