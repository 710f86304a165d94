/*
 * Names of meanings. The screen asks for these and never for a colour; a palette gives each of them one.
 * Themes import nothing else of ours. A new theme: a file beside dark.ts and a row in index.ts.
 */

export const textTokens = [
  'text',
  'muted',
  'heading',
  'accent',
  'key',
  'danger',
  'warning',
  'success',
  'added',
  'removed',
  'addedWord',
  'removedWord',
  'waiting',
  'running',
  'superseded',
  'correction',
  'child',
  'syntaxKeyword',
  'syntaxString',
  'syntaxNumber',
  'syntaxComment',
  'syntaxType',
  'syntaxFunction',
] as const

export const lineTokens = ['border', 'borderFocused', 'guide'] as const

export const surfaceTokens = ['selection', 'dialog', 'addedSurface', 'removedSurface', 'match'] as const

export type TextToken = (typeof textTokens)[number]
export type LineToken = (typeof lineTokens)[number]
export type SurfaceToken = (typeof surfaceTokens)[number]
export type ForegroundToken = TextToken | LineToken

/** Index into the sixteen colours every terminal has, 0 to 15. */
export type BasicColour = number

/** `#rrggbb`, and what stands for it where only sixteen colours exist; `none` leaves the terminal's own. */
export type Shade = readonly [hex: `#${string}`, basic: BasicColour | 'none']

export type Palette = {
  name: string
  /** What the colours were chosen against. It is not painted: the terminal keeps its own background. */
  background: `#${string}`
  foregrounds: Record<ForegroundToken, Shade>
  surfaces: Record<SurfaceToken, Shade>
}
