import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The names at the top of a project and the text of its manifests. */
export interface ProjectFiles {
  readonly names: ReadonlySet<string>
  /** Text of a file at the top; null where it is missing, no plain file, or absurdly large. */
  text(name: string): string | null
}

const maxManifestBytes = 1024 * 1024

const manifestNames = [
  ...['package.json', 'deno.json', 'deno.jsonc', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'composer.json'],
  ...['Makefile', 'makefile', 'GNUmakefile', 'Gemfile'],
]

export async function readProjectFiles(root: string): Promise<ProjectFiles> {
  const entries = await readdir(root, { withFileTypes: true })
  const names = new Set(entries.map(entry => entry.name))
  const texts = new Map<string, string>()
  for (const entry of entries) {
    if (!manifestNames.includes(entry.name) || !entry.isFile()) continue
    const text = await readLimited(join(root, entry.name))
    if (text !== null) texts.set(entry.name, text)
  }
  return { names, text: name => texts.get(name) ?? null }
}

async function readLimited(path: string): Promise<string | null> {
  await using handle = await open(path)
  const { size } = await handle.stat()
  return size > maxManifestBytes ? null : handle.readFile('utf8')
}
