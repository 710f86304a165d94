/** A patch in pieces that can be chosen one by one: each file's head, and each of its hunks. */
export interface PatchPiece {
  readonly head: string
  /** Null: the file has no hunks, its head is all there is to choose. */
  readonly hunk: string | null
}

/** Bytes as latin1 text: files have no encoding. */
export function splitPatch(patch: Uint8Array): PatchPiece[] {
  const files = Buffer.from(patch)
    .toString('latin1')
    .split(/^(?=diff --git )/m)
  return files.flatMap((file): PatchPiece[] => {
    const [head = '', ...hunks] = file.split(/^(?=@@ )/m)
    return hunks.length === 0 ? [{ head, hunk: null }] : hunks.map(hunk => ({ head, hunk }))
  })
}

export function joinPatch(pieces: readonly PatchPiece[]): Uint8Array {
  const heads = [...new Set(pieces.map(piece => piece.head))]
  const text = heads.map(head => {
    const own = pieces.filter(piece => piece.head === head)
    return head + own.map(piece => piece.hunk ?? '').join('')
  })
  return Buffer.from(text.join(''), 'latin1')
}
