import { Console } from 'node:console'
import type { Writable } from 'node:stream'

/**
 * Where standard output is the wire, one stray line would break it, and some packages print as they load. Call this
 * before importing anything else that is not ours.
 */
export function redirectConsole(stderr: Writable): void {
  globalThis.console = new Console(stderr, stderr)
}
