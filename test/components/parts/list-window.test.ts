import { describe, expect, test } from 'vitest'
import { moveSelection, topRow } from '../../../components/parts/list-window.ts'

test.each([
  ['a selected row in sight moves nothing', { top: 5, visible: 10, count: 50, selected: 8 }, 5],
  ['a row below comes in at the bottom', { top: 0, visible: 10, count: 50, selected: 10 }, 1],
  ['a row above comes in at the top', { top: 20, visible: 10, count: 50, selected: 12 }, 12],
  ['the margin stays in sight below', { top: 0, visible: 10, count: 50, selected: 8, margin: 2 }, 1],
  ['the margin stays in sight above', { top: 20, visible: 10, count: 50, selected: 21, margin: 2 }, 19],
  ['a list that shrank shows no empty rows', { top: 40, visible: 10, count: 12, selected: 11 }, 2],
  ['a short list begins at its start', { top: 3, visible: 10, count: 4, selected: 2 }, 0],
  ['without a selection the place is kept', { top: 7, visible: 10, count: 50, selected: -1 }, 7],
  ['a window of one row shows the selected one', { top: 0, visible: 1, count: 9, selected: 4, margin: 3 }, 4],
])('%s', (_what, view, top) => {
  expect(topRow(view)).toBe(top)
})

describe('a selection', () => {
  const ids = ['a', 'b', 'c']

  test('moves by identity and stops at the ends', () => {
    expect(moveSelection(ids, 'a', 1)).toBe('b')
    expect(moveSelection(ids, 'b', 10)).toBe('c')
    expect(moveSelection(ids, 'b', -10)).toBe('a')
  })

  test('whose row is gone begins at the first', () => {
    expect(moveSelection(ids, 'gone', 1)).toBe('a')
    expect(moveSelection([], 'a', 1)).toBeUndefined()
  })
})
