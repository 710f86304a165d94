import { writeObject } from '../../src/infrastructure/sandboxes/store/loose-objects.ts'
import type { PrivateStore } from '../../src/infrastructure/sandboxes/store/private-store.ts'
import { type FolderEntry, treeObjectOf } from '../../src/infrastructure/sandboxes/store/tree-object.ts'

export type Files = Readonly<Record<string, { readonly text: string; readonly mode: string }>>

const LENGTH = 40

/** The tree with these files, in the store. A file hides what is said to be below it. */
export function writeTree(store: PrivateStore, all: Files): string {
  const folder = new Map<string, FolderEntry>()
  const below = new Map<string, Files>()
  for (const [path, file] of Object.entries(all)) {
    const [first = '', ...rest] = path.split('/')
    if (rest.length > 0) below.set(first, { ...below.get(first), [rest.join('/')]: file })
    else folder.set(first, { mode: file.mode, object: write(store, 'blob', Buffer.from(file.text)) })
  }
  for (const [name, inside] of below)
    if (!folder.has(name)) folder.set(name, { mode: '40000', object: writeTree(store, inside) })
  return write(store, 'tree', treeObjectOf(folder))
}

/** What is left of files after some were changed, and those that are null removed. */
export function edited(base: Files, changes: Readonly<Record<string, Files[string] | null>>): Files {
  const next = new Map(Object.entries(base))
  for (const [path, file] of Object.entries(changes)) {
    if (file === null) next.delete(path)
    else next.set(path, file)
  }
  return Object.fromEntries(next)
}

function write(store: PrivateStore, type: 'blob' | 'tree', content: Buffer): string {
  return writeObject(store.folder.store, { type, content }, LENGTH)
}
