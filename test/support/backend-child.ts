import { readdir, readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { startBackendProcess } from '../../src/a2a/client/backend-process.ts'
import { type Client, createClient } from '../../src/a2a/client/client.ts'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { MethodName, Output, Params } from '../../src/a2a/protocol/methods.ts'
import { sharedCompileCache } from './compile-cache.ts'

export interface BackendChild {
  readonly pid: number
  readonly client: Client
  /** How it ended, once it has. */
  readonly closed: Promise<string>
  call<Name extends MethodName>(method: Name, params: Params<Name>): Promise<Output<Name>>
  /** Every event from the beginning of the store, as they come. */
  follow(onEvent: (event: WireEvent) => void): void
  signal(name: NodeJS.Signals): void
  /** Hangs up, as a screen that ends does. */
  close(): Promise<void>
}

/** The built program as a process of its own on a data folder. It does not outlive the test. */
export function startBackendChild(dataDir: string, env: Record<string, string> = {}): BackendChild {
  const transport = startBackendProcess({
    argv: [process.execPath, 'dist/agents.mjs', '--data-dir', dataDir, 'serve', '--stdio'],
    env: { PATH: process.env['PATH'] ?? '', HOME: dataDir, ...sharedCompileCache, ...env },
  })
  const client = createClient(transport)
  onTestFinished(() => client.close())
  const pid = transport.pid ?? 0
  return {
    pid,
    client,
    closed: client.closed,
    async call(method, params) {
      const answer = await client.call(method, params)
      if (!answer.ok) throw new Error(`${method}: ${answer.failure.message}`)
      return answer.value
    },
    follow: onEvent => void client.subscribe({ afterSeq: 0, onEvent }),
    signal: name => void process.kill(pid, name),
    close: () => client.close(),
  }
}

/** Processes that have to do with a folder: it is named in their arguments, their environment or as their place. */
export async function processesOf(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    const parts = ['cmdline', 'environ'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => ''))
    const [cmdline = '', environ = ''] = await Promise.all(parts)
    if (cmdline !== '' && (cmdline + environ).includes(folder))
      found.push(`${pid} ${cmdline.replaceAll('\0', ' ')}`)
  }
  return found
}
