import { mkdtemp, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A folder for the home of a pretended user. Not in the temporary folder of the system, which confined commands find
 * empty anyway: a test there would see nothing hidden by us. The caller removes it.
 */
export async function folderForHome(): Promise<string> {
  return realpath(await mkdtemp(join(process.cwd(), '.test-home-')))
}
