import { EventEmitter } from 'node:events'

export type Size = { columns: number; rows: number }

/**
 * What Ink gets as its `stdout`. In debug mode each write is one whole frame as plain lines. It never emits `resize`:
 * Ink would answer with a frame of the old layout at the new size, outside any synchronised update.
 */
export function createFrameStream(size: () => Size, accept: (lines: string[]) => void): NodeJS.WriteStream {
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    write(data: string, encodingOrDone?: unknown, done?: unknown) {
      if (data !== '') accept(data.split('\n'))
      const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done
      if (typeof callback === 'function') callback()
      return true
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => size().columns })
  Object.defineProperty(stream, 'rows', { get: () => size().rows })
  // Ink uses exactly these members of a terminal stream.
  return stream as unknown as NodeJS.WriteStream
}

/** What Ink gets as its `stdin`: silent, because the input parser is the one reader of the keyboard. */
export function createSilentInput(): NodeJS.ReadStream {
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => stream,
    setEncoding: () => stream,
    ref: () => stream,
    unref: () => stream,
    read: () => null,
  })
  // Ink uses exactly these members, and only when a component asks for its input hooks.
  return stream as unknown as NodeJS.ReadStream
}
