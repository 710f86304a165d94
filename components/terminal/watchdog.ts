import { spawn } from 'node:child_process'
import { restoreModes } from './modes.ts'

/*
 * Reads until the pipe from the screen closes, which happens however the screen ends. `stty` only where the terminal
 * is still as raw as we left it: a shell that took over meanwhile has its own settings and keeps signals on.
 */
const script = `
exec 3<&1
read -r _
printf '${restoreModes('screenModes').replaceAll('\u001b', '\\033')}'
case "$(stty -a <&3)" in *-isig*) stty sane <&3 ;; esac
`

/** A shell that puts the terminal back if this process is killed hard; the returned function calls it off. */
export function startWatchdog(terminalFd: number): () => void {
  // Its own session: neither the terminal's signals nor a kill of our process group reach it.
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', terminalFd, 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  const { stdin } = child
  if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => {
    // Killed, not told: on the way out there is no later turn in which a message would be sent.
    child.kill('SIGKILL')
  }
}
