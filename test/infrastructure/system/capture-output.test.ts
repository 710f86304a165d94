import { array, assert, nat, property, uint8Array } from 'fast-check'
import { expect, it } from 'vitest'
import { captureOutput } from '../../../src/infrastructure/system/capture-output.ts'

it('keeps everything that fits and otherwise the beginning and the end, however it arrives', () => {
  assert(
    property(array(uint8Array({ maxLength: 40 })), nat(60), nat(60), (chunks, head, tail) => {
      const ascii = chunks.map(chunk => Buffer.from(chunk.map(byte => 97 + (byte % 26))))
      const capture = captureOutput(head, tail)
      for (const chunk of ascii) capture.add(chunk)
      const all = Buffer.concat(ascii).toString()
      const omittedBytes = Math.max(0, all.length - head - tail)
      expect(capture.end()).toEqual(
        omittedBytes === 0
          ? { head: all, tail: '', bytes: all.length, omittedBytes }
          : {
              head: all.slice(0, head),
              tail: tail === 0 ? '' : all.slice(-tail),
              bytes: all.length,
              omittedBytes,
            },
      )
    }),
  )
})

it('cuts between characters, not inside of them', () => {
  const capture = captureOutput(5, 5)
  capture.add(Buffer.from('ééééééé'))
  expect(capture.end()).toMatchObject({ head: 'éé', tail: 'éé' })
})
