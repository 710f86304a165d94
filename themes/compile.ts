import {
  type ForegroundToken,
  lineTokens,
  type Palette,
  type Shade,
  type SurfaceToken,
  surfaceTokens,
  textTokens,
} from './tokens.ts'

export type ColourDepth = 'truecolor' | '256' | '16' | 'none'

/** A palette as escape sequences, ready to stand before text. `reset` ends whatever was begun. */
export type Theme = {
  name: string
  depth: ColourDepth
  foreground: Record<ForegroundToken, string>
  surface: Record<SurfaceToken, string>
  reset: string
}

// Without colours these still differ from plain text; everything else says its meaning in words and marks.
const plainForeground: Partial<Record<ForegroundToken, string>> = {
  heading: sgr('1'),
  key: sgr('1'),
  borderFocused: sgr('1'),
  waiting: sgr('1'),
  danger: sgr('1'),
  addedWord: sgr('4'),
  removedWord: sgr('4'),
}
const plainSurface: Partial<Record<SurfaceToken, string>> = { selection: sgr('7'), match: sgr('4') }
const bold: ReadonlySet<ForegroundToken> = new Set(['heading', 'borderFocused'])

export function compileTheme(palette: Palette, depth: ColourDepth): Theme {
  const foreground = (token: ForegroundToken) => {
    if (depth === 'none') return plainForeground[token] ?? ''
    const colour = sgrOf(palette.foregrounds[token], depth, 38)
    return bold.has(token) ? sgr('1') + colour : colour
  }
  const surface = (token: SurfaceToken) =>
    depth === 'none' ? (plainSurface[token] ?? '') : sgrOf(palette.surfaces[token], depth, 48)
  return {
    name: palette.name,
    depth,
    foreground: table([...textTokens, ...lineTokens], foreground),
    surface: table(surfaceTokens, surface),
    reset: sgr('0'),
  }
}

function sgrOf([hex, basic]: Shade, depth: Exclude<ColourDepth, 'none'>, layer: 38 | 48): string {
  const [red, green, blue] = rgbOf(hex)
  if (depth === 'truecolor') return sgr(`${layer};2;${red};${green};${blue}`)
  if (depth === '256') return sgr(`${layer};5;${nearest256(red, green, blue)}`)
  if (basic === 'none') return ''
  return sgr(String(basicCode(basic, layer)))
}

function basicCode(basic: number, layer: 38 | 48): number {
  const isBright = basic >= 8
  return (basic % 8) + (layer === 38 ? 30 : 40) + (isBright ? 60 : 0)
}

/** The nearest of the 6x6x6 cube and the grey ramp; the first sixteen vary by terminal and are left out. */
function nearest256(red: number, green: number, blue: number): number {
  const steps = [0, 95, 135, 175, 215, 255]
  const level = (value: number) =>
    steps.reduce(
      (best, step, index) => (distance(step, value) < distance(steps[best] ?? 0, value) ? index : best),
      0,
    )
  const cube = [level(red), level(green), level(blue)] as const
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)))
  const ofCube = cube.map(index => steps[index] ?? 0)
  const ofGrey = [8 + grey * 10, 8 + grey * 10, 8 + grey * 10]
  const off = (colour: number[]) =>
    [red, green, blue].reduce((sum, value, index) => sum + (value - (colour[index] ?? 0)) ** 2, 0)
  if (off(ofGrey) < off(ofCube)) return 232 + grey
  return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
}

function distance(one: number, other: number): number {
  return Math.abs(one - other)
}

export function rgbOf(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function sgr(codes: string): string {
  return `\u001b[${codes}m`
}

function table<Key extends string>(keys: readonly Key[], value: (key: Key) => string): Record<Key, string> {
  // The keys are all of the type's, so the record is complete.
  return Object.fromEntries(keys.map(key => [key, value(key)])) as Record<Key, string>
}
