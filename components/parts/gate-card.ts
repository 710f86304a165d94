import type { GateView } from '../../src/a2a/protocol/views.ts'
import { type Picks, picksByFile } from '../../stores/picks.ts'
import { diffKey, unitsOf } from '../diff-model.ts'
import { wrapped } from '../look.ts'
import type { ViewProps } from '../views/view.ts'
import { countWord, scoreWord } from '../words.ts'
import type { Segment } from './format-line.ts'
import { fileCounts } from './inspect-decision.ts'

type Rows = Segment[][]

/** Everything a person needs to answer, in full: the question, what exactly will happen, why it is asked, the options. */
export function cardRows(props: ViewProps, gate: GateView, width: number): Rows {
  return [
    [
      {
        text: `${gate.path.join(' > ')}  ${gate.kind.replaceAll('_', ' ')} gate, ${gate.phase}`,
        tone: 'muted',
      },
    ],
    [],
    ...wrapped(gate.question, width, 'heading'),
    ...titled('What will happen', subjectRows(props, gate, width)),
    ...titled('Why you are asked', whyRows(gate, width)),
    ...titled('Options', optionRows(gate, width)),
    ...wordRows(gate, width),
  ]
}

function subjectRows(props: ViewProps, gate: GateView, width: number): Rows {
  const { kind, ...facts } = gate.subject
  const known = knownSubjects[kind]
  const rows = known ? known(facts, width) : factRows(facts, width)
  return [...rows, ...changeRows(props, gate, width)]
}

type Facts = Readonly<Record<string, unknown>>

/** Fields of a subject that people need; whatever else it has is shown as it is, so that nothing is hidden. */
const knownSubjects: Readonly<Record<string, (facts: Facts, width: number) => Rows>> = {
  phase: ({ from, to, summary }, width) => [
    ...wrapped(`From ${textOf(from)} to ${textOf(to)}.`, width),
    ...(textOf(summary) === '' ? [] : wrapped(textOf(summary), width)),
  ],
  tool: ({ tool, folder, input }, width) => [
    ...wrapped(`${textOf(tool)} in ${textOf(folder)}`, width),
    ...factRows(asFacts(input), width),
  ],
  decision: ({ proposed, rationale, guidance }, width) => [
    ...wrapped(`Proposed: ${textOf(asFacts(proposed)['label'])}`, width),
    ...(textOf(asFacts(proposed)['rationale']) === ''
      ? []
      : wrapped(textOf(asFacts(proposed)['rationale']), width, 'muted', 2)),
    ...(textOf(rationale) === '' ? [] : wrapped(textOf(rationale), width)),
    ...(textOf(guidance) === '' ? [] : wrapped(`Guidance: ${textOf(guidance)}`, width, 'correction')),
  ],
  ask: () => [],
  unfinished_apply: ({ folder, ...facts }, width) => [
    ...wrapped(`In ${textOf(folder)}`, width),
    ...applyFacts.flatMap(([name, title]) =>
      asList(facts[name]).length === 0
        ? []
        : [
            ...wrapped(title, width, 'muted'),
            ...asList(facts[name]).flatMap(each => wrapped(textOf(each), width, 'text', 2)),
          ],
    ),
  ],
  drift: ({ folder, changes }, width) => [
    ...wrapped(`Nothing yet. Found in ${textOf(folder)}:`, width),
    ...asList(changes).flatMap(each => wrapped(driftText(asFacts(each)), width, 'text', 2)),
  ],
  constrained: ({ conflicts, others }, width) => [
    ...wrapped('In conflict, and left as they are:', width, 'muted'),
    ...asList(conflicts).flatMap(each => wrapped(conflictText(asFacts(each)), width, 'text', 2)),
    ...(asList(others).length === 0 ? [] : wrapped('Can be applied without them:', width, 'muted')),
    ...asList(others).flatMap(each => wrapped(textOf(each), width, 'text', 2)),
  ],
}

const applyFacts = [
  ['written', 'Written already:'],
  ['waiting', 'Not written yet:'],
] as const

function driftText({ how, path }: Facts): string {
  return `${textOf(how).padEnd('removed'.length)}  ${textOf(path)}`
}

/** The kind first: reasons begin with the path. */
function conflictText({ kind, reason }: Facts): string {
  return `${textOf(kind).replaceAll('_', ' ')}  ${textOf(reason)}`
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Names and whole values, one below the other; long text keeps its lines. */
function factRows(facts: Facts, width: number): Rows {
  return Object.entries(facts).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const label = name.replaceAll('_', ' ').replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    if (Array.isArray(value))
      return [
        ...wrapped(`${label}:`, width, 'muted'),
        ...value.flatMap(each => wrapped(itemText(each), width, 'text', 2)),
      ]
    const text = textOf(value)
    if (!text.includes('\n') && label.length + text.length + 2 <= width)
      return [
        [
          { text: `${label}: `, tone: 'muted' as const },
          { text, tone: 'text' as const },
        ],
      ]
    return [...wrapped(`${label}:`, width, 'muted'), ...wrapped(text, width, 'text', 2)]
  })
}

/** At the Apply gate: the files that will change. The whole patch is one key away. */
function changeRows({ shelves, situation }: ViewProps, gate: GateView, width: number): Rows {
  const key = diffKey({ planId: gate.plan_id, decisionId: null, correctionId: null, title: '' })
  const fetched = shelves.diffs.peek(key)
  if (fetched?.kind !== 'ready' || gate.phase === 'strategize') return []
  const { files, digest } = fetched.value
  const picks = situation.ui.picks[gate.plan_id]
  if (picks && picks.units.length > 0 && picks.digest === digest)
    return [[], ...pickRows(picks, unitsOf(fetched.value).flat().length, width)]
  return [
    [],
    ...wrapped(`${countWord(files.length, 'file')} will change. Press d to read the diff.`, width),
    ...files.map(file => [{ text: `  ${file.path} `, tone: 'text' as const }, ...fileCounts(file)]),
  ]
}

function pickRows(picks: Picks, all: number, width: number): Rows {
  const words = `Only what you chose is applied, ${picks.units.length} of ${countWord(all, 'hunk')}; the rest waits. Press d to change that.`
  return [
    ...wrapped(words, width, 'warning'),
    ...picksByFile(picks).flatMap(({ path, hunks }) =>
      wrapped(
        hunks ? `${path}  ${hunks.length === 1 ? 'hunk' : 'hunks'} ${hunks.join(', ')}` : path,
        width,
        'text',
        2,
      ),
    ),
  ]
}

function whyRows(gate: GateView, width: number): Rows {
  return [...wrapped(gate.reason, width), ...numberRows(gate, width)]
}

function numberRows({ confidence, threshold, factors }: GateView, width: number): Rows {
  if (confidence === null || threshold === null) return []
  const parts = factors
    ? ` from past success ${scoreWord(factors.success)}, familiarity ${scoreWord(factors.familiarity)}, risk ${scoreWord(factors.risk)}, invariants ${scoreWord(factors.invariants)}`
    : ''
  const needs = threshold >= 1 ? 'no confidence passes by itself here' : `${scoreWord(threshold)} is needed`
  return wrapped(`confidence ${scoreWord(confidence)}${parts}; ${needs}`, width, 'muted')
}

function optionRows(gate: GateView, width: number): Rows {
  return gate.options.flatMap((option, at) => {
    const [first = [], ...rest] = wrapped(option.label, width - 4, 'text')
    return [
      [
        { text: at < 9 ? `${at + 1}` : ' ', tone: 'key' as const },
        { text: '  ' },
        ...first,
        ...stops(option.effect),
      ],
      ...rest.map(row => [{ text: '   ' }, ...row]),
      ...(option.description ? wrapped(option.description, width, 'muted', 6) : []),
    ]
  })
}

function stops(effect: 'approve' | 'reject'): Segment[] {
  return effect === 'reject' ? [{ text: '  (stops the work)', tone: 'warning' }] : []
}

function wordRows(gate: GateView, width: number): Rows {
  if (gate.confirm_word === null) return []
  return [
    [],
    ...wrapped(
      `This cannot be taken back. To approve, type the word ${gate.confirm_word} and then press enter.`,
      width,
      'danger',
    ),
  ]
}

function titled(title: string, rows: Rows): Rows {
  return rows.length === 0 ? [] : [[], [{ text: title, tone: 'heading' }], ...rows]
}

function asFacts(value: unknown): Facts {
  return value !== null && typeof value === 'object' ? (value as Facts) : {} // an object's own fields, read as unknown
}

function itemText(value: unknown): string {
  if (value === null || typeof value !== 'object') return textOf(value)
  return Object.values(value).map(textOf).join(': ')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 1)
}
