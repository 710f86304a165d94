import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A Python environment at the top of a folder. Its programs name the place where it was made by its absolute path. */
export async function findVirtualEnvironment(root: string): Promise<string | null> {
  return ['.venv', 'venv'].find(name => existsSync(join(root, name, 'pyvenv.cfg'))) ?? null
}
