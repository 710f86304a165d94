import type { LogRing } from './log-ring.ts'

type Done = (error?: Error | null) => void

/**
 * One stray line scrolls the window and every absolute row is wrong from then on, so whatever is printed
 * (the console included) goes to the log. The returned function ends that.
 */
export function captureOutput(streams: readonly NodeJS.WritableStream[], log: LogRing): () => void {
  const releases = streams.map(stream => capture(stream, log))
  return () => {
    for (const release of releases) release()
  }
}

function capture(stream: NodeJS.WritableStream, log: LogRing): () => void {
  const original = stream.write
  stream.write = (chunk: Uint8Array | string, encodingOrDone?: BufferEncoding | Done, done?: Done) => {
    log.add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done
    if (callback) queueMicrotask(callback)
    return true
  }
  return () => {
    stream.write = original
  }
}
