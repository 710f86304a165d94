import type { Outcome, ToolRequest } from '../../domain/actor/actor.ts'
import { assertNever, type Failure, type Result, refuse } from '../../domain/failure.ts'
import { automationGates } from '../../domain/gate/automation.ts'
import { suggest } from '../../domain/nearest.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Tool, ToolContext, ToolOutcome } from '../../domain/tool.ts'
import { makeWay } from '../decision/make-way.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import { clearCall } from '../gate/clear-call.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { closeReservations, releaseUnused, reserveCost, settleCost } from '../guardrails/charge-call.ts'
import { mayTryAgain } from '../guardrails/check-retries.ts'
import { noteCall } from '../guardrails/repeated-calls.ts'
import { judgeToolCall } from '../guards/judge-tool-call.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { isAllowedAgain, judgeRetry, recoverStep, touchesOf } from './recover-step.ts'
import { resumeQuestion } from './resume-gate.ts'
import { worksInPlace } from './sandbox-facts.ts'
import { toolContext } from './tool-context.ts'
import { guide, putOutcome, requestKey, type Turn, tellFailure } from './turn.ts'
import { withRetries } from './with-retries.ts'

/** One tool call: everything that may stand against it, then the journal, then the tool. */
export async function runToolStep(turn: Turn, request: ToolRequest): Promise<Next> {
  const tool = turn.session.ports.tools.find(request.tool)
  if (!tool) return tellFailure(turn, unknownTool(turn, request.tool))
  const wantsNetwork = tool.wantsNetwork?.(request.input) === true
  const { input, costUsd } = request
  const call = { key: requestKey(turn), tool: request.tool, input, wantsNetwork, costUsd }
  const approval = await clearCall(turn, tool, call)
  switch (approval.kind) {
    case 'approved': {
      const cleared: Call = { request, tool, network: approval.network }
      return withReservation(turn, call.key, () =>
        tool.capability.writes ? runWriting(turn, cleared) : run(turn, cleared),
      )
    }
    case 'asked':
      return approval.next
    case 'changed':
      return guide(turn, `Run ${request.tool}?`, approval.answer)
    case 'refused':
      return tellFailure(turn, approval.failure)
    default:
      return assertNever(approval)
  }
}

/** Whatever comes of the call, nothing stays reserved for it: what began may have cost that much, the rest costs nothing. */
async function withReservation(
  { session: { ports }, plan }: Turn,
  key: string,
  work: () => Promise<Next>,
): Promise<Next> {
  try {
    const next = await work()
    releaseUnused(ports, key)
    return next
  } catch (error) {
    ports.store.transaction(() => closeReservations(ports, plan))
    throw error
  }
}

function unknownTool({ session }: Turn, name: string): Failure {
  const names = session.ports.tools.list().map(tool => tool.name)
  return refuse('not_found', `There is no tool called ${name}. ${suggest(name, names)}`, { tool: name })
    .failure
}

/** A call that nothing forbids. */
interface Call {
  readonly request: ToolRequest
  readonly tool: Tool
  readonly network: ToolContext['network']
}

/** A writing step begins from a recorded state, so that its partial work can be undone exactly. */
async function runWriting(turn: Turn, call: Call): Promise<Next> {
  const recorded = await recordState(turn.session, turn.cursor, `before ${call.request.step}`)
  if (!recorded.ok) return tellFailure(turn, recorded.failure)
  const ready: Turn = { ...turn, cursor: recorded.value.cursor }
  const before = turn.session.ports.store.steps.findByKey(requestKey(turn))
  const undone = before?.startedAt ? await undoPartialWork(ready, before, call) : null
  return undone ?? run(ready, call)
}

/** null when the sandbox is back at the state before the step, or a person lets it run again as it is. */
async function undoPartialWork(turn: Turn, step: Step, { network }: Call): Promise<Next | null> {
  const { ports } = turn.session
  const key = requestKey(turn)
  const answer = answerTo(ports, turn.plan, `${key}:resume`)
  const allowed = step.status === 'authorised' || answer?.decision === 'approve' || isAllowedAgain(turn)
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'restoreCheckpoint',
    decisionType: 'error_recovery',
    stated: null,
  })
  const inPlace = worksInPlace(ports, turn.plan)
  // What was sent over the network is not undone with the sandbox, so it is never sent twice unasked.
  const isUndoable = !inPlace && network === 'none' && verdict.passes
  if (!allowed && !isUndoable) return ask(ports, { ...resumeQuestion(key, step), confidence: verdict })
  const passed = automationGates.restoreCheckpoint.what
  if (!allowed) ports.store.transaction(() => recordPass(ports, turn.plan, verdict, passed))
  if (inPlace) return null
  const sandbox = await turn.session.sandbox()
  const restored = sandbox.ok ? await sandbox.value.restore(turn.cursor.sandboxState) : sandbox
  return restored.ok ? null : tellFailure(turn, restored.failure)
}

async function run(turn: Turn, { request, tool, network }: Call): Promise<Next> {
  const { session, plan, cursor } = turn
  const { ports } = session
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return tellFailure(turn, sandbox.failure)
  const entered = await sandbox.value.enter()
  if (!entered.ok) return tellFailure(turn, entered.failure)
  const authorised = ports.store.transaction(() =>
    authoriseStep(ports, plan, cursor, {
      path: request.step,
      kind: 'tool',
      tool: tool.name,
      input: request.input,
      readOnly: tool.capability.readOnly,
      idempotencyKey: requestKey(turn),
    }),
  )
  const { root, databases } = sandbox.value
  const place = { root, databases, entry: entered.value }
  const { step, result } = await runStep(session, plan, authorised, onOutput => {
    const context = toolContext(turn, { ...place, network, stepName: authorised.stepId, onOutput })
    return withRetries(turn, {
      attempt: () => tool.run(request.input, context),
      judge: () => judgeRetry(turn, touchesOf(turn, tool)),
      isStillAllowed: () => passesGuards(turn, tool, request),
      signal: session.signal,
      mayTryAgain: tried => mayTryAgain(turn, { name: tool.name, tried }, () => payAgain(turn, request)),
    })
  })
  ports.store.transaction(() => {
    settleCost(ports, plan, step.idempotencyKey)
    noteCall(ports, plan, tool, { input: request.input, result })
  })
  // The row that began is ended as interrupted by whoever lets go of the plan.
  if (session.signal.aborted) return stay
  const recovery = result.ok ? null : recoverStep({ turn, tool, network, step, failure: result.failure })
  if (recovery) return recovery
  const opened = tool.opens?.(request.input) ?? []
  const seen = result.ok ? result.value : { read: opened, written: [] }
  return (await makeWay(turn, step, seen, network)) ?? finish(turn, { step, tool, opened, result })
}

/** A person who let the call through a guard let its tries through. */
async function passesGuards(turn: Turn, tool: Tool, { input, step }: ToolRequest): Promise<boolean> {
  const { ports } = turn.session
  const key = requestKey(turn)
  if (answerTo(ports, turn.plan, `${key}:guard`)?.decision === 'approve') return true
  return (await judgeToolCall(ports, turn.plan, tool, { step, key, input })).allowed
}

/** Each try is a call of its own, which is paid for. Call it inside a transaction. */
function payAgain({ session, plan, cursor }: Turn, { tool, costUsd }: ToolRequest): boolean {
  const stepKey = requestKey({ plan, cursor })
  settleCost(session.ports, plan, stepKey)
  return reserveCost(session.ports, plan, { stepKey, costUsd, tool })?.kind !== 'exceeded'
}

interface Ran {
  readonly step: Step
  readonly tool: Tool
  /** Where it failed, it looked at those, and whoever writes one of them later matters to it. */
  readonly opened: readonly RelPath[]
  readonly result: Result<ToolOutcome>
}

function finish({ session, cursor }: Turn, { step, tool, opened, result }: Ran): Next {
  const outcome: Outcome = result.ok
    ? { kind: 'tool_result', output: result.value.output }
    : { kind: 'tool_refused', failure: result.failure }
  const ended: Step = {
    ...step,
    status: result.ok ? 'done' : 'failed',
    outcome,
    summary: result.ok ? result.value.summary : result.failure.message,
    read: result.ok ? result.value.read : opened,
    written: result.ok ? result.value.written : 'unknown',
  }
  return {
    event: null,
    commit: plan => {
      const searched = result.ok ? tool.searches?.(step.input) : null
      recordInfluences(session.ports, plan, ended, searched)
      endStep(session.ports, plan, ended)
      const written = step.readOnly ? cursor.written : joined(cursor.written, ended.written)
      putOutcome(session, { ...cursor, written }, outcome)
    },
  }
}

function joined(before: Cursor['written'], after: Step['written']): Cursor['written'] {
  if (before === 'unknown' || after === 'unknown') return 'unknown'
  return [...new Set<RelPath>([...before, ...after])]
}
