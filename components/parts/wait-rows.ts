import type { GatePreviewView, ProfilePreviewView } from '../../src/a2a/protocol/views/profile.ts'
import { type Look, wrapped } from '../look.ts'
import { thresholdCell, thresholdWord } from '../views/profiles/profile-words.ts'
import { capitalised } from '../words.ts'
import type { Segment } from './format-line.ts'

type Rows = Segment[][]

/** What would wait for a person: on the way, whatever the confidence, and when something fails. */
export function waitRows(look: Look, preview: ProfilePreviewView, width: number): Rows {
  const { onTheWay, onFailure } = askingOf(preview)
  return [
    ...onTheWay.map(gate => gateRow(look, gate)),
    ...preview.also.flatMap(text => marked(look, capitalised(text), width)),
    ...nothingRows(look, preview),
    ...(onFailure.length === 0
      ? []
      : [
          [],
          [{ text: ' When something fails', tone: 'heading' as const }],
          ...onFailure.map(gate => gateRow(look, gate)),
        ]),
    [],
    ...wrapped(capitalised(restWord(preview.gates)), width - 3, 'muted', 1),
  ]
}

/** The same in as few rows as it takes: what asks alike stands together. */
export function shortWaitRows(look: Look, preview: ProfilePreviewView, width: number): Rows {
  const { onTheWay, onFailure } = askingOf(preview)
  const thresholds = [...new Set(onTheWay.map(({ threshold }) => threshold))].sort((a, b) => b - a)
  const isAll = onTheWay.length === preview.gates.filter(({ reached }) => reached === 'on_the_way').length
  const alike = thresholds.map(threshold => {
    if (isAll && thresholds.length === 1)
      return `${capitalised(thresholdWord(threshold))}: every step on the way`
    const names = onTheWay.filter(gate => gate.threshold === threshold).map(({ what }) => what)
    return `${capitalised(thresholdWord(threshold))}: ${names.join('; ')}`
  })
  const failing = onFailure.map(({ what, threshold }) => `${what} ${thresholdCell(threshold)}`)
  return [
    [
      { text: ' What will wait', tone: 'heading' },
      { text: `   ${restWord(preview.gates)}`, tone: 'muted' },
    ],
    ...[...alike, ...preview.also.map(capitalised)].flatMap(text => marked(look, text, width)),
    ...nothingRows(look, preview),
    ...(failing.length === 0 ? [] : marked(look, `When something fails: ${failing.join('; ')}`, width)),
  ]
}

function askingOf({ gates }: ProfilePreviewView) {
  const asking = gates.filter(({ asks }) => asks !== 'never')
  return {
    onTheWay: asking.filter(({ reached }) => reached === 'on_the_way'),
    onFailure: asking.filter(({ reached }) => reached === 'on_failure'),
  }
}

function nothingRows(look: Look, preview: ProfilePreviewView): Rows {
  if (askingOf(preview).onTheWay.length > 0 || preview.also.length > 0) return []
  return [
    [
      { text: `   ${look.glyphs.done} `, tone: 'success' },
      { text: 'Nothing on the way waits for you.', tone: 'text' },
    ],
  ]
}

function gateRow(look: Look, { what, threshold }: GatePreviewView): Segment[] {
  return [
    { text: `   ${look.glyphs.waits} `, tone: 'waiting' },
    { text: `${what}: `, tone: 'text' },
    { text: thresholdWord(threshold), tone: 'muted' },
  ]
}

function marked(look: Look, text: string, width: number): Rows {
  const [first = [], ...rest] = wrapped(text, width - 5, 'text')
  return [
    [{ text: `   ${look.glyphs.waits} `, tone: 'waiting' }, ...first],
    ...rest.map(row => [{ text: '     ' }, ...row]),
  ]
}

function restWord(gates: readonly GatePreviewView[]): string {
  const passing = gates.filter(({ asks, reached }) => asks === 'never' && reached !== 'never').length
  const absent = gates.filter(({ reached }) => reached === 'never').length
  return [
    `${passing} of ${gates.length} never ask`,
    ...(absent > 0 ? [`${absent} this action does not come to`] : []),
  ].join('; ')
}
