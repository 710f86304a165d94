import { keymap, type Place, placeTitles, rowsOf, type ScreenKey } from '../keymap.ts'
import { keyLabel } from '../keymap-row.ts'
import type { Segment } from '../parts/format-line.ts'
import { placeOf } from '../place.ts'
import type { ViewProps } from './view.ts'

const keyWidth = 22

/** The keys of the place that help was asked from, then everything else; what cannot be done now says why. */
export function helpRows(props: ViewProps, width: number): Segment[][] {
  const { dialogs } = props.situation.ui
  const here = placeOf(dialogs.filter(dialog => dialog.kind !== 'help').at(-1))
  // All places of the table, by its own keys.
  const places = (Object.keys(keymap) as Place[]).filter(place => place !== here)
  return [here, ...places].flatMap((place, at) => [
    ...(at === 0 ? [] : [[]]),
    [{ text: ` ${placeTitles[place]}${at === 0 ? ' (you are here)' : ''}`, tone: 'heading' as const }],
    ...rowsIn(props, place, at === 0 ? 'here' : 'elsewhere').map(row => keyRow(props, row, at === 0, width)),
  ])
}

function rowsIn({ situation }: ViewProps, place: Place, where: 'here' | 'elsewhere'): readonly ScreenKey[] {
  if (where === 'elsewhere') return keymap[place]
  const own = new Set<ScreenKey>(keymap[place])
  return rowsOf(place).filter(row => own.has(row) && (row.when?.(situation) ?? true))
}

function keyRow({ situation, look }: ViewProps, row: ScreenKey, isHere: boolean, width: number): Segment[] {
  const keys = keysWord(row, look.charset)
  const refusal = isHere || row.action === 'interrupt' ? row.whyNot?.(situation) : undefined
  return [
    { text: `   ${keys.padEnd(keyWidth)} `, tone: refusal ? 'muted' : 'key' },
    { text: row.label, tone: refusal ? 'muted' : 'text' },
    ...(refusal && width > 60 ? [{ text: `  ${refusal}`, tone: 'warning' as const }] : []),
  ]
}

function keysWord(row: ScreenKey, charset: 'unicode' | 'ascii'): string {
  if (row.keys.length > 4) return `${row.keys[0]} to ${row.keys.at(-1)}`
  return row.keys.map(key => keyLabel(key, charset)).join('  ')
}
