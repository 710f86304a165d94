import type { ModelRequest, Outcome } from '../../domain/actor/actor.ts'
import { offeredTools } from '../../domain/actor/model/offered-tools.ts'
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import type { MessageId } from '../../domain/ids.ts'
import { textOf } from '../../domain/model/message.ts'
import { isForActor } from '../../domain/model/refusal.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { atLimit } from '../guardrails/at-limit.ts'
import { reserveAnswer, settleAnswer } from '../guardrails/charge-model.ts'
import { mayTryAgain } from '../guardrails/check-retries.ts'
import { timeExceeded } from '../guardrails/check-time.ts'
import type { ModelCall, ModelReply } from '../ports/model.ts'
import { arrivingAnswer } from './arriving-answer.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay, withCommit } from './next.ts'
import { askAgain, isTransient, judgeRetry } from './recover-step.ts'
import { describe } from './resume-gate.ts'
import { putOutcome, requestKey, type Turn } from './turn.ts'
import { withRetries } from './with-retries.ts'

/** What is asked, and where in the tree of messages. */
interface Asking {
  readonly call: ModelCall
  /** The last message that the model reads; its reply comes below it. */
  readonly said: MessageId
}

/**
 * One answer of a model: what is said to it is in the tree of messages before it is asked, and its reply when the step
 * ends. It changes nothing, so one that was cut short is simply asked again; what had arrived stays in the tree, beside
 * the branch that goes on.
 */
export async function runModelStep(turn: Turn, request: ModelRequest): Promise<Next> {
  const { session, plan, cursor } = turn
  const { ports } = session
  const key = requestKey(turn)
  const { model, tools, after } = request
  const said = ports.store.transaction(() =>
    ports.store.messages.append(plan.planId, request.after, request.say),
  )
  if (said === null) throw new Error(`${request.step} of plan ${plan.planId} says nothing`)
  const asking: Asking = { said, call: callFor(turn, request, said) }
  const begun = ports.store.transaction(() => {
    const excess = timeExceeded(turn, `${key}:call`) ?? reserveAnswer(ports, plan, key, asking.call)
    if (excess) return { excess }
    const wanted = {
      path: request.step,
      kind: 'model',
      tool: null,
      input: { model, tools, after, said },
    } as const
    return { step: authoriseStep(ports, plan, cursor, { ...wanted, readOnly: true, idempotencyKey: key }) }
  })
  return begun.step ? answer(turn, asking, begun.step) : atLimit(turn, key, begun.excess)
}

function callFor({ session }: Turn, request: ModelRequest, said: MessageId): ModelCall {
  const { store, tools } = session.ports
  return {
    model: request.model,
    messages: store.messages.path(said),
    tools: offeredTools(request.tools, tools.list()),
    maxOutputTokens: request.maxOutputTokens,
  }
}

async function answer(turn: Turn, asking: Asking, authorised: Step): Promise<Next> {
  const { session, plan } = turn
  const stopping = AbortSignal.any([session.signal, session.pausing])
  let cut: ModelReply | null = null
  const { step, result } = await runStep(session, plan, authorised, async onOutput => {
    const arriving = arrivingAnswer(onOutput)
    const answered = await untilStopped(stopping, () =>
      withRetries(turn, {
        signal: stopping,
        judge: () => judgeRetry(turn, ['read_only']),
        mayTryAgain: tried =>
          mayTryAgain(turn, { name: asking.call.model, tried }, () => payAgain(turn, asking, arriving.cut())),
        attempt: () => {
          arriving.clear()
          return session.ports.models.call(asking.call, { signal: stopping, onPart: arriving.take })
        },
      }),
    )
    cut = arriving.cut()
    return answered
  })
  const isWhole = result.ok && !(result.value.message.isCut && stopping.aborted)
  if (session.signal.aborted || (stopping.aborted && !isWhole)) {
    keepCut(turn, asking, { step, reply: result.ok ? result.value : cut })
    return stay
  }
  return result.ok
    ? replied(turn, asking, step, result.value)
    : failed(turn, asking, { step, failure: result.failure, cut })
}

/** Stopped, it has not failed; whatever it throws then is the stop. */
async function untilStopped(
  stopping: AbortSignal,
  work: () => Promise<Result<ModelReply>>,
): Promise<Result<ModelReply>> {
  try {
    return await work()
  } catch (error) {
    if (!stopping.aborted) throw error
    return refuse('interrupted', 'The answer was cut short.')
  }
}

/** Each try is a call of its own. Call it inside a transaction. */
function payAgain(turn: Turn, asking: Asking, cut: ModelReply | null): boolean {
  const { session, plan } = turn
  keepReply(turn, asking, cut)
  return reserveAnswer(session.ports, plan, requestKey(turn), asking.call) === null
}

/** Into the tree and the ledger; returns where it stands in the tree. Call it inside a transaction. */
function keepReply(turn: Turn, { call, said }: Asking, reply: ModelReply | null): MessageId {
  const { session, plan } = turn
  const { ports } = session
  settleAnswer(ports, plan, requestKey(turn), { call, reply })
  if (reply === null || reply.message.parts.length === 0) return said
  return ports.store.messages.append(plan.planId, said, [reply.message]) ?? said
}

function replied(turn: Turn, asking: Asking, step: Step, reply: ModelReply): Next {
  const { ports } = turn.session
  return {
    event: null,
    commit: plan => {
      const head = keepReply(turn, asking, reply)
      const outcome = outcomeOf(head, reply)
      endStep(ports, plan, { ...step, status: 'done', outcome, summary: summaryOf(reply) })
      putOutcome(turn.session, turn.cursor, outcome)
    },
  }
}

function outcomeOf(head: MessageId, { message, usage }: ModelReply): Outcome {
  return { kind: 'model_replied', head, reply: message, usage }
}

/** The row says what had arrived, until it is asked again. Nothing is written where somebody ended it already. */
function keepCut(
  turn: Turn,
  asking: Asking,
  { step, reply }: { readonly step: Step; readonly reply: ModelReply | null },
): void {
  const { session, plan } = turn
  const { ports } = session
  ports.store.transaction(() => {
    if (ports.store.steps.find(step.stepId)?.status !== 'started') return
    const head = keepReply(turn, asking, reply)
    const outcome = reply && head !== asking.said ? outcomeOf(head, reply) : null
    const summary = outcome ? `cut short; what had arrived is message ${head.slice(0, 12)}` : 'cut short'
    endStep(ports, plan, { ...step, status: 'interrupted', outcome, summary })
  })
}

interface Failed {
  readonly step: Step
  readonly failure: Failure
  readonly cut: ModelReply | null
}

/** Only what it can do something about goes to the actor; the rest is about the world, which a person puts right. */
function failed(turn: Turn, asking: Asking, { step, failure, cut }: Failed): Next {
  const { ports } = turn.session
  const outcome = { kind: 'model_refused', failure } as const
  const next: Next = isForActor(failure)
    ? { event: null, commit: () => putOutcome(turn.session, turn.cursor, outcome) }
    : askAboutModel(turn, step, failure)
  return withCommit(next, plan => {
    keepReply(turn, asking, cut)
    endStep(ports, plan, { ...step, status: 'failed', outcome, summary: failure.message })
  })
}

function askAboutModel(turn: Turn, step: Step, failure: Failure): Next {
  const verdict = isTransient(failure) ? judgeRetry(turn, ['read_only']) : null
  if (verdict === null || verdict.passes)
    return askAboutFailure(turn.session, requestKey(turn), describe(step), failure)
  return askAgain(turn, 'retry', {
    step,
    failure,
    verdict,
    question: 'Ask it again?',
    option: 'Ask again',
    description: 'It has changed nothing; what had arrived stays with its messages.',
    reason: null,
  })
}

/** One line for people. */
function summaryOf({ message }: ModelReply): string {
  const calls = message.parts.flatMap(part => (part.kind === 'tool_call' ? [part.tool] : []))
  const text = textOf(message).trim().split('\n', 1)[0] ?? ''
  return [text, ...(calls.length > 0 ? [`asks for ${calls.join(', ')}`] : [])].filter(Boolean).join(' · ')
}
