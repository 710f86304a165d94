/**
 * Apply as a transaction over the user's files. What will be done is staged and written down first (`prepare.ts`), then
 * each path is compared and swapped (`go-forward.ts`); from the journal alone another process can bring it to its end or
 * take it back (`go-back.ts`). Nothing here knows git beyond the names of contents. Begin with this file.
 */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { bytesOfRelPath, parseRelPath, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { flushFolder, writeDurably } from './durable.ts'

/** What an apply is about to do. Once it is on the disk the apply happens, whatever becomes of its process. */
export interface ApplyJournal extends z.output<typeof journalSchema> {}

export type Operation = ApplyJournal['operations'][number]

const relPath = z.string().transform((text, context): RelPath => {
  const parsed = parseRelPath(text)
  if (parsed.ok) return parsed.value
  context.addIssue(parsed.failure.message)
  return z.NEVER
})

// Trees and states were written by this program and are checked by git whenever they are used.
const state = z.string().transform(text => text as SandboxState)
const mode = z.enum(['100644', '100755', '120000'])

const operationSchema = z.object({
  path: relPath,
  /** What is replaced, as it was when it was looked at; null: nothing is there. */
  old: z.object({ mode, object: z.string(), stamp: z.string() }).nullable(),
  /** Null: the path is removed. */
  new: z.object({ mode, object: z.string() }).nullable(),
  /** The hidden folder of the project in which the contents wait; null: they wait in the plan's folder. */
  waitsIn: relPath.nullable(),
  /** Set where a file gets a new name: the operation that makes it. */
  movedTo: z.number().nullable(),
})

const journalSchema = z.object({
  version: z.literal(1),
  startedAt: z.string(),
  root: z.string(),
  from: state,
  to: state,
  trees: z.object({ base: z.string(), plan: z.string(), user: z.string() }),
  operations: z.array(operationSchema).readonly(),
  /** Outermost first. */
  madeFolders: z.array(relPath).readonly(),
  /** Folders that may go with their last file, and what they must be like if they come back. */
  emptiedFolders: z.array(z.object({ path: relPath, permissions: z.number() })).readonly(),
  notices: z.array(z.string()).readonly(),
})

/** The point of no return: before it nothing is changed, after it everything that is needed is on the disk. */
export async function writeJournal(folder: PlanFolder, journal: ApplyJournal): Promise<void> {
  await writeDurably(journalFile(folder), JSON.stringify(journal))
}

export async function readJournal(folder: PlanFolder): Promise<ApplyJournal | null> {
  const text = await readOrNull(journalFile(folder))
  return text === null ? null : journalSchema.parse(JSON.parse(text))
}

export function hasJournal(folder: PlanFolder): boolean {
  return existsSync(journalFile(folder))
}

/** The end of the transaction; what is swept after it is rubbish. */
export async function closeJournal(folder: PlanFolder): Promise<void> {
  await rm(journalFile(folder))
  await flushFolder(Buffer.from(folder.apply))
}

/** What was written when the undo began; null while none has. */
export async function readUndo(folder: PlanFolder): Promise<readonly RelPath[] | null> {
  const text = await readOrNull(undoFile(folder))
  return text === null ? null : z.array(relPath).parse(JSON.parse(text))
}

export async function writeUndo(folder: PlanFolder, written: readonly RelPath[]): Promise<void> {
  await writeDurably(undoFile(folder), JSON.stringify(written))
}

function journalFile(folder: PlanFolder): string {
  return join(folder.apply, 'journal.json')
}

export function undoFile(folder: PlanFolder): string {
  return join(folder.apply, 'undo.json')
}

async function readOrNull(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

export function bytesOf(path: RelPath): Buffer {
  return Buffer.from(bytesOfRelPath(path))
}
