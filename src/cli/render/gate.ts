import type { GateView, GrantView } from '../../a2a/protocol/views/gate.ts'
import { markedRows } from '../../text/marked-rows.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'
import { shellWord, shortDigest, shortId } from './words.ts'

/** A gate that waits: what is asked, what will happen on a yes, and what to type to answer. */
export function gateLines(gate: GateView, paper: Paper): string[] {
  const facts = [
    ['gate', `${shortId(gate.gate_id)} (${gate.kind}${gate.flag ? `, ${gate.flag}` : ''})`],
    ['plan', gate.path.join(' / ')],
    ['why', gate.reason],
    ['confidence', gate.arithmetic.join('\n')],
    ...subjectFacts(gate.subject),
    ...gate.options.map((option, at) => [at === 0 ? 'options' : '', optionText(option)] as const),
    ['digest', shortDigest(gate.digest)],
    ['to confirm', gate.confirm_word && `type ${gate.confirm_word}`],
  ] as const
  const [first = '', ...rest] = gate.question.split('\n')
  return [
    `${paper.paint('waits', paper.marks.waits)} ${paper.paint('strong', first)}`,
    ...rest.map(line => `  ${line}`),
    ...factLines(facts, paper),
    '  Answer with one of',
    ...answerCommands(gate).map(command => `    ${command}`),
  ]
}

export function gatesLines({ gates }: { readonly gates: readonly GateView[] }, paper: Paper): string[] {
  if (gates.length === 0) return ['No gate waits.']
  return gates.flatMap((gate, at) => [...(at === 0 ? [] : ['']), ...gateLines(gate, paper)])
}

export function grantsLines({ grants }: { readonly grants: readonly GrantView[] }, paper: Paper): string[] {
  const rows = grants.map(grant => [
    shortId(grant.grant_id),
    grant.scope === 'plan' ? `plan ${shortId(grant.plan_id ?? '')}` : `profile ${grant.profile ?? ''}`,
    [grant.flag, grant.decision_type, grant.tool].filter(Boolean).join(' '),
    grant.granted_by,
    grant.granted_at,
    grant.revoked_at === null ? '' : `revoked ${grant.revoked_at}`,
  ])
  return tableLines(
    {
      head: ['GRANT', 'SCOPE', 'FOR', 'BY', 'SINCE', ''],
      rows,
      flexible: 2,
      empty: 'No standing approvals.',
    },
    paper,
  )
}

export function grantLines(grant: GrantView, paper: Paper): string[] {
  return grantsLines({ grants: [grant] }, paper)
}

/** Bound to the digest, so that an answer copied from here cannot approve what was not shown here. */
function answerCommands(gate: GateView): string[] {
  const target = `${shortId(gate.plan_id)} ${shortId(gate.gate_id)}`
  const digest = `--digest ${shortDigest(gate.digest)}`
  const approvals = gate.options.filter(option => option.effect === 'approve')
  const chosen = approvals.length > 1 ? approvals.map(({ id }) => ` --option ${shellWord(id)}`) : ['']
  return [
    ...chosen.map(option => `agents plan approve ${target}${option} ${digest}`),
    `agents plan reject ${target} ${digest}`,
    ...(gate.takes_changes ? [`agents plan request-changes ${target} ${digest} --guidance TEXT`] : []),
  ]
}

function optionText(option: GateView['options'][number]): string {
  const description = option.description ? ` (${option.description})` : ''
  return `${option.id}: ${option.label}${description}${option.effect === 'reject' ? ' [stops]' : ''}`
}

/** Unshortened, whatever the kind: what is not shown here was not approved. */
function subjectFacts(subject: GateView['subject']): [string, string][] {
  if (subject.kind === 'guard') return guardFacts(subject)
  return Object.entries(subject)
    .filter(([name, value]) => name !== 'kind' && value !== null && value !== '')
    .map(([name, value]) => [nameInWords(name), valueText(value)])
}

/** The command with the parts that the guard is about marked in it, below each line. */
function guardFacts({ tool, folder, command, input, marked }: GateView['subject']): [string, string][] {
  const marks = (Array.isArray(marked) ? marked : []).filter(isMark)
  const rows = markedRows(String(command), marks, Number.POSITIVE_INFINITY).flatMap(({ pieces, carets }) => [
    pieces.map(({ text }) => text).join(''),
    ...(carets === null ? [] : [carets]),
  ])
  const others = input !== null && typeof input === 'object' ? Object.entries(input) : []
  return [
    ['tool', valueText(tool)],
    ['folder', valueText(folder)],
    ...(command === null ? [] : [['command', rows.join('\n')] as [string, string]]),
    ...marks.map(({ text, why }): [string, string] => ['stopped', `${text}: ${why}`]),
    ...others.map(([name, value]): [string, string] => [nameInWords(name), valueText(value)]),
  ]
}

type Mark = { readonly start: number; readonly end: number; readonly text: string; readonly why: string }

function isMark(value: unknown): value is Mark {
  return typeof value === 'object' && value !== null && 'start' in value && 'why' in value
}

function nameInWords(name: string): string {
  return name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join('\n')
  if (isConflict(value)) return `${value.kind.replaceAll('_', ' ')}  ${value.reason}`
  if (isDrift(value)) return `${value.how.padEnd('removed'.length)}  ${value.path}`
  return isOption(value) ? proposalText(value) : JSON.stringify(value)
}

type Drift = { readonly path: string; readonly how: string }

function isDrift(value: unknown): value is Drift {
  return typeof value === 'object' && value !== null && 'path' in value && 'how' in value
}

type Conflict = { readonly kind: string; readonly reason: string }

/** Of an Apply; its reason begins with the path. */
function isConflict(value: unknown): value is Conflict {
  return typeof value === 'object' && value !== null && 'kind' in value && 'reason' in value
}

type Option = { readonly id: string; readonly label: string; readonly rationale?: string | null }

function isOption(value: unknown): value is Option {
  return typeof value === 'object' && value !== null && 'id' in value && 'label' in value
}

function proposalText({ id, label, rationale }: Option): string {
  return `${id}: ${label}${rationale ? ` (${rationale})` : ''}`
}
