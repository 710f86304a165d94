import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ApplyRequest, SandboxState } from '../../domain/sandbox/strategy.ts'

/** What is being applied over several resources, written down first, so that a cut can be settled afterwards. */
export interface GroupRecord {
  readonly startedAt: string
  readonly request: ApplyRequest
  /** What was done to the files once they are done, and how far they are with it; null before. */
  readonly files: { readonly written: readonly RelPath[]; readonly state: SandboxState } | null
  /**
   * Where an undo leads, by the resource of each database whose commit was begun: the state of before, with what the
   * user had already as the plan wanted it.
   */
  readonly undoTo: Readonly<Record<string, SandboxState>>
}

// Paths and states were checked when the request was made.
const state = z.string().transform(text => text as SandboxState)
const path = z.string().transform(text => text as RelPath)

const recordSchema = z.object({
  startedAt: z.string(),
  from: state,
  to: state,
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('paths'), only: z.array(path) }),
    z.object({ kind: z.literal('hunks'), patch: z.base64().transform(text => Buffer.from(text, 'base64')) }),
  ]),
  files: z.object({ written: z.array(path).readonly(), state }).nullable(),
  undoTo: z.record(z.string(), state),
})

export async function writeGroupRecord(file: string, record: GroupRecord): Promise<void> {
  const { request, ...more } = record
  const { choice } = request
  const written =
    choice.kind === 'hunks' ? { ...choice, patch: Buffer.from(choice.patch).toString('base64') } : choice
  const text = JSON.stringify({ ...more, from: request.from, to: request.to, choice: written })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, text, { flush: true })
  await rename(`${file}.new`, file)
}

export async function readGroupRecord(file: string): Promise<GroupRecord | null> {
  if (!existsSync(file)) return null
  const { from, to, choice, ...more } = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return { ...more, request: { from, to, choice } }
}

export async function removeGroupRecord(file: string): Promise<void> {
  await rm(file, { force: true })
}
