import { dark } from './dark.ts'
import { light } from './light.ts'
import type { Palette } from './tokens.ts'

/** Every theme, in the order the theme key goes through them. */
export const palettes: readonly Palette[] = [dark, light]
