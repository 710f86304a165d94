import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { bytesOfRelPath, parseRelPath, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import { writePatch } from './changes.ts'
import { writeObject } from './loose-objects.ts'
import { type Hunk, type PatchSection, parsePatch, sameHunk, withHunks } from './patch-sections.ts'
import type { PrivateStore } from './private-store.ts'
import { treeWith } from './select-paths.ts'
import { diffTrees, type TreeChange, type TreeEntry } from './tree-diff.ts'

/**
 * The tree that has `from` everywhere but what a patch takes from the differences to `to`. The patch is only read as a
 * choice: each of its hunks has to be one of the plan's own and goes to the very lines it is of, so that nothing is
 * searched for and nothing lands in a place that looks alike.
 */
export async function selectHunks(
  store: PrivateStore,
  { from, to, patch }: { from: string; to: string; patch: Uint8Array },
): Promise<Result<string>> {
  const own = await writePatch(store, from, to)
  if (!own.ok) return own
  const chosen = chooseFrom(parsePatch(own.value).sections ?? [], patch)
  if (!chosen.ok) return chosen
  const changes = await diffTrees(store, from, to)
  if (!changes.ok) return changes
  const entries: TreeChange[] = []
  for (const choice of chosen.value) {
    const made = await entriesOf(store, choice, changes.value)
    if (!made.ok) return made
    entries.push(...made.value)
  }
  // What goes makes room for what comes.
  entries.sort((one, other) => Number(one.new !== null) - Number(other.new !== null))
  return treeWith(store, from, entries)
}

interface Choice {
  readonly section: PatchSection
  readonly header: ReadonlySet<string>
  readonly hunks: ReadonlySet<Hunk>
  readonly isBinaryChosen: boolean
}

function chooseFrom(own: readonly PatchSection[], patch: Uint8Array): Result<Choice[]> {
  const asked = parsePatch(patch)
  if (asked.sections === null) return refuseStrange(asked.strange)
  if (asked.sections.length === 0)
    return refuse('invalid_input', 'The patch holds no hunk; nothing is chosen.')
  const known = new Map(own.map(section => [section.key, section]))
  const choices: Choice[] = []
  for (const wanted of asked.sections) {
    const section = known.get(wanted.key)
    if (!section) return refuseStrange(nameOf(wanted))
    const strange = strangePart(section, wanted)
    if (strange !== null) return refuseStrange(`${nameOf(wanted)}: ${strange}`)
    choices.push({
      section,
      header: new Set(wanted.header),
      hunks: new Set(wanted.hunks.flatMap(hunk => section.hunks.find(each => sameHunk(each, hunk)) ?? [])),
      isBinaryChosen: wanted.binary !== null,
    })
  }
  return ok(choices)
}

/** The first thing in it that the plan's own patch of that file does not have; null when there is none. */
function strangePart(section: PatchSection, wanted: PatchSection): string | null {
  const line = wanted.header.find(each => !isDerived(each) && !section.header.includes(each))
  if (line !== undefined) return line
  if (wanted.binary !== null && wanted.binary !== section.binary) return 'a binary change of its own'
  const hunk = wanted.hunks.find(each => !section.hunks.some(known => sameHunk(known, each)))
  if (hunk) return `the hunk at line ${hunk.oldStart}`
  const missing = section.header.find(each => isNeeded(each) && !wanted.header.includes(each))
  if (missing !== undefined) return `without "${missing}"`
  const isWhole = wanted.hunks.length === section.hunks.length && wanted.binary === section.binary
  return /\nkept$/.test(section.key) || isWhole ? null : 'only a part of a file that comes or goes'
}

/** These follow from what is chosen, and differ when not all is. */
function isDerived(line: string): boolean {
  return /^(index|similarity index|dissimilarity index|---|\+\+\+) /.test(line)
}

function isNeeded(line: string): boolean {
  return /^(rename (from|to)|new file mode|deleted file mode) /.test(line)
}

function nameOf({ key }: PatchSection): string {
  return Buffer.from(key.split('\n')[0] ?? '', 'latin1').toString()
}

function refuseStrange(what: string) {
  return refuse(
    'invalid_input',
    `The patch holds something that is not a hunk of the plan's changes, so nothing was applied: ${what}. Take hunks out of the patch that agents plan diff prints, and leave each as it is.`,
    { what },
  )
}

/** What becomes of the file, or the two names, of a section. */
async function entriesOf(
  store: PrivateStore,
  choice: Choice,
  changes: readonly TreeChange[],
): Promise<Result<TreeChange[]>> {
  const names = namesOf(choice.section)
  if (!names.ok) return names
  const [oldPath, newPath] = names.value.map(name => Buffer.from(bytesOfRelPath(name)))
  const [before, after] = [oldPath, newPath].map(path => changes.find(change => path?.equals(change.path)))
  if (!oldPath || !newPath || !before || !after) throw new Error(`no change for ${choice.section.key}`)
  const moved = oldPath.equals(newPath) ? [] : [{ path: oldPath, old: before.old, new: null }]
  if (choice.section.key.endsWith('\ndeleted')) return ok([{ path: oldPath, old: before.old, new: null }])
  if (choice.section.key.endsWith('\nnew')) return ok([{ path: newPath, old: null, new: after.new }])
  if (!before.old || !after.new) throw new Error(`no content for ${choice.section.key}`)
  const entry = await entryOf(store, choice, { old: before.old, new: after.new })
  return entry.ok ? ok([...moved, { path: newPath, old: after.old, new: entry.value }]) : entry
}

async function entryOf(
  store: PrivateStore,
  { section, header, hunks, isBinaryChosen }: Choice,
  entries: { readonly old: TreeEntry; readonly new: TreeEntry },
): Promise<Result<TreeEntry>> {
  const takesMode = [...header].some(line => line.startsWith('new mode '))
  const mode = takesMode ? entries.new.mode : entries.old.mode
  const isWhole = section.binary === null ? hunks.size === section.hunks.length : isBinaryChosen
  if (isWhole) return ok({ mode, object: entries.new.object })
  if (hunks.size === 0) return ok({ mode, object: entries.old.object })
  const content = await store.run({ args: ['cat-file', 'blob', entries.old.object] })
  if (!content.ok) return content
  const edited = withHunks(content.value, [...hunks])
  const object = writeObject(store.folder.store, { type: 'blob', content: edited }, entries.old.object.length)
  return ok({ mode, object })
}

/** The old and the new name. Where they are one, the first line has it twice and nothing in it tells where it ends. */
function namesOf({ key, header }: PatchSection): Result<[RelPath, RelPath]> {
  const named = (word: string) => header.find(line => line.startsWith(word))?.slice(word.length)
  const [from, to] = [named('rename from '), named('rename to ')]
  const both = (key.split('\n')[0] ?? '').slice('diff --git '.length)
  const once = both.slice(0, (both.length - 1) / 2)
  const alone = once.startsWith('"') ? `"${once.slice('"a/'.length)}` : once.slice('a/'.length)
  const oldPath = parseRelPath(from ?? alone)
  if (!oldPath.ok) return oldPath
  const newPath = parseRelPath(to ?? alone)
  return newPath.ok ? ok([oldPath.value, newPath.value]) : newPath
}
