import { textOf, toolCallsOf } from '../../domain/model/message.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Answer } from '../backend/decision.ts'
import type { Ports } from '../ports.ts'

/** What models answered in these steps, and what it cost. */
export function answersIn(ports: Ports, steps: readonly Step[]): Answer[] {
  return steps.filter(({ kind }) => kind === 'model').map(step => answerOf(ports, step))
}

function answerOf({ store }: Ports, step: Step): Answer {
  const paid = store.ledger.ofStep(step.idempotencyKey).filter(({ state }) => state === 'settled')
  const isKnown = paid.every(({ basis }) => basis === 'known')
  return {
    step,
    model: String(step.input['model']),
    tokens: paid.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: isKnown ? paid.reduce((sum, { usd }) => sum + usd, 0) : null,
    ...repliedIn(step),
  }
}

const SHOWN_LINES = 3

function repliedIn({ outcome, summary }: Step): Pick<Answer, 'beginning' | 'messageId'> {
  if (outcome?.kind !== 'model_replied') return { beginning: summary, messageId: null }
  const lines = textOf(outcome.reply).trim().split('\n').filter(Boolean)
  const calls = toolCallsOf(outcome.reply).map(({ tool, input }) => `calls ${tool} ${input}`)
  const shown = [...lines.slice(0, SHOWN_LINES), ...(lines.length > SHOWN_LINES ? ['...'] : []), ...calls]
  return { beginning: shown.join('\n'), messageId: outcome.head }
}
