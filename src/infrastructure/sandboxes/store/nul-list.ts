/** Names on disk are bytes; git lists them ended by NUL. */
export function splitNul(list: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let end = list.indexOf(0); end >= 0; end = list.indexOf(0, start)) {
    parts.push(list.subarray(start, end))
    start = end + 1
  }
  return parts
}

export function joinNul(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts.flatMap(part => [part, NUL]))
}

const NUL = Buffer.from([0])
