/** What questions about child plans are about: which plans would start, and what two of them made of one file. */
import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import { type Look, wrapped } from '../look.ts'
import { countWord, nameBelow, oneLine } from '../words.ts'
import type { Segment } from './format-line.ts'
import { asFacts, asList, type Facts, factRows, textOf } from './subject-facts.ts'

type Rows = Segment[][]

/** Every child that would be started, with what it is given. */
export function childrenRows({ mode, max_parallel, merge, profile, children }: Facts, width: number): Rows {
  const all = asList(children).map(asFacts)
  const order =
    all.length < 2
      ? ''
      : mode === 'parallel'
        ? `, at most ${textOf(max_parallel)} at the same time`
        : ', one after the other, until one fails'
  return [
    ...wrapped(
      `${countWord(all.length, 'child plan')} under profile ${textOf(profile)}${order}:`,
      width,
      'text',
    ),
    ...all.flatMap(child => childRows(child, width)),
    ...wrapped(`Where two change the same: ${mergeWords[textOf(merge)] ?? textOf(merge)}`, width, 'muted'),
  ]
}

const mergeWords: Readonly<Record<string, string>> = {
  three_way: 'you are asked.',
  last_wins: 'the one named later wins, and it is said where.',
  fail_on_conflict: 'all of them fail.',
}

function childRows({ key, action, args, guidance, after }: Facts, width: number): Rows {
  const waits = asList(after).map(textOf)
  return [
    [
      { text: `  ${oneLine(textOf(key))}  `, tone: 'child' },
      { text: oneLine(textOf(action)), tone: 'text' },
      ...(waits.length > 0 ? [{ text: `  after ${waits.join(', ')}`, tone: 'muted' as const }] : []),
    ],
    ...indent(factRows(asFacts(args), width - 6), 6),
    ...(textOf(guidance) === '' ? [] : wrapped(`guidance: ${textOf(guidance)}`, width, 'correction', 6)),
  ]
}

/** Both sides of each path, beside each other where there is room. */
export function conflictSideRows({ child, conflicts, sides }: Facts, width: number, look: Look): Rows {
  const theirs = nameBelow(textOf(asFacts(child)['name']))
  return [
    ...wrapped(`${theirs} is done, and changed what was changed here since it began.`, width, 'text'),
    ...asList(conflicts).flatMap(each => wrapped(textOf(asFacts(each)['reason']), width, 'warning', 2)),
    ...asList(sides)
      .map(asFacts)
      .flatMap(side => sideRows(side, { child: theirs, width, look })),
  ]
}

const besideFrom = 96

function sideRows(
  { path, ours, theirs }: Facts,
  { child, width, look }: { child: string; width: number; look: Look },
): Rows {
  const here = patchRows(textOf(ours), 'here')
  const there = patchRows(textOf(theirs), `by ${child}`)
  const title: Segment[] = [{ text: textOf(path), tone: 'heading' }]
  if (width < besideFrom) return [[], title, ...indent(here, 2), ...indent(there, 2)]
  const column = Math.floor((width - 3) / 2)
  const rows = Array.from({ length: Math.max(here.length, there.length) }, (_, at) => [
    ...fitted(look, here[at] ?? [], column),
    { text: ` ${look.glyphs.box.vertical} `, tone: 'border' as const },
    ...(there[at] ?? []),
  ])
  return [[], title, ...rows]
}

/** The hunks of a patch; its header says nothing that is not told already. */
function patchRows(patch: string, title: string): Rows {
  const lines = patch.trimEnd().split('\n')
  const first = lines.findIndex(text => text.startsWith('@@'))
  const body = first < 0 ? [] : lines.slice(first)
  return [
    [{ text: title, tone: 'muted' }],
    ...(body.length === 0 ? [[{ text: 'no lines to show', tone: 'muted' as const }]] : []),
    ...body.map((text): Segment[] => [{ text, tone: lineTone(text) }]),
  ]
}

function lineTone(text: string): 'added' | 'removed' | 'accent' | 'text' {
  if (text.startsWith('@@')) return 'accent'
  if (text.startsWith('+')) return 'added'
  return text.startsWith('-') ? 'removed' : 'text'
}

function fitted(look: Look, row: readonly Segment[], width: number): Segment[] {
  const [first] = row
  const text = cutToWidth(first?.text ?? '', width, look.glyphs.ellipsis)
  return [{ ...first, text: text + ' '.repeat(Math.max(0, width - cellWidth(text))) }]
}

function indent(rows: Rows, cells: number): Rows {
  return rows.map(row => [{ text: ' '.repeat(cells) }, ...row])
}
