import { markedRows } from '../../src/text/marked-rows.ts'
import { wrapped } from '../look.ts'
import type { Segment } from './format-line.ts'
import { asFacts, asList, type Facts, factRows, textOf } from './subject-facts.ts'

/** The whole call, with the parts of its command line that the guard is about marked in it. */
export function guardRows(facts: Facts, width: number): Segment[][] {
  const { tool, folder, command, input } = facts
  const marks = asList(facts['marked']).map(asFacts)
  const where = wrapped(`${textOf(tool)} in ${textOf(folder)}`, width)
  const rest = factRows(asFacts(input), width)
  if (typeof command !== 'string') return [...where, ...rest]
  return [
    ...where,
    ...commandRows(command, marks, width),
    ...rest,
    ...marks.flatMap(({ text, why }) => wrapped(`${textOf(text)}: ${textOf(why)}`, width, 'warning')),
  ]
}

function commandRows(command: string, marks: readonly Facts[], width: number): Segment[][] {
  const places = marks.map(({ start, end }) => ({ start: Number(start), end: Number(end) }))
  return markedRows(command, places, Math.max(1, width - 2)).flatMap(({ pieces, carets }) => [
    [
      { text: '  ' },
      ...pieces.map(({ text, isMarked }): Segment => ({ text, tone: isMarked ? 'danger' : 'text' })),
    ],
    ...(carets === null ? [] : [[{ text: `  ${carets}`, tone: 'danger' } satisfies Segment]]),
  ])
}
