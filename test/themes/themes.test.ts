import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../src/text/cells.ts'
import { compileTheme, rgbOf } from '../../themes/compile.ts'
import { detectBackground, detectCharset, detectColourDepth } from '../../themes/detect.ts'
import { asciiGlyphs, unicodeGlyphs } from '../../themes/glyphs.ts'
import { palettes } from '../../themes/index.ts'
import { lineTokens, textTokens } from '../../themes/tokens.ts'

describe.each(palettes)('the theme $name', palette => {
  const behind = [
    palette.background,
    ...['selection', 'dialog'].map(name => palette.surfaces[name as 'dialog'][0]),
  ]

  test.each(textTokens)('shows %s readably on its background, on dialogs and on the selection', token => {
    for (const background of behind) {
      expect(contrast(palette.foregrounds[token][0], background)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each(['text', 'addedWord', 'syntaxComment', 'added', 'syntaxKeyword', 'syntaxString'] as const)(
    'shows %s readably on added and removed lines',
    token => {
      for (const surface of ['addedSurface', 'removedSurface'] as const) {
        expect(contrast(palette.foregrounds[token][0], palette.surfaces[surface][0])).toBeGreaterThanOrEqual(
          4.5,
        )
      }
    },
  )

  test.each(lineTokens)('shows the %s', token => {
    expect(contrast(palette.foregrounds[token][0], palette.background)).toBeGreaterThanOrEqual(2.5)
  })

  test('has no colour at all where colours are off', () => {
    const theme = compileTheme(palette, 'none')
    const sequences = [...Object.values(theme.foreground), ...Object.values(theme.surface)]
    for (const sequence of sequences) expect(['', '\u001b[1m', '\u001b[4m', '\u001b[7m']).toContain(sequence)
    expect(theme.surface.selection).not.toBe('')
  })

  test.each([
    ['truecolor', /^(1m)?38;2;\d+;\d+;\d+m$/],
    ['256', /^(1m)?38;5;\d+m$/],
    ['16', /^(1m)?(3[0-7]|9[0-7])m$/],
  ] as const)('compiles to %s sequences', (depth, form) => {
    const theme = compileTheme(palette, depth)
    for (const token of textTokens.filter(token => token !== 'text')) {
      expect(theme.foreground[token].replaceAll('\u001b[', '')).toMatch(form)
    }
  })
})

test.each([
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'truecolor'],
  [{ TERM: 'xterm-256color' }, '256'],
  [{ TERM: 'xterm' }, '16'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
  [{}, 'none'],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'none'],
  [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
])('the environment %j shows %s colours', (env, depth) => {
  expect(detectColourDepth(env)).toBe(depth)
})

test('the option switches colours off whatever the terminal can', () => {
  expect(detectColourDepth({ TERM: 'xterm', COLORTERM: 'truecolor' }, 'never')).toBe('none')
})

test.each([
  [{ LANG: 'en_GB.UTF-8' }, 'unicode'],
  [{ LANG: 'en_GB.UTF-8', LC_ALL: 'C' }, 'ascii'],
  [{ LC_ALL: '', LC_CTYPE: 'C.utf8' }, 'unicode'],
  [{}, 'ascii'],
])('the locale %j can carry %s', (env, charset) => {
  expect(detectCharset(env)).toBe(charset)
})

test.each([
  [{ COLORFGBG: '15;0' }, 'dark'],
  [{ COLORFGBG: '0;default;15' }, 'light'],
  [{}, 'dark'],
])('the environment %j has a %s background', (env, background) => {
  expect(detectBackground(env)).toBe(background)
})

test('every mark is one cell wide, and the letter forms are ASCII', () => {
  for (const glyphs of [unicodeGlyphs, asciiGlyphs]) {
    const { guides, spinner, box, ...single } = glyphs
    const marks = [...Object.values(single), ...spinner, ...Object.values(box)]
    for (const mark of marks) expect([mark, cellWidth(mark)]).toEqual([mark, 1])
    for (const guide of Object.values(guides)) expect([guide, cellWidth(guide)]).toEqual([guide, 2])
  }
  expect(JSON.stringify(asciiGlyphs)).toMatch(/^[\x20-\x7e]*$/)
})

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map(value => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
