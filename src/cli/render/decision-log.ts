import type { DecisionView } from '../../a2a/protocol/views/decision.ts'
import type { DecisionLogView } from '../../a2a/protocol/views/decision-log.ts'
import type { GateView } from '../../a2a/protocol/views/gate.ts'
import { sanitize } from '../../text/sanitize.ts'
import { counted, scoreText } from './words.ts'

type LoggedPlan = DecisionLogView['plans'][number]

/** The decision log as a page for people: each plan with its decisions, who took them, and what was asked. */
export function decisionLogMarkdown(log: DecisionLogView): string {
  const lines = [
    ...log.plans.flatMap(plan => planPart(plan, log)),
    ...filesPart(log),
    ...listed(
      'Taken out',
      log.redactions.map(({ path, kind }) => `${kind} at \`${path}\``),
    ),
    '---',
    '',
    `Decision log version ${log.version}, exported ${log.exported_at}, checksum \`${log.checksum}\`.`,
  ]
  return `${lines.join('\n')}\n`
}

function planPart(plan: LoggedPlan, log: DecisionLogView): string[] {
  const own = <Entry extends { readonly plan_id: string }>(entries: readonly Entry[]) =>
    entries.filter(({ plan_id }) => plan_id === plan.plan_id)
  const args = Object.entries(plan.args).map(([name, value]) => `${name}: \`${JSON.stringify(value)}\``)
  return [
    `${plan.plan_id === log.plan_id ? '#' : '##'} ${text(plan.name)}`,
    '',
    text(plan.description),
    '',
    `- state: ${plan.phase} ${plan.state}${plan.reason === null ? '' : `: ${text(plan.reason)}`}`,
    `- action: ${text(plan.action)}, done when: ${text(plan.definition_of_done)}`,
    `- project: ${text(plan.project)}, profile: ${plan.profile.name} (${plan.profile.source}), attempt ${plan.attempt}`,
    `- cost: ${plan.cost_usd === null ? 'unknown' : `${plan.cost_usd.toFixed(2)} USD`}${plan.tokens > 0 ? `, ${plan.tokens} tokens` : ''}`,
    ...args.map(arg => `- ${text(arg)}`),
    '',
    ...strategyItems(plan),
    ...listed('Invariants', plan.invariants.map(invariantText)),
    ...listed('Decisions', own(log.decisions).flatMap(decisionItems)),
    ...listed(
      'Passed by itself',
      own(log.passes).map(
        pass => `${text(pass.about)}: ${scoreText(pass.confidence)} against ${scoreText(pass.threshold)}`,
      ),
    ),
    ...listed('Asked', own(log.gates).map(gateText)),
    ...listed(
      'Stopped',
      own(log.stops).map(({ kind, reason }) => `${kind}: ${text(reason)}`),
    ),
    ...listed(
      'Corrections',
      own(log.corrections).map(
        ({ mode, status, guidance, superseded_ids }) =>
          `${mode}, ${status}: ${text(guidance)} (${counted(superseded_ids.length, 'decision')} superseded)`,
      ),
    ),
    ...listed(
      'Validations',
      own(log.validations).map(
        ({ validation, command, result, required }) =>
          `${validation === null ? '' : `${text(validation)} `}\`${text(command)}\` ${result}${required ? '' : ', informational'}`,
      ),
    ),
  ]
}

function invariantText({ text: words, source, over }: LoggedPlan['invariants'][number]): string {
  const chosen = over.map(other => `; over "${text(other.text)}": ${text(other.why)}`)
  return `${text(words)} (${text(source)})${chosen.join('')}`
}

function decisionItems(decision: DecisionView): string[] {
  const { number, question, chosen_option: chosen, gate_confidence: gate, confidence } = decision
  const numbers = [
    confidence === null ? null : `stated ${scoreText(confidence)}`,
    gate && `counted ${scoreText(gate.effective)}, needed ${scoreText(gate.threshold)}`,
  ].filter(part => part !== null)
  const gone = decision.status === 'superseded' ? ` ~~superseded by a ${decision.superseded_reason}~~` : ''
  return [
    `**#${number} ${text(question)}** ${text(chosen.label)}, decided by ${decision.decided_by}${numbers.length > 0 ? ` (${numbers.join('; ')})` : ''}${gone}`,
    ...(decision.rationale === '' ? [] : [`  ${text(decision.rationale)}`]),
    ...decision.alternatives.map(
      ({ label, rationale }) => `  not ${text(label)}${rationale === null ? '' : `: ${text(rationale)}`}`,
    ),
  ]
}

function gateText({ question, status, answer, resolved_by, reason }: GateView): string {
  const said =
    status === 'resolved' && answer
      ? `${answer.decision.replace('_', ' ')}${answer.option_id === null ? '' : ` (${answer.option_id})`} by ${text(resolved_by ?? '')}${answer.note === null ? '' : `: ${text(answer.note)}`}`
      : status
  return `${text(question)} ${said}. Asked because ${text(reason)}`
}

function filesPart({ files, files_problem }: DecisionLogView): string[] {
  if (files === null) return ['## Files', '', text(files_problem ?? ''), '']
  return listed(
    'Files',
    files.map(
      ({ path, status, additions, deletions }) => `\`${text(path)}\` ${status} +${additions} -${deletions}`,
    ),
  )
}

function strategyItems({ strategy }: LoggedPlan): string[] {
  if (strategy === null) return []
  const by = strategy.edited_by === null ? '' : `, edited by ${text(strategy.edited_by)}`
  const lines = strategy.text.split('\n').map(line => `> ${sanitize(line)}`)
  return [`### Strategy, revision ${strategy.revision}${by}`, '', ...lines, '']
}

function listed(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  return [
    `### ${title}`,
    '',
    ...items.map(item => (item.startsWith('  ') ? `  - ${item.trim()}` : `- ${item}`)),
    '',
  ]
}

/** Words of others cannot become structure of the page: one line, and no tags. */
function text(words: string): string {
  return sanitize(words.replace(/\s*\n\s*/g, ' ')).replaceAll('<', '&lt;')
}
