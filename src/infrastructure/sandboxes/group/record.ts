import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  AppliedReport,
  ApplyRequest,
  ApplyStep,
  ApplyWatch,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import { flushFolder, writeDurably } from '../journal/durable.ts'

/**
 * What is being applied over several resources, written down first, so that a cut can be settled afterwards. It changes
 * only together with the disk: a part that is not noted has not begun, and one that is noted may have ended.
 */
export interface GroupRecord {
  readonly startedAt: string
  readonly request: ApplyRequest
  /** What was done to the files, noted while their own journal can still be taken back; null before. */
  readonly files: AppliedReport | null
  /**
   * Where an undo leads, by the resource of each database whose commit was begun: the state of before, with what the
   * user had already as the plan wanted it.
   */
  readonly undoTo: Readonly<Record<string, SandboxState>>
  /**
   * Set before anything is taken back; from then on there is no other way. The files go back by their own journal when
   * that was not closed, and else by an apply in the other direction, whose journal must not be taken for the first.
   */
  readonly undoing: 'by_journal' | 'by_apply' | null
}

/** Nothing is written yet while only the intent is noted. */
export function isBegun({ files, undoTo, undoing }: GroupRecord): boolean {
  return files !== null || undoing !== null || Object.keys(undoTo).length > 0
}

export interface KeptRecord {
  readonly now: GroupRecord
  change(more: Partial<Omit<GroupRecord, 'request' | 'startedAt'>>): Promise<void>
  /** The end of the apply, or of its undo. */
  end(): Promise<void>
}

/** The record that lies at a place, or will with its first change. */
export function keepRecord(file: string, found: GroupRecord, watch: ApplyWatch): KeptRecord {
  let now = found
  const tell = (did: ApplyStep['did']) => watch.onStep?.({ did, done: 0, total: 0 })
  return {
    get now() {
      return now
    },
    async change(more) {
      now = { ...now, ...more }
      await writeGroupRecord(file, now)
      tell('write_record')
    },
    async end() {
      await removeGroupRecord(file)
      tell('remove_record')
    },
  }
}

// Paths and states were checked when the request was made.
const state = z.string().transform(text => text as SandboxState)
const path = z.string().transform(text => text as RelPath)
const paths = z.array(path).readonly()

const conflictSchema = z.object({
  path,
  kind: z.enum([
    'content',
    'binary',
    'modify_delete',
    'rename',
    'file_directory',
    'foreign',
    'unsafe_parent',
    'too_big',
  ]),
  reason: z.string(),
})

const recordSchema = z.object({
  startedAt: z.string(),
  from: state,
  to: state,
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('paths'), only: paths }),
    z.object({ kind: z.literal('hunks'), patch: z.base64().transform(text => Buffer.from(text, 'base64')) }),
  ]),
  files: z
    .object({
      outcome: z.literal('applied'),
      written: paths,
      unchanged: paths,
      left: z.array(conflictSchema).readonly(),
      notices: z.array(z.string()).readonly(),
      state,
    })
    .nullable(),
  undoTo: z.record(z.string(), state),
  undoing: z.enum(['by_journal', 'by_apply']).nullable(),
})

async function writeGroupRecord(file: string, record: GroupRecord): Promise<void> {
  const { request, ...more } = record
  const { choice } = request
  const written =
    choice.kind === 'hunks' ? { ...choice, patch: Buffer.from(choice.patch).toString('base64') } : choice
  await mkdir(dirname(file), { recursive: true })
  await writeDurably(file, JSON.stringify({ ...more, from: request.from, to: request.to, choice: written }))
}

export async function readGroupRecord(file: string): Promise<GroupRecord | null> {
  if (!existsSync(file)) return null
  const { from, to, choice, ...more } = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return { ...more, request: { from, to, choice } }
}

async function removeGroupRecord(file: string): Promise<void> {
  await rm(file, { force: true })
  await flushFolder(Buffer.from(dirname(file)))
}
