import { expect, test } from 'vitest'
import { handlersOf } from '../../components/actions/index.ts'
import { createScreen } from '../../components/create-screen.ts'
import { isTextPlace, keymap, type Place, placeTitles, rowsOf } from '../../components/keymap.ts'
import { plainProps } from '../../components/plain-props.ts'
import { helpRows } from '../../components/views/help-rows.ts'
import { createFakeClock } from '../support/clock.ts'
import { createScriptedClient } from '../support/scripted-client.ts'

const places = Object.keys(placeTitles) as Place[]

function aScreen() {
  const nothing = () => {}
  return createScreen({
    connect: async () => createScriptedClient({}).client,
    clock: createFakeClock(),
    hooks: {
      sendSequence: nothing,
      repaint: nothing,
      suspend: nothing,
      edit: async text => ({ kind: 'text', text }),
      writeNewFile: async () => null,
      afterFrame: nothing,
      leave: nothing,
    },
    folder: '/',
    size: { columns: 120, rows: 40 },
    themeName: 'dark',
    charset: 'unicode',
  }).screen
}

test.each(places)('no two rows in force in %s share a key', place => {
  const keys = rowsOf(place).flatMap(row => row.keys)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test.each(places)('every action of %s is handled', place => {
  const handlers = handlersOf(aScreen(), place)
  expect(rowsOf(place).filter(row => !(row.action in handlers))).toEqual([])
})

test.each(places.filter(isTextPlace))('%s binds no key that types something', place => {
  const typing = rowsOf(place)
    .flatMap(row => row.keys)
    .filter(key => key.length === 1 || key === 'space')
  expect(typing).toEqual([])
})

test('help names every row of the table', () => {
  const text = helpRows(plainProps(aScreen()), 118).map(row => row.map(segment => segment.text).join(''))
  for (const place of places)
    for (const row of keymap[place])
      if (row.action !== 'restart') expect(text.join('\n')).toContain(row.label)
})

test('one letter means one thing: the same action wherever it is bound to a command', () => {
  const meanings = new Map<string, Set<string>>()
  for (const place of places)
    for (const row of keymap[place])
      for (const key of row.keys) meanings.set(key, (meanings.get(key) ?? new Set()).add(row.action))
  const letters = [...meanings].filter(([key]) => /^[a-zA-Z]$/.test(key))
  const several = letters.filter(([, actions]) => actions.size > 1)
  expect(Object.fromEntries(several.map(([key, actions]) => [key, [...actions].sort()]))).toEqual({
    // Both say yes to what is shown, after it was read.
    a: ['approve', 'confirm'],
    // Horizontal moves of a tree, of long lines, of a table.
    h: ['fold', 'left', 'previous'],
    l: ['next', 'right', 'unfold'],
    // Pausing, one or all.
    p: ['pause', 'pauseAll'],
    // Out of here: of a dialog, of the screen.
    q: ['back', 'leave'],
    // Cancel, asked and then meant.
    X: ['cancel', 'confirm'],
  })
})
