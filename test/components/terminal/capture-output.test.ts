import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { captureOutput } from '../../../components/terminal/capture-output.ts'
import { createLogRing } from '../../../components/terminal/log-ring.ts'

test('printed text goes to the log as lines until it is released', async () => {
  const reached: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      reached.push(String(chunk))
      done()
    },
  })
  const log = createLogRing()
  const release = captureOutput([stream], log)
  stream.write('half ')
  stream.write(Buffer.from('a line\nanother'))
  await new Promise<void>(resolve => stream.write('\n', () => resolve()))
  release()
  stream.write('visible')
  expect(log.lines()).toEqual(['half a line', 'another'])
  expect(reached).toEqual(['visible'])
})

test('the log keeps its last thousand lines and cuts endless ones', () => {
  const log = createLogRing()
  for (let line = 0; line < 1500; line++) log.add(`${line}\n`)
  log.add('x'.repeat(10_000))
  expect(log.lines()).toHaveLength(1001)
  expect(log.lines()[0]).toBe('500')
  expect(log.lines().at(-1)).toHaveLength(4000)
})
