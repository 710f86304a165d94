/** The screen as a program: takes the terminal, has the backend started, and draws before that is up. */
import { constants } from 'node:os'
import type { Connect } from '../stores/screen-client.ts'
import type { ColourDepth } from '../themes/compile.ts'
import { detectBackground, detectCharset, detectColourDepth } from '../themes/detect.ts'
import { startDemo } from './actions/demo.ts'
import { createScreen } from './create-screen.ts'
import type { Screen, ScreenHooks } from './screen.ts'
import { systemClock } from './terminal/clock.ts'
import type { InputEvent } from './terminal/input-event.ts'
import { openTerminal } from './terminal/open-terminal.ts'
import { editInOwnEditor } from './terminal/own-editor.ts'
import type { ExitReason } from './terminal/ways-out.ts'

export interface RunScreenOptions {
  /** Starts or reaches the backend. Called at once, and again when the person asks for it after a loss. */
  readonly connect: Connect
  /** Where new plans work. */
  readonly folder: string
  readonly writeNewFile: ScreenHooks['writeNewFile']
  readonly process: NodeJS.Process
  readonly colour: 'auto' | 'never'
  readonly startWith: StartWith
  readonly settings: ScreenSettings
}

/** What a person has set about the screen; `auto` follows the terminal. */
export interface ScreenSettings {
  readonly theme: 'auto' | 'dark' | 'light'
  readonly ascii: boolean
  readonly rowMemo: boolean
}

export type StartWith =
  | { readonly kind: 'home' }
  | { readonly kind: 'plan'; readonly planId: string }
  /** Makes the demo repository and starts a plan on it. */
  | { readonly kind: 'demo' }

/** Resolves with the exit code when the person has left and the terminal is as it was. */
export async function runScreen(options: RunScreenOptions): Promise<number> {
  const { process, settings, startWith } = options
  const { env } = process
  const early: InputEvent[] = []
  let onInput = (event: InputEvent): void => void early.push(event)
  let afterwards: 'ends' | 'goesOn' = 'ends'
  let onExit = (_reason: ExitReason): void => {}
  const ended = new Promise<ExitReason>(resolve => {
    onExit = resolve
  })
  const session = openTerminal({
    stdin: process.stdin,
    stdout: process.stdout,
    process,
    onInput: event => onInput(event),
    onExit: reason => onExit(reason),
  })
  const { terminal } = session
  const { screen, controller } = createScreen({
    connect: options.connect,
    clock: systemClock,
    hooks: {
      ...terminal,
      edit: text => editInOwnEditor(text, { env, terminal }),
      writeNewFile: options.writeNewFile,
      leave(backend) {
        afterwards = backend
        session.end({ kind: 'closed' })
      },
    },
    folder: options.folder,
    size: terminal.size,
    themeName: settings.theme === 'auto' ? detectBackground(env) : settings.theme,
    charset: settings.ascii ? 'ascii' : detectCharset(env),
    startWith: startWith.kind === 'plan' ? startWith.planId : undefined,
  })
  terminal.onResize(size => screen.store.changeUi(ui => ({ ...ui, size })))
  // The backend's process starts while Ink is loaded; neither waits for the other.
  void start(screen, startWith)
  const depth = detectColourDepth(env, options.colour)
  await draw(screen, session, { depth, rowMemo: settings.rowMemo })
  onInput = controller.dispatch
  for (const event of early) controller.dispatch(event)
  terminal.afterFrame(() => controller.accept())
  const reason = await ended
  controller.stop()
  await screen.store.stop(afterwards)
  if (reason.kind === 'error') throw reason.error
  return exitCodeOf(reason)
}

/** React and Ink load here, after the terminal was taken: what is typed meanwhile is kept and not echoed. */
async function draw(
  screen: Screen,
  session: ReturnType<typeof openTerminal>,
  { depth, rowMemo }: { readonly depth: ColourDepth; readonly rowMemo: boolean },
): Promise<void> {
  const [{ mountScreen }, { App }] = await Promise.all([import('./mount.tsx'), import('./App.tsx')])
  mountScreen(session, <App screen={screen} depth={depth} />, { rowMemo })
}

async function start(screen: Screen, startWith: StartWith): Promise<void> {
  await screen.store.start()
  if (startWith.kind === 'demo' && screen.store.state.getState().connection.kind === 'connected')
    await startDemo(screen)
}

function exitCodeOf(reason: Exclude<ExitReason, { kind: 'error' }>): number {
  return reason.kind === 'signal' ? 128 + (constants.signals[reason.signal] ?? 0) : 0
}
