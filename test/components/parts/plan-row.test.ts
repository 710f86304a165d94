import { expect, test } from 'vitest'
import type { Look } from '../../../components/look.ts'
import { planRow } from '../../../components/parts/plan-row.ts'
import { compileTheme } from '../../../themes/compile.ts'
import { dark } from '../../../themes/dark.ts'
import { unicodeGlyphs } from '../../../themes/glyphs.ts'
import { aPlan } from '../../support/screen-views.ts'

const look: Look = {
  theme: compileTheme(dark, 'none'),
  glyphs: unicodeGlyphs,
  charset: 'unicode',
  spinner: () => '⠋',
}

test.each([
  ['local/replace-text-12', '▌● replace…-12 APPLIED '],
  ['local/replace-text', '▌● replace-te… APPLIED '],
  ['local/fix-12', '▌● fix-12       APPLIED '],
  ['team/fix-12', '▌● team/fix-12  APPLIED '],
])('the row of %s keeps what tells it from its like', (name, row) => {
  const plan = aPlan({ plan_id: 'p', name, phase: 'apply', state: 'applied' })
  expect(
    planRow(
      look,
      { plan, depth: 0, fold: 'none', childCount: 0 },
      { width: row.length, selection: 'marked', waiting: new Set() },
    ),
  ).toBe(row)
})
