import type { Clock } from './clock.ts'

/** Why the screen ended. */
export type ExitReason =
  | { kind: 'closed' }
  | { kind: 'signal'; signal: NodeJS.Signals }
  | { kind: 'terminalGone' }
  | { kind: 'error'; error: unknown }

export type WaysOut = {
  /** Stops the program as Ctrl-Z does in a shell, and has the terminal back when it is continued. */
  suspend(): void
  /** The screen ended in an orderly way; the process is on its own again. */
  release(): void
}

const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
const graceMs = 2000
const stopTakesMs = 100

/** Puts the terminal back on every way out of the process that can be seen coming. */
export function watchWaysOut(hooks: {
  process: NodeJS.Process
  clock: Clock
  leave(): void
  comeBack(): void
  close(): void
  onExit(reason: ExitReason): void
}): WaysOut {
  const { process, clock } = hooks

  let hasEnding = false
  // Stays installed: Ink's own listener kills the process as soon as it is alone with a signal.
  const onSignal = (signal: NodeJS.Signals) => {
    if (hasEnding) return endNow(signal)
    hasEnding = true
    hooks.close()
    // Whatever the owner of the process does now, a polite kill ends it.
    setTimeout(endNow, graceMs, signal).unref()
    hooks.onExit({ kind: 'signal', signal })
  }

  const endNow = (signal: NodeJS.Signals) => {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }

  // Only looks on: Node still prints the error and ends the process, now on the normal screen.
  const onCrash = (error: unknown) => {
    hooks.close()
    hooks.onExit({ kind: 'error', error })
  }

  const onStop = () => {
    hooks.leave()
    // Without a listener the signal does what it always does. The whole job stops, or the shell would not notice; where
    // no shell could continue us the kernel ignores it and we simply draw again.
    process.off('SIGTSTP', onStop)
    process.kill(0, 'SIGTSTP')
    clock.after(stopTakesMs, onContinued)
  }

  const onContinued = () => {
    process.off('SIGTSTP', onStop)
    process.on('SIGTSTP', onStop)
    hooks.comeBack()
  }

  for (const name of endingSignals) process.on(name, onSignal)
  process.on('uncaughtExceptionMonitor', onCrash)
  process.on('exit', hooks.close)
  process.on('SIGTSTP', onStop)
  process.on('SIGCONT', onContinued)

  return {
    suspend: onStop,
    release() {
      for (const name of endingSignals) process.off(name, onSignal)
      process.off('uncaughtExceptionMonitor', onCrash)
      process.off('exit', hooks.close)
      process.off('SIGTSTP', onStop)
      process.off('SIGCONT', onContinued)
    },
  }
}
