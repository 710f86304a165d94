import { nearest } from '../../../domain/nearest.ts'
import type { GateView } from '../../protocol/views/gate.ts'

export type TextAnswer =
  | { readonly kind: 'answer'; readonly decision: 'approve' | 'reject'; readonly optionId: string | null }
  /** Not an answer, and never an approval: what the actor should take into account. */
  | { readonly kind: 'guidance'; readonly guidance: string }
  /** Too close to an answer to be guidance, and not exactly one: asked again, with the reason. */
  | { readonly kind: 'unclear'; readonly why: string }

/** What a person typed at a gate. Only a number, an option's id or label, or approve or reject count, exactly. */
export function readTextAnswer(text: string, gate: Pick<GateView, 'options' | 'confirm_word'>): TextAnswer {
  const typed = text.trim()
  if (gate.confirm_word !== null && typed === gate.confirm_word) return approval(null)
  const matching = gate.options.filter((option, index) => isNamed(typed, option, index))
  if (matching.length > 1)
    return { kind: 'unclear', why: `"${typed}" names more than one option; answer with its number.` }
  const [option] = matching
  const word = typed.toLowerCase()
  const decision = option?.effect ?? (word === 'approve' || word === 'reject' ? word : null)
  if (decision === 'reject') return { kind: 'answer', decision, optionId: option?.id ?? null }
  if (decision === null) return otherText(typed, gate)
  if (gate.confirm_word === null) return approval(option?.id ?? null)
  return { kind: 'unclear', why: `This is approved by typing ${gate.confirm_word}, nothing shorter.` }
}

/** Would this have been an answer? Tells a late answer from guidance. */
export function looksLikeAnswer(text: string, gate: Pick<GateView, 'options' | 'confirm_word'>): boolean {
  return readTextAnswer(text, gate).kind !== 'guidance'
}

function approval(optionId: string | null): TextAnswer {
  return { kind: 'answer', decision: 'approve', optionId }
}

function isNamed(typed: string, option: { readonly id: string; readonly label: string }, index: number) {
  const word = typed.toLowerCase()
  return word === String(index + 1) || word === option.id.toLowerCase() || word === option.label.toLowerCase()
}

function otherText(typed: string, gate: Pick<GateView, 'options'>): TextAnswer {
  const names = gate.options.flatMap(option => [option.id, option.label])
  const isNumber = /^#?\d+[.)]?$/.test(typed)
  const isAlmost = nearest(typed, [...names, 'approve', 'reject']).length > 0 || ALMOST.has(bare(typed))
  if (typed === '' || isNumber || isAlmost)
    return { kind: 'unclear', why: `"${typed}" is none of the answers, so nothing was decided.` }
  return { kind: 'guidance', guidance: typed }
}

/** Short words that mean yes or no to people, but not clearly enough to act on. */
const ALMOST = new Set(
  ['yes', 'y', 'ok', 'okay', 'sure', 'go', 'go on', 'continue', 'lgtm', 'no', 'n', 'stop', 'cancel'].concat([
    'approved',
    'rejected',
    'yes please',
    'no thanks',
  ]),
)

function bare(text: string): string {
  return text.toLowerCase().replace(/[.!,]+$/, '')
}
