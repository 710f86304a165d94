import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HIDDEN_PLACE } from './plan-folder.ts'
import type { ProjectRepository } from './project-repository.ts'

/**
 * What is ignored without a .gitignore saying so: the repository's own list and the person's. Both are lost to a store
 * that reads neither, and editor leftovers would become part of the plan.
 */
export async function excludesOfRepository(project: ProjectRepository): Promise<Buffer[]> {
  return [
    await readOrNothing(join(project.commonDir, 'info', 'exclude')),
    await readOrNothing(personalExcludes(project)),
  ]
}

/** Where no repository says what is ignored: folders that are filled by a program and can be filled again. */
export function excludesOfPlainFolder(root: string): Buffer[] {
  const has = (manifest: string) => existsSync(join(root, manifest))
  const names = [
    'node_modules',
    '.venv',
    'venv',
    // Ordinary words, which mean dependencies only beside one of these.
    ...(['Cargo.toml', 'pom.xml'].some(has) ? ['/target'] : []),
    ...(['go.mod', 'composer.json', 'Gemfile'].some(has) ? ['/vendor'] : []),
  ]
  return names.map(name => Buffer.from(name))
}

/** `kept` stays ignored even when an actor edits .gitignore: a later restore must not delete what was brought along. */
export async function writeExcludes(
  file: string,
  patterns: readonly Buffer[],
  kept: readonly Buffer[],
): Promise<void> {
  // What another plan keeps in the project for a moment, while it is applied.
  const parts = [...patterns, Buffer.from(`${HIDDEN_PLACE}*/`), ...kept.map(asPattern)]
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, Buffer.concat(parts.flatMap(part => [part, NEWLINE])))
}

/** The same for more of them, afterwards. */
export async function keepIgnored(file: string, kept: readonly Buffer[]): Promise<void> {
  await appendFile(file, Buffer.concat(kept.map(asPattern).flatMap(part => [part, NEWLINE])))
}

function personalExcludes(project: ProjectRepository): string {
  const configured = project.settings.get('core.excludesfile')
  if (!configured) return join(project.userSettingsFolder, 'ignore')
  return configured.startsWith('~/') ? join(project.homeFolder, configured.slice(2)) : configured
}

async function readOrNothing(file: string): Promise<Buffer> {
  return readFile(file).catch(() => Buffer.alloc(0))
}

function asPattern(path: Buffer): Buffer {
  // A pattern cannot hold a newline; such a name stays with what .gitignore says.
  if (path.includes(0x0a)) return Buffer.alloc(0)
  const escaped = path.toString('latin1').replace(/[\\*?[\]! #]/g, character => `\\${character}`)
  return Buffer.from(`/${escaped}`, 'latin1')
}

const NEWLINE = Buffer.from('\n')
