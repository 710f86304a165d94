import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes an empty git directory of the form that every version of git reads: refs are files, whatever a newer git would
 * choose. There is nothing in it that a person's template would have put there.
 */
export async function initRepository(
  gitDir: string,
  {
    objectFormat,
    isBare,
    settings,
  }: { readonly objectFormat: string; readonly isBare: boolean; readonly settings: string },
): Promise<void> {
  for (const folder of ['info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(join(gitDir, folder), { recursive: true })
  const isPlain = objectFormat === 'sha1'
  const format = isPlain ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`
  const core = `[core]\n\trepositoryFormatVersion = ${isPlain ? 0 : 1}\n\tbare = ${isBare}\n\tfileMode = true\n`
  await writeFile(join(gitDir, 'config'), `${core}${format}${settings}`)
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
}
