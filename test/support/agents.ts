import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { sharedCompileCache } from './compile-cache.ts'
import { keys } from './keys.ts'
import { descendantsOf, isAlive, type ListedProcess } from './processes.ts'
import { type PtyOptions, type PtyScreen, startInPty } from './pty.ts'
import { userEnvironment } from './repository.ts'
import { eventually } from './wait-for.ts'

const binary = resolve('dist/agents.mjs')

export interface Agents {
  readonly dataDir: string
  readonly cwd: string
  readonly env?: Record<string, string>
}

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The built program without a terminal, as a script would start it. */
export function runAgents({ dataDir, cwd, env }: Agents, ...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [binary, '--data-dir', dataDir, ...args], {
    cwd,
    env: { ...userEnvironment(), ...sharedCompileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = collect(child.stdout)
  const err = collect(child.stderr)
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', code => settle({ code, out: out(), err: err() }))
  })
}

/** The built program in a terminal of its own, with what a person does there. It ends with the test. */
export function openAgents(
  { dataDir, cwd, env }: Agents,
  args: readonly string[],
  size: Pick<PtyOptions, 'columns' | 'rows'> = { columns: 120, rows: 40 },
) {
  const screen = startInPty(process.execPath, [binary, '--data-dir', dataDir, ...args], {
    ...size,
    cwd,
    env: { ...userEnvironment(), ...sharedCompileCache, ...env },
  })
  const { pid } = screen
  onTestFinished(() => {
    const below = isAlive(pid) ? descendantsOf(pid) : []
    screen.kill()
    for (const each of below) if (isAlive(each.pid)) process.kill(each.pid, 'SIGKILL')
  })
  return { ...screen, ...hands(screen), backend: () => backendOf(screen.pid) }
}

export type AgentsScreen = ReturnType<typeof openAgents>

/** Between two keys of an answer the product wants the time that fingers need. */
const fingersMs = 120
const PRESS_AGAIN_MS = 10_000

function hands(screen: PtyScreen) {
  const person = {
    /** One key after another. */
    async press(...pressed: readonly string[]): Promise<void> {
      for (const key of pressed) {
        await setTimeout(fingersMs)
        screen.send(key)
      }
    },
    /** The row that the selection stands on, once it says so. */
    waitForSelected: (text: string) =>
      screen.waitFor(`the selection on "${text}"`, () =>
        screen.lines().some(line => /▌/.test(line) && line.lastIndexOf('▌') < line.indexOf(text)),
      ),
    async openGate(question: string): Promise<void> {
      await screen.waitForText(question)
      await person.press('g')
      await screen.waitForText(/Gates \(\d+\)/)
      await person.press(keys.enter)
      await screen.waitForText('A question for you')
    },
    /** Approves the open card, and presses once more where it changed under the fingers: what is new must be read first. */
    async approve(): Promise<void> {
      const shows = (text: string) => screen.text().includes(text)
      const isOpen = () => shows('A question for you')
      const isChosen = () => shows('Press enter to approve')
      while (isOpen()) {
        await screen.waitFor('a card to approve', () => !isOpen() || isChosen() || shows('a approve'))
        if (!isOpen()) return
        const wasChosen = isChosen()
        await person.press(wasChosen ? keys.enter : 'a')
        await screen.waitFor('the key', () => isChosen() !== wasChosen, PRESS_AGAIN_MS).catch(() => {})
      }
    },
  }
  return person
}

/** The process that the screen started to work for it. */
async function backendOf(pid: number): Promise<ListedProcess> {
  return eventually(() => {
    const backend = descendantsOf(pid).find(each => each.command.includes('serve --stdio'))
    if (!backend) throw new Error('The screen has no backend yet')
    return backend
  })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
