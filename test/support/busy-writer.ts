import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Starts a program that creates, removes, replaces and grows files in a folder until it is stopped. */
export async function startBusyWriter(folder: string): Promise<{ stop(): Promise<void> }> {
  const child = fork(file, [folder], { execArgv: [] })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(stop)
  await once(child, 'message')
  return { stop }
}

const file = fileURLToPath(new URL('fixtures/busy-writer.ts', import.meta.url))
