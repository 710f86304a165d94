import type { Message } from '../../model/message.ts'
import { estimatedTokens } from '../../model/usage.ts'
import type { DecisionRequest, KeptDecision, ModelRequest } from '../actor.ts'
import type { ModelState } from './model-state.ts'
import { namesOffered } from './offered-tools.ts'
import { SUMMARISE } from './prompts.ts'
import type { Terms } from './terms.ts'

/** The next answer of the model, or a summary of what was said so far. */
export function modelRequest(terms: Terms, state: ModelState): ModelRequest {
  const { head, isCompacting, phase } = state
  return {
    kind: 'call_model',
    step: `model[${state.answers + 1}]${isCompacting ? '.summary' : ''}`,
    model: terms.model,
    after: head,
    say: isCompacting ? [{ role: 'user', text: SUMMARISE }] : newMessages(state),
    tools: isCompacting ? [] : namesOffered(phase, terms.tools),
    maxOutputTokens: mostOutput(terms),
  }
}

/** What was not said yet. The rest is in the tree. */
function newMessages({ unsaid, results, notes }: ModelState): Message[] {
  return [
    ...unsaid,
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, results }]),
    ...(notes.length === 0 ? [] : [{ role: 'user' as const, text: notes.join('\n\n') }]),
  ]
}

/** Also what is reserved for it, so no more than an answer can need. */
function mostOutput({ contextTokens, maxOutputTokens }: Terms): number {
  return Math.max(1, Math.min(maxOutputTokens, 32_000, Math.floor(contextTokens / 4)))
}

/**
 * Whether the history is to be summed up first. Once is enough: what a summary does not make short enough is short as
 * it can be.
 */
export function needsSummary(terms: Terms, state: ModelState): boolean {
  const { head, compactedAt, answers, tokens } = state
  if (head === null || compactedAt === answers) return false
  return tokens + tokensToSay(state) + mostOutput(terms) > terms.contextTokens * 0.9
}

export function tokensToSay(state: ModelState): number {
  const texts = newMessages(state).flatMap(message => {
    if (message.role === 'tool') return message.results.map(({ text }) => text)
    return 'text' in message ? [message.text] : []
  })
  return texts.reduce((sum, text) => sum + estimatedTokens(text), 0)
}

/** How long the next result of this answer may be: no single one, and not all of them, may fill what the model reads. */
export function mostCharacters({ contextTokens }: Terms, { results }: ModelState): number {
  const one = Math.min(40_000, Math.max(2_000, Math.floor(contextTokens / 3)))
  const said = results.reduce((sum, { text }) => sum + text.length, 0)
  return Math.max(1_000, Math.min(one, one * 3 - said))
}

/** Asked for as it was, so that it is answered as it was decided. */
export function keptRequest(kept: KeptDecision): DecisionRequest {
  const { key, type, question, options, proposed } = kept
  return {
    kind: 'record_decision',
    step: `kept[${key}]`,
    key,
    type,
    question,
    options,
    chosen: proposed,
    confidence: null,
    rationale: 'kept through a correction',
    dependsOn: [],
    influencedBy: [],
    parentKey: null,
    unclearGuidance: null,
  }
}
