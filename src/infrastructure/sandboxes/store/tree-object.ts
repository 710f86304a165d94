/** One folder of a tree: what is in it, by the bytes of its name as latin1 text. */
export type TreeFolder = ReadonlyMap<string, FolderEntry>

export interface FolderEntry {
  /** As git writes it in trees: "100644", "100755", "120000", "40000" for a folder, "160000" for a repository. */
  readonly mode: string
  readonly object: string
}

export const FOLDER_MODE = '40000'

/** The tree without anything, by the length of its name. Git knows these without having them. */
export const EMPTY_TREE: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** "<mode> <name>\0<object as bytes>" for each entry. */
export function parseTreeObject(content: Buffer, idLength: number): Map<string, FolderEntry> {
  const entries = new Map<string, FolderEntry>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, space)
    const next = end + 1 + idLength / 2
    entries.set(content.toString('latin1', space + 1, end), {
      mode: content.toString('latin1', at, space),
      object: content.toString('hex', end + 1, next),
    })
    at = next
  }
  return entries
}

export function treeObjectOf(folder: TreeFolder): Buffer {
  const rows = [...folder].map(([name, entry]) => ({ name, entry, key: sortKey(name, entry) }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  return Buffer.concat(
    rows.flatMap(({ name, entry }) => [
      Buffer.from(`${entry.mode} ${name}\0`, 'latin1'),
      Buffer.from(entry.object, 'hex'),
    ]),
  )
}

// Git sorts a folder as if its name ended in a slash.
function sortKey(name: string, { mode }: FolderEntry): string {
  return mode === FOLDER_MODE ? `${name}/` : name
}
