import { StringDecoder } from 'node:string_decoder'

/** The beginning and the end of a stream, with the number of bytes that came in all. */
export interface CapturedOutput {
  readonly head: string
  /** Empty when everything fits into the head. */
  readonly tail: string
  readonly bytes: number
  readonly omittedBytes: number
}

export interface OutputCapture {
  add(chunk: Buffer): void
  end(): CapturedOutput
}

/** Keeps memory bounded however much a command prints. */
export function captureOutput(maxHeadBytes = 16 * 1024, maxTailBytes = 48 * 1024): OutputCapture {
  const head: Buffer[] = []
  const tail: Buffer[] = []
  let headBytes = 0
  let tailBytes = 0
  let bytes = 0
  return {
    add: chunk => {
      bytes += chunk.length
      const forHead = chunk.subarray(0, maxHeadBytes - headBytes)
      const forTail = chunk.subarray(forHead.length)
      if (forHead.length > 0) head.push(forHead)
      headBytes += forHead.length
      if (forTail.length === 0) return
      tail.push(forTail)
      tailBytes += forTail.length
      for (let first = tail[0]; first && tailBytes - first.length >= maxTailBytes; first = tail[0]) {
        tailBytes -= first.length
        tail.shift()
      }
    },
    end: () => {
      const kept = Buffer.concat(tail).subarray(Math.max(0, tailBytes - maxTailBytes))
      const omittedBytes = bytes - headBytes - kept.length
      if (omittedBytes === 0)
        return { head: Buffer.concat([...head, kept]).toString(), tail: '', bytes, omittedBytes }
      return { head: wholeCharacters(Buffer.concat(head)), tail: fromCharacter(kept), bytes, omittedBytes }
    },
  }
}

function wholeCharacters(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes)
}

/** Leaves out the rest of a character whose beginning was dropped. */
function fromCharacter(bytes: Buffer): string {
  const start = bytes.subarray(0, 4).findIndex(byte => (byte & 0xc0) !== 0x80)
  return bytes.subarray(Math.max(start, 0)).toString()
}
