import type { ProjectCheck } from '../../domain/actor/actor.ts'
import { makefileChecks, manifests } from './manifests.ts'
import { type ProjectFiles, readProjectFiles } from './project-files.ts'

export interface DiscoveredProject {
  readonly languages: readonly string[]
  readonly checks: readonly ProjectCheck[]
}

/**
 * The test, lint, type and build commands that a project itself declares, found by reading its manifests. Nothing is
 * run. A Makefile mostly wraps the others, so it counts only for kinds that no manifest has.
 */
export async function discoverChecks(root: string): Promise<DiscoveredProject> {
  const files = await readProjectFiles(root)
  const found = manifests.filter(manifest => manifest.applies(files))
  const checks = found.flatMap(manifest => manifest.checks(files))
  const kinds = new Set(checks.map(check => check.kind))
  const wrapped = makefileChecks(files).filter(check => !kinds.has(check.kind))
  return { languages: languagesOf(files, found), checks: withUniqueNames([...checks, ...wrapped]) }
}

function languagesOf(files: ProjectFiles, found: readonly { language(files: ProjectFiles): string }[]) {
  return [...new Set(found.map(manifest => manifest.language(files)))]
}

/** Two languages may both have a check called "test". */
function withUniqueNames(checks: readonly ProjectCheck[]): ProjectCheck[] {
  return checks.map((check, i) => {
    const isTaken = checks.some((other, j) => j !== i && other.name === check.name)
    return isTaken ? { ...check, name: `${check.name} (${check.command.split(' ')[0]})` } : check
  })
}
