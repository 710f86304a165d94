import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import { type Picks, picksByFile } from '../../stores/picks.ts'
import { diffKey, unitsOf } from '../diff-model.ts'
import { pageInside } from '../layout.ts'
import { type Look, wrapped } from '../look.ts'
import type { ViewProps } from '../views/view.ts'
import { countWord, pathWord, scoreWord } from '../words.ts'
import type { Segment } from './format-line.ts'
import { fileCounts } from './inspect-decision.ts'
import { childrenRows, conflictSideRows } from './subject-children.ts'
import { asFacts, asList, type Facts, factRows, textOf } from './subject-facts.ts'
import { guardRows } from './subject-guard.ts'

type Rows = Segment[][]

/** Everything a person needs to answer, in full: the question, what exactly will happen, why it is asked, the options. */
export function cardRows(props: ViewProps, gate: GateView, width: number): Rows {
  const rows: Rows = [
    [
      {
        text: `${pathWord(gate.path, width - 30, props.look.glyphs.ellipsis)}  ${gate.kind.replaceAll('_', ' ')} gate, ${gate.phase}`,
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
  const terms = gate.arithmetic.flatMap(text => wrapped(text, width, 'muted'))
  const details = terms.length === 0 ? [] : titled('How the confidence comes about', terms)
  // The numbers are said above already: their terms take no room from what must be read.
  const room = pageInside(props.situation.ui.size).height - 2
  return rows.length + details.length <= room ? [...rows, ...details] : rows
}

function subjectRows(props: ViewProps, gate: GateView, width: number): Rows {
  const { kind, ...facts } = gate.subject
  const known = knownSubjects[kind]
  const rows = known ? known(facts, width, props.look) : factRows(facts, width)
  return [...rows, ...changeRows(props, gate, width)]
}

/** Fields of a subject that people need; whatever else it has is shown as it is, so that nothing is hidden. */
const knownSubjects: Readonly<Record<string, (facts: Facts, width: number, look: Look) => Rows>> = {
  phase: ({ from, to, summary, ...strategy }, width) => [
    ...wrapped(`From ${textOf(from)} to ${textOf(to)}.`, width),
    ...(textOf(summary) === '' ? [] : wrapped(textOf(summary), width)),
    ...strategyRows(strategy, width),
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
  guard: guardRows,
  children: childrenRows,
  merge_conflict: conflictSideRows,
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

function strategyRows({ strategy, strategy_revision, strategy_edited_by }: Facts, width: number): Rows {
  if (typeof strategy !== 'string') return []
  const by = typeof strategy_edited_by === 'string' ? `, edited by ${strategy_edited_by}` : ''
  return [
    [],
    ...wrapped(
      `Strategy, revision ${textOf(strategy_revision)}${by}. Press ctrl+e to edit it.`,
      width,
      'muted',
    ),
    ...wrapped(strategy, width),
  ]
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

/** At the Apply gate: the files that will change. The whole patch is one key away. */
function changeRows({ shelves, situation }: ViewProps, gate: GateView, width: number): Rows {
  const key = diffKey({
    planId: gate.plan_id,
    decisionId: null,
    correctionId: null,
    against: null,
    title: '',
  })
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
