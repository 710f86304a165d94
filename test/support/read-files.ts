import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The text of every file under a folder by its path, without the repository's own. */
export async function readFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.startsWith('.git/'))
  const texts = await Promise.all(paths.map(path => readFile(join(root, path), 'utf8')))
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']))
}
