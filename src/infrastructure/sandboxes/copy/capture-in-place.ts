import { type BigIntStats, fstatSync, readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../../domain/failure.ts'
import { isForbidden } from '../../error-code.ts'
import type { CreatedSandbox, FolderSpec } from '../folder-strategy.ts'
import { leftOutNotices } from '../left-out.ts'
import { type FileToImport, importFiles } from '../store/import-files.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { type IndexRow, writeIndex } from '../store/write-index.ts'
import { openEntry } from '../writes/open-entry.ts'
import { under } from '../writes/parents.ts'
import { openSource, recordBaseline, type SourceAccess } from './source.ts'
import type { FoundEntry, Survey } from './survey.ts'

/** Records what is in the project's folder, so that it can be told later what a plan changed there. */
export async function captureInPlace(
  access: SourceAccess,
  folder: PlanFolder,
  spec: FolderSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const { projectRoot } = spec
  const source = await openSource(access, folder, spec, signal)
  if (!source.ok) return source
  const { store, survey, big } = source.value
  const captured = await captureFiles(store, projectRoot, survey, signal)
  if (!captured.ok) return captured
  const { rows, unreadable } = captured.value
  await writeIndex(folder.workIndex, rows)
  await copyFile(folder.workIndex, folder.userIndex)
  const baseline = await recordBaseline(store, signal)
  if (!baseline.ok) return baseline
  const notices = leftOutNotices({
    big: big.map(({ path }) => path),
    repositories: survey.repositories,
    unreadable: [...survey.unreadable, ...unreadable],
  })
  return ok({ baseline: baseline.value, notices: [IN_PLACE, ...notices] })
}

const IN_PLACE =
  'There is no sandbox: the plan works in your own files, every write is there at once, and nothing can be rolled back.'

/** Takes the files of a survey into the store from where they are. */
export async function captureFiles(
  store: PrivateStore,
  root: string,
  survey: Survey,
  signal: AbortSignal,
): Promise<Result<{ readonly rows: readonly IndexRow[]; readonly unreadable: readonly Buffer[] }>> {
  const unreadable: Buffer[] = []
  const imported = await importFiles(store, readFiles(Buffer.from(root), survey, unreadable, signal), signal)
  if (!imported.ok) return imported
  return ok({ rows: imported.value.map(({ file, object }) => ({ ...file, object })), unreadable })
}

interface ReadFile extends FileToImport {
  readonly stat: BigIntStats | null
}

const FILES_BETWEEN_PAUSES = 100
const MAX_IN_MEMORY = 1024 * 1024

async function* readFiles(
  root: Buffer,
  survey: Survey,
  unreadable: Buffer[],
  signal: AbortSignal,
): AsyncGenerator<ReadFile> {
  let seen = 0
  for (const entry of survey.entries) {
    signal.throwIfAborted()
    try {
      const found = read(root, entry)
      if (found !== null) yield found
    } catch (error) {
      if (!isForbidden(error)) throw error
      unreadable.push(entry.path)
    }
    if (++seen % FILES_BETWEEN_PAUSES === 0) await setImmediate()
  }
}

/** Null where there is neither a file nor a link any more. */
function read(root: Buffer, { path, stat: seen }: FoundEntry): ReadFile | null {
  const file = under(root, path)
  using opened = openEntry(file)
  if (opened === null) return null
  const { mode } = opened
  if (opened.kind === 'link')
    return { path, mode, content: opened.target, stat: seen.isSymbolicLink() ? seen : null }
  const before = fstatSync(opened.file, { bigint: true })
  // What is read later, in pieces, may change meanwhile: git looks at it once more.
  if (before.size > MAX_IN_MEMORY)
    return { path, mode, content: { file, size: Number(before.size) }, stat: null }
  const content = readFileSync(opened.file)
  const after = fstatSync(opened.file, { bigint: true })
  const isSteady = before.size === after.size && before.mtimeNs === after.mtimeNs
  return { path, mode, content, stat: isSteady ? before : null }
}
