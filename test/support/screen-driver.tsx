import { App } from '../../components/App.tsx'
import { createScreen } from '../../components/create-screen.ts'
import type { InputEvent } from '../../components/terminal/input-event.ts'
import type { Edited } from '../../components/terminal/own-editor.ts'
import type { ColourDepth } from '../../themes/compile.ts'
import { createFakeClock } from './clock.ts'
import type { HeadlessTerminal } from './headless-terminal.ts'
import { mountForTest } from './mount-screen.ts'
import type { ScriptedClient } from './scripted-client.ts'

// Times of day are drawn as the reader's clock shows them; here that is always the same one.
process.env['TZ'] = 'UTC'

export interface DriveOptions {
  columns?: number
  rows?: number
  depth?: ColourDepth
  themeName?: string
  charset?: 'unicode' | 'ascii'
  startWith?: string
  /** What the person makes of a text in their own editor. */
  edit?: (text: string) => Edited
  /** False leaves the backend unreached. */
  start?: boolean
}

/** The whole screen over a scripted backend on a terminal of its own: keys go in as bytes, pictures come out. */
export async function driveScreen(backend: ScriptedClient, options: DriveOptions = {}) {
  const { columns = 120, rows = 40, depth = 'none', charset = 'unicode' } = options
  const clock = createFakeClock()
  const sequences: string[] = []
  const lefts: string[] = []
  const files = new Map<string, string>()
  let afterFrame = (_run: (at: number) => void): void => {}
  const { screen, controller } = createScreen({
    connect: async () => backend.client,
    clock,
    hooks: {
      sendSequence: sequence => sequences.push(sequence),
      repaint: () => lefts.push('repaint'),
      suspend: () => lefts.push('suspend'),
      edit: async text => options.edit?.(text) ?? { kind: 'problem', message: 'Set EDITOR to your editor.' },
      writeNewFile: async (path, text) => {
        if (files.has(path)) return `${path} exists`
        files.set(path, text)
        return null
      },
      afterFrame: run => afterFrame(run),
      leave: backend => lefts.push(`leave, backend ${backend}`),
    },
    folder: '/home/mira/shop-api',
    size: { columns, rows },
    themeName: options.themeName ?? 'dark',
    charset,
    startWith: options.startWith,
  })
  const mounted = await mountForTest(<App screen={screen} depth={depth} />, {
    columns,
    rows,
    clock,
    onInput: (event: InputEvent) => controller.dispatch(event),
  })
  afterFrame = run => mounted.session.terminal.afterFrame(run)
  mounted.session.terminal.onResize(size => screen.store.changeUi(ui => ({ ...ui, size })))
  controller.accept()
  const drive = {
    ...mounted,
    screen,
    controller,
    clock,
    sequences,
    /** What the screen asked the process for. */
    lefts,
    /** What was written for the person, by path. */
    files,
    backend,
    /** Lets time pass and everything settle. */
    async pass(ms: number): Promise<void> {
      await mounted.settle()
      clock.advance(ms)
      await mounted.settle()
    },
    /** The picture with its colours, as `<foreground/background attributes>text`. */
    styled: () => Array.from({ length: mounted.size().rows }, (_, row) => styledRow(mounted, row)).join('\n'),
    async keys(...chunks: string[]): Promise<void> {
      for (const chunk of chunks) {
        clock.advance(300)
        await mounted.press(chunk)
      }
      await drive.pass(50)
    },
  }
  if (options.start !== false) {
    await screen.store.start()
    await drive.pass(50)
    await drive.pass(50)
  }
  return drive
}

export type Drive = Awaited<ReturnType<typeof driveScreen>>

function styledRow(terminal: HeadlessTerminal, row: number): string {
  let out = ''
  let before = ''
  for (let column = 0; column < terminal.size().columns; column++) {
    const { text, width, style } = terminal.cell(row, column)
    if (width === 0) continue
    const attributes = [style.isBold && 'b', style.isUnderlined && 'u', style.isInverse && 'i'].filter(
      Boolean,
    )
    const name = [style.foreground, style.background && `/${style.background}`, ...attributes]
      .filter(Boolean)
      .join(' ')
    if (name !== before) out += `<${name}>`
    out += text === '' ? ' ' : text
    before = name
  }
  return out.trimEnd()
}
