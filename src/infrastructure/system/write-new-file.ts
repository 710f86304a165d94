import { writeFile } from 'node:fs/promises'

/** Null when it was written; why not, where something is there already or it cannot be made. */
export async function writeNewFile(path: string, text: string): Promise<string | null> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
