import * as z from 'zod'
import { GATE_PART, type GatePart, gateAnswerPart } from '../../protocol/gate.ts'
import type { GateView } from '../../protocol/views/gate.ts'

/** A gate as any client can show it: words that a person can answer, and data that a program can. */
export interface GateMessage {
  readonly text: string
  readonly data: GatePart
}

export function gateMessage(gate: GateView, waiting: number): GateMessage {
  return { text: gateText(gate, waiting), data: gateData(gate) }
}

function gateText(gate: GateView, waiting: number): string {
  const asks = gate.path.length > 1 ? [`asked by ${gate.path.join(' / ')}`] : []
  const lines = [gate.question, ...asks, ...subjectLines(gate.subject), gate.reason]
  if (waiting > 1) lines.push(`(${waiting} questions wait; this is the first.)`)
  lines.push('', ...gate.options.map(optionLine), howToAnswer(gate))
  return lines.filter((line, index) => line !== '' || index > 0).join('\n')
}

function optionLine(option: GateView['options'][number], index: number): string {
  return `${index + 1}. ${option.label}${option.description ? ` (${option.description})` : ''}`
}

function howToAnswer(gate: GateView): string {
  const other = gate.takes_changes ? ' Any other text is taken as guidance for another proposal.' : ''
  if (gate.confirm_word !== null) return `Type ${gate.confirm_word} to approve, or reject.${other}`
  const numbers = gate.options.length > 0 ? 'the number or the words of an option, or with ' : ''
  return `Answer with ${numbers}approve or reject.${other}`
}

/** Everything the gate would let happen, in lines; nothing is shortened, since the answer is bound to all of it. */
function subjectLines(subject: GateView['subject']): string[] {
  return Object.entries(subject)
    .filter(([key, value]) => key !== 'kind' && value !== null && value !== '')
    .map(
      ([key, value]) =>
        `${key.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
}

function gateData(gate: GateView): GatePart {
  return {
    type: GATE_PART,
    version: 1,
    gate_id: gate.gate_id,
    plan_id: gate.plan_id,
    path: gate.path,
    kind: gate.kind,
    question: gate.question,
    reason: gate.reason,
    options: gate.options,
    default: 'reject',
    digest: gate.digest,
    confirm_word: gate.confirm_word,
    details: gate.subject,
    answer_schema: answerSchema(),
  }
}

let madeAnswerSchema: Record<string, unknown> | null = null

/** Made when the first gate is shown as a message. */
function answerSchema(): Record<string, unknown> {
  madeAnswerSchema ??= z.toJSONSchema(gateAnswerPart, { io: 'input' })
  return madeAnswerSchema
}
