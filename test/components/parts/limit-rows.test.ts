import { expect, test } from 'vitest'
import { barSegments, budgetUse, toneOfUse } from '../../../components/parts/limit-rows.ts'
import { compileTheme } from '../../../themes/compile.ts'
import { dark } from '../../../themes/dark.ts'
import { unicodeGlyphs } from '../../../themes/glyphs.ts'

const look = {
  theme: compileTheme(dark, 'none'),
  glyphs: unicodeGlyphs,
  charset: 'unicode' as const,
  spinner: () => ' ',
}

test.each([
  [0, 0, 10, '░░░░░░░░░░', undefined],
  [0.001, 0, 10, '█░░░░░░░░░', undefined],
  [5, 0, 10, '█████░░░░░', undefined],
  [5, 2, 10, '█████▒▒░░░', undefined],
  [7.9, 0, 10, '████████░░', undefined],
  [8, 0, 10, '████████░░', 'warning'],
  [9.99, 0, 10, '█████████░', 'warning'],
  [9, 1, 10, '█████████▒', 'danger'],
  [10, 0, 10, '██████████', 'danger'],
  [12, 3, 10, '██████████', 'danger'],
  [0, 0, 0, '██████████', 'danger'],
])('%d spent and %d reserved of %d', (spent, reserved, limit, bar, tone) => {
  const use = budgetUse({ spent, assumed: 0, reserved, limit, source: 'plan', of: 'p' })
  if (!use) throw new Error('it has a limit')
  const drawn = barSegments(look, use, 10)
  expect([drawn.map(({ text }) => text).join(''), toneOfUse(use)]).toEqual([bar, tone])
})

test('without a limit there is no bar', () => {
  expect(budgetUse({ spent: 3, assumed: 0, reserved: 0, limit: null, source: null, of: null })).toBeNull()
})
