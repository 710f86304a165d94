import { createDispatcher } from '../../src/a2a/server/dispatcher.ts'
import { redirectConsole } from '../../src/a2a/server/redirect-console.ts'
import { serveStdio } from '../../src/a2a/server/stdio.ts'
import { scriptedBackend } from './scripted-backend.ts'

/**
 * A program that serves a scripted backend over its standard streams: what `agents serve --stdio` is, without a store.
 * Its argument is how many events the log has at the start.
 */
redirectConsole(process.stderr)
const backend = scriptedBackend()
backend.charge(Number(process.argv[2] ?? 0))
const dispatcher = createDispatcher({
  backend,
  here: { pid: process.pid, startedAt: new Date().toISOString() },
  user: 'ada',
  version: '0.0.1',
  log: message => process.stderr.write(`${message}\n`),
})
await serveStdio({ dispatcher, input: process.stdin, output: process.stdout })
