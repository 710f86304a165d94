import type { DiffView } from '../src/a2a/protocol/views/changes.ts'
import { indexPatch, type PatchIndex } from './patch-index.ts'

const indexes = new WeakMap<DiffView, PatchIndex>()

/** A diff's patch, indexed once. Bytes that are not UTF-8 are shown as well as they can be. */
export function patchOf(diff: DiffView, clean: (line: string) => string): PatchIndex {
  const known = indexes.get(diff)
  if (known) return known
  const index = indexPatch(textOf(diff, clean))
  indexes.set(diff, index)
  return index
}

function textOf({ patch, patch_encoding }: DiffView, clean: (line: string) => string): string {
  if (patch_encoding === 'utf8') return patch
  const text = Buffer.from(patch, 'base64').toString('utf8')
  return text.split('\n').map(clean).join('\n')
}
