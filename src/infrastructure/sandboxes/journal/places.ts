import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { parseRelPath, type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import { HIDDEN_PLACE, type PlanFolder } from '../store/plan-folder.ts'
import { parentsOf, under } from '../writes/parents.ts'
import { writeDurably } from './durable.ts'
import { type ApplyJournal, bytesOf, hasJournal, type Operation, undoFile } from './journal.ts'
import { areas } from './mounts.ts'

/** A place is where content waits for its turn, on the file system of the path it is for. */
export interface Places {
  /** New content. */
  staged(operation: Operation): Buffer
  /** What it replaces. */
  backup(operation: Operation): Buffer
  /** What is taken away when an apply is taken back. */
  removed(operation: Operation): Buffer
}

export function placesOf(
  folder: PlanFolder,
  { root, operations }: Pick<ApplyJournal, 'root' | 'operations'>,
): Places {
  const numbers = new Map(operations.map((operation, number) => [operation.path, number]))
  const place = (ending: string) => (operation: Operation) => {
    const name = Buffer.from(`/${numbers.get(operation.path)}.${ending}`)
    return Buffer.concat([holder(folder, root, operation.waitsIn), name])
  }
  return { staged: place('new'), backup: place('old'), removed: place('removed') }
}

function holder(folder: PlanFolder, root: string, waitsIn: RelPath | null): Buffer {
  return waitsIn === null
    ? Buffer.from(join(folder.apply, 'files'))
    : under(Buffer.from(root), bytesOf(waitsIn))
}

/** Where content for a path has to wait: null for the plan's folder, else a hidden folder of the project. */
export function placeChooser(folder: PlanFolder, root: string): (path: Buffer) => RelPath | null {
  const inProject = areas(root)
  const name = hiddenName(folder)
  const home = areas(folder.path)(Buffer.from(name))
  return path => {
    const area = inProject(path)
    if (area === home) return null
    // In the outermost folder of that file system, because that one never has to go.
    const candidates = [
      name,
      ...parentsOf(path).map(parent => Buffer.concat([parent, Buffer.from(`/${name}`)])),
    ]
    const outermost = candidates.map(each => Buffer.from(each)).find(each => inProject(each) === area)
    const parsed = relPathFromBytes(outermost ?? Buffer.from(name))
    if (!parsed.ok) throw new Error(parsed.failure.message)
    return parsed.value
  }
}

function hiddenName(folder: PlanFolder): string {
  return `${HIDDEN_PLACE}${basename(folder.path)}`
}

/** Makes the places. Those in the project are noted first, so that they are found again whatever happens. */
export async function makePlaces(
  folder: PlanFolder,
  root: string,
  hidden: readonly RelPath[],
): Promise<void> {
  await mkdir(join(folder.apply, 'files'), { recursive: true })
  if (hidden.length === 0) return
  await writeDurably(noteFile(folder), JSON.stringify({ root, hidden }))
  for (const path of hidden) await mkdir(holder(folder, root, path), { recursive: true })
}

/** Whether an apply of the plan is under way or left something behind. */
export function mayBeUnfinished(folder: PlanFolder): boolean {
  return existsSync(join(folder.apply, 'files')) || existsSync(noteFile(folder)) || hasJournal(folder)
}

/** Removes every place with what is in it. Only for when no journal is there. */
export async function sweepPlaces(folder: PlanFolder): Promise<void> {
  const text = await readFile(noteFile(folder), 'utf8').catch(() => null)
  if (text !== null) {
    const { root, hidden } = noteSchema.parse(JSON.parse(text))
    for (const path of hidden) await rm(holder(folder, root, path), { recursive: true, force: true })
  }
  for (const each of [join(folder.apply, 'files'), undoFile(folder), noteFile(folder)])
    await rm(each, { recursive: true, force: true })
}

const noteSchema = z.object({
  root: z.string(),
  hidden: z.array(
    z.string().transform((text, context): RelPath => {
      const parsed = parseRelPath(text)
      if (parsed.ok && text.includes(HIDDEN_PLACE)) return parsed.value
      context.addIssue('not a hidden folder of an apply')
      return z.NEVER
    }),
  ),
})

function noteFile(folder: PlanFolder): string {
  return join(folder.apply, 'places.json')
}
