import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { joinNul, splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'

/** Which of these paths a tree ignores. Git reads the rules from a folder, so they are laid out in one of their own. */
export async function ignoredInTree(
  store: PrivateStore,
  tree: string,
  paths: readonly Buffer[],
  signal: AbortSignal,
): Promise<Result<ReadonlySet<string>>> {
  const scratch = join(store.folder.scratch, randomUUID())
  const place = { workTree: join(scratch, 'rules'), index: join(scratch, 'index') }
  try {
    await mkdir(place.workTree, { recursive: true })
    const read = await store.run({ index: place.index, args: ['read-tree', tree] }, signal)
    if (!read.ok) return read
    const rules = await store.run({ ...place, args: ['ls-files', '-z', '--', ...ignoreFiles] }, signal)
    if (!rules.ok) return rules
    const args = ['checkout-index', '-z', '--stdin']
    const laidOut = await store.run({ ...place, args, stdin: rules.value }, signal)
    if (!laidOut.ok) return laidOut
    const asked = await store.run(
      {
        ...place,
        args: ['check-ignore', '--no-index', '-z', '--stdin'],
        stdin: joinNul(paths),
        accept: [1],
      },
      signal,
    )
    return asked.ok ? ok(new Set(splitNul(asked.value).map(path => path.toString('latin1')))) : asked
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const ignoreFiles = ['.gitignore', ':(glob)**/.gitignore']
