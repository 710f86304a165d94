import type { ModelRequest, Outcome } from '../../domain/actor/actor.ts'
import { offeredTools } from '../../domain/actor/model/offered-tools.ts'
import { ok, type Result } from '../../domain/failure.ts'
import { textOf } from '../../domain/model/message.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { ModelReply } from '../ports/model.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { putOutcome, requestKey, type Turn } from './turn.ts'

/**
 * One answer of a model: what is said to it is in the tree of messages before it is asked, and its reply when the step
 * ends. It changes nothing, so one that was cut short is simply asked again.
 */
export async function runModelStep(turn: Turn, request: ModelRequest): Promise<Next> {
  const { session, plan, cursor } = turn
  const { ports, signal } = session
  const { model, tools } = request
  const { authorised, said } = ports.store.transaction(() => ({
    said: ports.store.messages.append(plan.planId, request.after, request.say),
    authorised: authoriseStep(ports, plan, cursor, {
      path: request.step,
      kind: 'model',
      tool: null,
      input: { model, tools },
      readOnly: true,
      idempotencyKey: requestKey(turn),
    }),
  }))
  if (said === null) throw new Error(`${request.step} of plan ${plan.planId} says nothing`)
  const messages = ports.store.messages.path(said)
  const offered = offeredTools(tools, ports.tools.list())
  let reply: ModelReply | null = null
  const { step, result } = await runStep(session, plan, authorised, async onOutput => {
    const answer = await ports.models.call(
      { model, messages, tools: offered, maxOutputTokens: request.maxOutputTokens },
      { signal, onPart: ({ text }) => onOutput(text) },
    )
    if (!answer.ok) return answer
    reply = answer.value
    return ok({ output: {}, summary: summaryOf(answer.value), read: [], written: [] })
  })
  // The row that began is ended as interrupted by whoever lets go of the plan.
  if (signal.aborted) return stay
  return finish(turn, { step, said, answer: reply === null ? asRefusal(result) : ok(reply) })
}

function asRefusal(result: Result<unknown>): Result<never> {
  if (result.ok) throw new Error('a model answered, and its answer was lost')
  return result
}

interface Answered {
  readonly step: Step
  readonly said: NonNullable<ModelRequest['after']>
  readonly answer: Result<ModelReply>
}

function finish({ session, cursor }: Turn, { step, said, answer }: Answered): Next {
  const { ports } = session
  return {
    event: null,
    commit: plan => {
      const outcome = ((): Outcome => {
        if (!answer.ok) return { kind: 'model_refused', failure: answer.failure }
        const { message, usage } = answer.value
        const head = ports.store.messages.append(plan.planId, said, [message])
        return { kind: 'model_replied', head: head ?? said, reply: message, usage }
      })()
      endStep(ports, plan, {
        ...step,
        status: answer.ok ? 'done' : 'failed',
        outcome,
        summary: answer.ok ? summaryOf(answer.value) : answer.failure.message,
      })
      putOutcome(session, cursor, outcome)
    },
  }
}

/** One line for people. */
function summaryOf({ message }: ModelReply): string {
  const calls = message.parts.flatMap(part => (part.kind === 'tool_call' ? [part.tool] : []))
  const text = textOf(message).trim().split('\n', 1)[0] ?? ''
  return [text, ...(calls.length > 0 ? [`asks for ${calls.join(', ')}`] : [])].filter(Boolean).join('; ')
}
