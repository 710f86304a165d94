import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  TerminalDriver,
  type TerminalInput,
  type TerminalOutput,
} from '../../../components/terminal/driver.ts'
import type { InputEvent } from '../../../components/terminal/input-event.ts'

/** A driver over streams that can be made slow or broken. */
function openDriver() {
  const writes: string[] = []
  const events: InputEvent[] = []
  const rawModes: boolean[] = []
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => rawModes.push(isRaw),
    resume() {},
    pause() {},
  })
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 10,
    rows: 2,
    writableNeedDrain: false,
    write: (data: string) => writes.push(data),
  })
  let goneCount = 0
  const driver = new TerminalDriver({
    // The driver uses exactly these members of its streams.
    stdin: stdin as unknown as TerminalInput,
    stdout: stdout as unknown as TerminalOutput,
    onInput: event => events.push(event),
    onGone: () => goneCount++,
  })
  driver.open()
  return {
    driver,
    stdin,
    stdout,
    events,
    rawModes,
    goneCount: () => goneCount,
    /** A frame from Ink, and the microtask in which it is painted. */
    async draw(...lines: string[]) {
      driver.frames.write(lines.join('\n'))
      await Promise.resolve()
    },
    takeWrites: () => writes.splice(0),
  }
}

describe('the driver', () => {
  test('is in raw mode before it has anything to draw', () => {
    const { rawModes, takeWrites } = openDriver()
    expect(rawModes).toEqual([true])
    expect(takeWrites()).toEqual(['\u001b[?2004h'])
  })

  test('enters the alternate screen together with the first frame', async () => {
    const { draw, takeWrites } = openDriver()
    takeWrites()
    await draw('one', 'two')
    const [first, ...rest] = takeWrites()
    expect(rest).toEqual([])
    expect(first).toMatch(/^.\[\?1049h.*one.*two/s)
  })

  test('leaves the alternate screen only if it was entered', () => {
    const { driver, takeWrites } = openDriver()
    driver.close()
    expect(takeWrites().join('')).not.toContain('1049')
  })

  test('drops a frame that was made for another size', async () => {
    const { draw, takeWrites } = openDriver()
    await draw('one', 'two')
    takeWrites()
    await draw('one', 'two', 'three')
    await draw('one')
    expect(takeWrites()).toEqual([])
  })

  test('sends only the newest frame when a slow terminal has taken the last one', async () => {
    const { draw, stdout, takeWrites } = openDriver()
    await draw('one', 'two')
    takeWrites()
    stdout.writableNeedDrain = true
    await draw('1', 'two')
    await draw('2', 'two')
    await draw('3', 'two')
    expect(takeWrites()).toEqual([])
    stdout.writableNeedDrain = false
    stdout.emit('drain')
    expect(takeWrites()).toEqual(['\u001b[?2026h\u001b[1;1H3\u001b[0m\u001b[K\u001b[?2026l'])
    await draw('3', 'two')
    expect(takeWrites()).toEqual([])
  })

  test('moves the cursor together with the frame it belongs to', async () => {
    const { draw, driver, takeWrites } = openDriver()
    await draw('one', 'two')
    takeWrites()
    driver.frames.write('ones\ntwo')
    driver.setCursor({ row: 0, column: 4 })
    await Promise.resolve()
    expect(takeWrites()).toEqual(['\u001b[?2026h\u001b[1;4Hs\u001b[1;5H\u001b[?25h\u001b[?2026l'])
    driver.setCursor(undefined)
    await Promise.resolve()
    expect(takeWrites()).toEqual(['\u001b[?2026h\u001b[?25l\u001b[?2026l'])
  })

  test('sends sequences of its own accord only while it has the screen', async () => {
    const { draw, driver, takeWrites } = openDriver()
    takeWrites()
    driver.sendSequence('\u0007')
    await draw('one', 'two')
    takeWrites()
    driver.sendSequence('\u0007')
    driver.leave()
    takeWrites()
    driver.sendSequence('\u0007')
    expect(takeWrites()).toEqual([])
  })

  test('keeps what is drawn while another program has the terminal, and shows it afterwards', async () => {
    const { draw, driver, rawModes, takeWrites } = openDriver()
    await draw('one', 'two')
    driver.leave()
    takeWrites()
    await draw('new', 'two')
    expect(takeWrites()).toEqual([])
    driver.comeBack()
    await Promise.resolve()
    expect(takeWrites().join('')).toMatch(/1049h.*new.*two/s)
    expect(rawModes).toEqual([true, false, true])
  })

  test.each(['end', 'error'])(
    'says that the terminal is gone when its input has an %s, once',
    async event => {
      const { draw, stdin, stdout, driver, goneCount, takeWrites } = openDriver()
      await draw('one', 'two')
      stdin.emit(event, new Error('EIO'))
      stdout.emit('error', new Error('EPIPE'))
      driver.close()
      expect(goneCount()).toBe(1)
      takeWrites()
      await draw('more', 'two')
      expect(takeWrites()).toEqual([])
    },
  )
})
