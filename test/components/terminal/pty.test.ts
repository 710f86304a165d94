import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildFixture } from '../../support/build-fixture.ts'
import { type PtyOptions, type PtyScreen, startInPty } from '../../support/pty.ts'
import { eventually } from '../../support/wait-for.ts'

const ready = 'item 0'

let fixture: Awaited<ReturnType<typeof buildFixture>>
let program = ''

let started: PtyScreen[] = []
let apps: number[] = []

beforeAll(async () => {
  fixture = await buildFixture('board-app.tsx')
  program = `${process.execPath} ${fixture.path}`
})

afterAll(() => fixture.remove())

afterEach(() => {
  for (const screen of started) screen.kill()
  for (const pid of apps) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  started = []
  apps = []
})

function start(options: PtyOptions = {}): PtyScreen {
  return keep(startInPty(process.execPath, [fixture.path], options))
}

/** Under a shell, as people start it; afterwards the shell compares the settings of the terminal. */
async function startUnderShell(args = ''): Promise<{ screen: PtyScreen; pid: number }> {
  const script = `before=$(stty -g); ${program} ${args}; echo "status $?"
    test "$before" = "$(stty -g)" && echo settings are back || echo settings differ
    read _; stty -a | grep -q -- '-isig' && echo still raw || echo cooked again; read _`
  const screen = keep(startInPty('/bin/sh', ['-c', script]))
  await screen.waitForText(ready)
  return { screen, pid: appPid(screen) }
}

function keep(screen: PtyScreen): PtyScreen {
  started.push(screen)
  return screen
}

function appPid(screen: PtyScreen): number {
  const pid = Number(/pid (\d+)/.exec(screen.text())?.[1])
  apps.push(pid)
  return pid
}

/** A zombie is dead: who started it may be gone, and not every container's first process buries orphans. */
function isAlive(pid: number): boolean {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,stat='], { encoding: 'utf8' }).split('\n')
  return rows.some(row => Number(row.trim().split(/\s+/)[0]) === pid && !row.includes('Z'))
}

function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  const rows = list
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/))
  return rows.filter(row => Number(row[1]) === pid && row[2] === 'sh').map(row => Number(row[0]))
}

async function watchdogOf(pid: number): Promise<number> {
  return eventually(() => {
    const [watchdog] = childrenOf(pid)
    if (watchdog === undefined) throw new Error('There is no watchdog yet')
    return watchdog
  })
}

const withoutPid = (lines: string[]) => lines.map(line => line.replace(/pid \d+ */, ''))

describe('a screen in a real terminal', () => {
  test('takes keys, leaves, and the terminal is as it was', async () => {
    const { screen } = await startUnderShell()
    expect(screen.isAlternate()).toBe(true)
    screen.send('jj')
    await screen.waitForText('item 2')
    screen.send('q')
    await screen.waitForText(/settings/)
    expect(screen.isAlternate()).toBe(false)
    expect(screen.text().trim().split('\n')).toEqual(['ended: closed', 'status 0', 'settings are back'])
    expect(screen.output()).toMatch(/\?25h.*\?1049l.*ended/s)
  })

  test('keeps keys that were typed before its first frame and never shows them', async () => {
    const early = start()
    early.send('jjj')
    await early.waitForText('item 3')
    const later = start()
    await later.waitForText(ready)
    later.send('jjj')
    await later.waitForText('item 3')
    expect(withoutPid(early.lines())).toEqual(withoutPid(later.lines()))
  })

  test('handles two hundred keys in one write', async () => {
    const screen = start()
    await screen.waitForText(ready)
    screen.send('j'.repeat(150) + 'k'.repeat(50))
    await screen.waitForText('item 100')
  })

  test('takes a large paste as one event', async () => {
    const screen = start()
    await screen.waitForText(ready)
    screen.send(`\u001b[200~${'q line\r'.repeat(5000)}\u001b[201~`)
    await screen.waitForText('pasted 35000')
  })

  test('shows after a storm of resizes what a fresh start shows', async () => {
    const screen = start({ columns: 80, rows: 24 })
    await screen.waitForText(ready)
    for (let step = 0; step < 30; step++) screen.resize(50 + ((step * 37) % 90), 10 + ((step * 13) % 30))
    screen.resize(97, 31)
    await screen.waitForText('97x31')
    const fresh = start({ columns: 97, rows: 31 })
    await fresh.waitForText(ready)
    expect(withoutPid(screen.lines())).toEqual(withoutPid(fresh.lines()))
  })

  test('never clears the screen while it is updated steadily', async () => {
    const screen = start()
    await screen.waitForText(ready)
    const before = screen.output().length
    screen.send('t')
    await screen.waitForText('ticks 60')
    const written = screen.output().slice(before)
    expect(written).not.toMatch(/\[[0-3]?J/)
    expect(written.replace(/.\[\?2026h.*?\[\?2026l/gs, '')).toBe('')
  })

  test('writes nothing while nothing happens', async () => {
    const screen = start()
    await screen.waitForText(ready)
    await watchdogOf(screen.pid)
    // What it still had to write on a slow machine ends; what is written again and again would not.
    await eventually(async () => {
      const before = screen.byteCount()
      await setTimeout(800)
      expect(screen.byteCount()).toBe(before)
    })
  })

  test('keeps what the program prints away from the window', async () => {
    const screen = start()
    await screen.waitForText(ready)
    const lines = screen.lines()
    screen.send('p')
    await screen.waitForText('captured 3')
    expect(screen.lines().map(line => line.replace(/captured 3 */, ''))).toEqual(withoutPid(lines))
  })
})

describe('every way out puts the terminal back', () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const)('%s', async signal => {
    const { screen, pid } = await startUnderShell()
    process.kill(pid, signal)
    await screen.waitForText('settings are back')
    expect(screen.isAlternate()).toBe(false)
    expect(screen.text()).toContain('ended: signal')
  })

  test('a polite kill of a program that does not end by itself', async () => {
    const { screen, pid } = await startUnderShell('--stay')
    process.kill(pid, 'SIGTERM')
    await screen.waitForText('settings are back')
    expect(screen.text()).toContain('status 143')
  })

  test('an error nobody catches', async () => {
    const { screen } = await startUnderShell('--stay')
    screen.send('T')
    await screen.waitForText('settings are back')
    expect(screen.isAlternate()).toBe(false)
    expect(screen.text()).toContain('Error: thrown outside')
    expect(screen.text()).toContain('status 1')
  })

  test('an error while drawing', async () => {
    const { screen } = await startUnderShell()
    screen.send('E')
    await screen.waitForText('settings are back')
    expect(screen.isAlternate()).toBe(false)
    expect(screen.text()).toContain('ended: error Error: The board is broken')
  })

  test('a hard kill, by the watchdog, which then ends too', async () => {
    const { screen, pid } = await startUnderShell()
    const watchdog = await watchdogOf(pid)
    process.kill(pid, 'SIGKILL')
    await screen.waitFor('the normal screen', () => !screen.isAlternate())
    await eventually(() => expect(isAlive(watchdog)).toBe(false))
    // The shell may have printed its line before the watchdog came; what counts is how the terminal is afterwards.
    screen.send('\n')
    await screen.waitForText('cooked again')
    expect(screen.output()).toMatch(/\?1000l.*\?2004l.*\?25h.*\?1049l/)
  })

  test('the watchdog ends with the screen and does nothing then', async () => {
    const { screen, pid } = await startUnderShell()
    const watchdog = await watchdogOf(pid)
    screen.send('q')
    await screen.waitForText('settings are back')
    await eventually(() => expect(isAlive(watchdog)).toBe(false))
    expect(screen.output().match(/\?1049l/g)).toHaveLength(1)
  })

  test('a closed window', async () => {
    const screen = start()
    await screen.waitForText(ready)
    const pid = appPid(screen)
    screen.hangUp()
    await eventually(() => expect(isAlive(pid)).toBe(false))
  })
})

describe('stopping and going on', () => {
  async function startInJobShell(): Promise<{ screen: PtyScreen; pid: number }> {
    const screen = keep(startInPty('bash', ['--norc', '--noprofile', '-i'], { env: { PS1: 'prompt> ' } }))
    await screen.waitForText('prompt>')
    screen.send(`${program}\r`)
    await screen.waitForText(ready)
    return { screen, pid: appPid(screen) }
  }

  async function continueWithFg(screen: PtyScreen): Promise<void> {
    await screen.waitFor('the shell', () => !screen.isAlternate() && screen.text().includes('Stopped'))
    screen.send('fg\r')
    await screen.waitFor('the screen again', () => screen.isAlternate() && screen.text().includes('item 0'))
    screen.send('j')
    await screen.waitForText('item 1')
  }

  test('the suspend key gives the terminal to the shell, and fg brings the screen back', async () => {
    const { screen } = await startInJobShell()
    screen.send('z')
    await continueWithFg(screen)
  })

  test('the stop signal from outside does the same', async () => {
    const { screen, pid } = await startInJobShell()
    process.kill(pid, 'SIGTSTP')
    await continueWithFg(screen)
  })

  test('after a stop that cannot be seen coming the screen is drawn again', async () => {
    const { screen, pid } = await startInJobShell()
    process.kill(pid, 'SIGSTOP')
    await screen.waitForText('Stopped')
    screen.send('fg\r')
    await screen.waitFor('the screen again', () => screen.isAlternate() && !screen.text().includes('Stopped'))
    screen.send('j')
    await screen.waitForText('item 1')
  })
})

const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasTmux)('inside tmux it looks the same, up to the last column, also after a resize', async () => {
  const socket = `board-${process.pid}`
  const tmux = (...args: string[]) => execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' })
  const session = ['-L', socket, '-f', '/dev/null', 'new-session', program, ';', 'set', 'status', 'off']
  const screen = keep(startInPty('tmux', session, { columns: 100, rows: 30 }))
  try {
    await screen.waitForText('100x30')
    screen.send('jjjj')
    await screen.waitForText('item 4')
    screen.resize(83, 27)
    await screen.waitForText('83x27')
    const fresh = start({ columns: 83, rows: 27 })
    await fresh.waitForText(ready)
    fresh.send('jjjj')
    await fresh.waitForText('item 4')
    await screen.waitFor('item 4 in tmux', () => screen.text().includes('item 4'))
    const captured = tmux('capture-pane', '-p').split('\n').slice(0, 27)
    expect(withoutPid(captured)).toEqual(withoutPid(fresh.lines().map(line => line.trimEnd())))
  } finally {
    tmux('kill-server')
  }
})
