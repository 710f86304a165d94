/** What is on the disk after this, a power cut does not take. */
import { execFile } from 'node:child_process'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file as a whole: another process, or a later start, finds the old text or the new one. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  await flushFolder(Buffer.from(dirname(file)))
}

/** Files and folders of one file system. Links have no content of their own; their folder holds them. */
export async function flushAll(paths: readonly Buffer[]): Promise<void> {
  const [first] = paths
  if (first === undefined) return
  if (paths.length > MANY && (await flushFileSystem(first))) return
  for (const path of paths) await flush(path)
}

export function flushFolder(path: Buffer): Promise<void> {
  return flush(path)
}

/** Beyond this, one flush of the whole file system is quicker, whatever else is written on it meanwhile. */
const MANY = 64

async function flush(path: Buffer): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** False where the system has no such command. Node itself can only flush single files. */
function flushFileSystem(path: Buffer): Promise<boolean> {
  return new Promise(resolve => {
    const text = path.toString()
    if (!Buffer.from(text).equals(path)) return resolve(false)
    execFile('sync', ['-f', '--', text], error => resolve(error === null))
  })
}
