import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import type { ObjectChange } from './row-changes.ts'

/**
 * What is remembered of a transaction outside of it: which process holds it, and what each of its states changed, so
 * that it can still be read when the transaction has ended.
 */
export interface TransactionRecord {
  readonly version: 1
  readonly holder: { readonly pid: number; readonly startedAt: string }
  /** Something was changed in it; before that, nothing is lost with it. */
  readonly isTouched: boolean
  /** Set before the commit: whoever finds it looks whether the commit happened. */
  readonly committing: SandboxState | null
  readonly isCommitted: boolean
}

const recordSchema = z.object({
  version: z.literal(1),
  holder: z.object({ pid: z.number(), startedAt: z.string() }),
  isTouched: z.boolean(),
  committing: z
    .string()
    .transform(state => state as SandboxState)
    .nullable(),
  isCommitted: z.boolean(),
})

export interface TransactionStates {
  read(): Promise<TransactionRecord | null>
  write(record: TransactionRecord): Promise<void>
  put(state: SandboxState, changes: readonly ObjectChange[]): Promise<void>
  /** Also of a transaction before this one, which cannot be gone back to. */
  get(state: SandboxState): Promise<readonly ObjectChange[] | null>
  forget(states: readonly SandboxState[]): Promise<void>
}

export function transactionStatesIn(folder: string, earlier: readonly string[] = []): TransactionStates {
  const recordFile = join(folder, 'transaction.json')
  const fileOf = (state: SandboxState) => fileIn(folder, state)
  return {
    read: async () =>
      existsSync(recordFile) ? recordSchema.parse(JSON.parse(await readFile(recordFile, 'utf8'))) : null,
    write: async record => {
      await mkdir(folder, { recursive: true })
      await writeFile(`${recordFile}.new`, JSON.stringify(record), { flush: true })
      await rename(`${recordFile}.new`, recordFile)
    },
    put: async (state, changes) => {
      await mkdir(join(folder, 'states'), { recursive: true })
      await writeFile(fileOf(state), JSON.stringify(changes, toJson))
    },
    get: async state => {
      if (!/^t[0-9a-f-]+$/.test(state)) return null
      const file = [folder, ...earlier].map(place => fileIn(place, state)).find(existsSync)
      if (file === undefined) return null
      // Written above, by this program alone.
      return JSON.parse(await readFile(file, 'utf8'), fromJson) as readonly ObjectChange[]
    },
    forget: async states => {
      for (const state of states) await rm(fileOf(state), { force: true })
    },
  }
}

function fileIn(folder: string, state: SandboxState): string {
  return join(folder, 'states', `${state}.json`)
}

function toJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { integer: String(value) }
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value
}

function fromJson(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('integer' in value && typeof value.integer === 'string') return BigInt(value.integer)
  if ('bytes' in value && typeof value.bytes === 'string')
    return new Uint8Array(Buffer.from(value.bytes, 'hex'))
  return value
}
