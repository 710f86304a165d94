import { sanitize } from '../src/text/sanitize.ts'
import type { Connect } from '../stores/screen-client.ts'
import { createScreenStore } from '../stores/screen-store.ts'
import { initialUi, type Size } from '../stores/ui.ts'
import { asciiGlyphs, unicodeGlyphs } from '../themes/glyphs.ts'
import { type Controller, createController } from './controller.ts'
import type { Dialog } from './dialogs.ts'
import type { Screen, ScreenHooks } from './screen.ts'
import type { Clock } from './terminal/clock.ts'

export interface ScreenSetup {
  readonly connect: Connect
  readonly clock: Clock
  readonly hooks: ScreenHooks
  readonly folder: string
  readonly size: Size
  readonly themeName: string
  readonly charset: 'unicode' | 'ascii'
  /** The plan to select as soon as it is known. */
  readonly startWith?: string | undefined
}

/** Stores, actions and keys of one screen, without anything that draws. */
export function createScreen(setup: ScreenSetup): { screen: Screen; controller: Controller } {
  const { clock, hooks, folder, size, themeName, charset } = setup
  const store = createScreenStore<Dialog>({
    connect: setup.connect,
    timer: clock,
    clean: sanitize,
    ui: initialUi({ size, themeName }),
    startWith: setup.startWith,
  })
  const glyphs = charset === 'ascii' ? asciiGlyphs : unicodeGlyphs
  const screen: Screen = { store, clock, glyphs, charset, hooks, folder, card: null, previewShown: null }
  return { screen, controller: createController(screen) }
}
