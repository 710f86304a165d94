import type { ProfileView } from '../../../src/a2a/protocol/views/profile.ts'
import { cellWidth, fitToWidth } from '../../../src/text/cells.ts'
import { type Look, wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import { capitalised } from '../../words.ts'
import { thresholdCell, thresholdWord } from './profile-words.ts'

export interface ChosenCell {
  /** Which column. */
  readonly column: number
  readonly row: number
}

const widestMeaning = 48
const narrowestMeaning = 30
const flagWidth = 20
const mostTitle = 18

/** Which steps ask under which profile: as many profiles side by side as fit, the chosen one among them. */
export function tableRows(
  look: Look,
  profiles: readonly ProfileView[],
  chosen: ChosenCell,
  width: number,
): Segment[][] {
  const titles = profiles.map(titleOf)
  const widths = titles.map(title => Math.max(6, cellWidth(title)) + 2)
  const whole = widths.reduce((sum, each) => sum + each, 0)
  const meaning = Math.max(narrowestMeaning, Math.min(widestMeaning, width - whole - 1))
  const withFlags = width - whole - meaning - 1 >= flagWidth
  const window = columnsAround(widths, chosen.column, width - meaning - 1 - (withFlags ? flagWidth : 0))
  const columns = profiles.slice(window.first, window.end)
  const flags = profiles[0]?.thresholds ?? []
  const cell = (text: string, column: number, tone: Segment['tone']): Segment => ({
    text: fitToWidth(text, widths[column] ?? 0, look.glyphs.ellipsis),
    ...(tone && { tone }),
    ...(column === chosen.column && { on: 'selection' as const }),
  })
  const more = columns.length < profiles.length ? moreWord(window, profiles.length, look) : ''
  return [
    [
      { text: fitToWidth(` ${more}`, meaning + 1, look.glyphs.ellipsis), tone: 'muted' },
      ...(withFlags ? [{ text: 'on the wire'.padEnd(flagWidth), tone: 'muted' as const }] : []),
      ...columns.map((_, at) => {
        const column = window.first + at
        const title = titles[column] ?? ''
        return cell(column === chosen.column ? `[${title}]` : ` ${title}`, column, 'heading')
      }),
    ],
    ...flags.map(({ flag, what }, row): Segment[] => [
      { text: row === chosen.row ? look.glyphs.selected : ' ', tone: 'accent' },
      {
        text: fitToWidth(fitToWidth(what, meaning - 1, look.glyphs.ellipsis), meaning),
        tone: row === chosen.row ? 'key' : 'text',
      },
      ...(withFlags ? [{ text: flag.padEnd(flagWidth), tone: 'muted' as const }] : []),
      ...columns.map((profile, at) => {
        const threshold = profile.thresholds[row]?.threshold ?? 0
        const tone = threshold <= 0 ? 'muted' : 'waiting'
        return cell(` ${thresholdCell(threshold)}`, window.first + at, tone)
      }),
    ]),
  ]
}

/** The chosen cell in words, with the names that files and the protocol have for it. */
export function cellRows(profile: ProfileView, row: number, width: number): Segment[][] {
  const threshold = profile.thresholds[row]
  if (!threshold) return []
  const { what, threshold: value } = threshold
  const sentence = `${capitalised(what)}: ${titleOf(profile)} ${thresholdWord(value)}.`
  return [
    ...wrapped(sentence, width - 2, 'text', 1),
    ...wrapped(`${threshold.gate}; ${threshold.flag} in files and on the wire`, width - 2, 'muted', 1),
  ]
}

/** The namespace of one's own profiles tells nothing. */
function titleOf({ name }: Pick<ProfileView, 'name'>): string {
  return fitToWidth(
    name.replace(/^local\//, ''),
    Math.min(mostTitle, cellWidth(name.replace(/^local\//, ''))),
  )
}

function columnsAround(
  widths: readonly number[],
  chosen: number,
  room: number,
): { readonly first: number; readonly end: number } {
  const endFrom = (first: number) => {
    let left = room
    let end = first
    while (end < widths.length && left >= (widths[end] ?? 0)) left -= widths[end++] ?? 0
    return Math.max(end, first + 1)
  }
  // The chosen one is not at the edge while there are more behind it.
  const wanted = Math.min(chosen + 1, widths.length - 1)
  let first = 0
  while (first < chosen && endFrom(first) <= wanted) first++
  return { first, end: Math.min(endFrom(first), widths.length) }
}

function moreWord({ first, end }: { first: number; end: number }, count: number, look: Look): string {
  const [left, right] = look.charset === 'ascii' ? ['left', 'right'] : ['←', '→']
  return `${first + 1} to ${end} of ${count}  ${left} ${right}`
}
