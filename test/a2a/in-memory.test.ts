import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import { describeWire } from '../contracts/wire.ts'
import { startBackend } from '../support/backend.ts'
import { makeRepository } from '../support/repository.ts'
import { scriptedBackend } from '../support/scripted-backend.ts'
import { clientInMemory } from '../support/wire-drivers.ts'

describe('in memory, over a scripted backend', () => {
  describeWire(async () => ({ client: clientInMemory(scriptedBackend()), folder: '/project' }))
})

describe('in memory, over a real store and a real repository', () => {
  describeWire(async () => {
    const repository = await makeRepository({ files: { 'a.txt': 'the colour is a colour\n' } })
    return { client: (await startBackend()).client, folder: repository.root }
  })
})

test('ten thousand lines of output arrive whole and joined', async () => {
  const backend = scriptedBackend()
  const client = clientInMemory(backend)
  await client.call('_cleveragents/plan/use', { action_name: 'builtin/replace-text', wait: true })
  const sent = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`)
  backend.say(backend.log[0]?.planId ?? '', sent)

  const output = await outputUntil(backend.log.length, client)

  expect(output.join('')).toBe(sent.join(''))
  expect(output.length).toBeLessThan(100)
})

async function outputUntil(lastSeq: number, client: ReturnType<typeof clientInMemory>): Promise<string[]> {
  const stop = new AbortController()
  const events: WireEvent[] = []
  await client.subscribe({
    afterSeq: 0,
    signal: stop.signal,
    onEvent(event) {
      events.push(event)
      if (event.seq === lastSeq) stop.abort()
    },
  })
  return events.flatMap(each => (each.method === '_cleveragents/step/output' ? [each.text] : []))
}
