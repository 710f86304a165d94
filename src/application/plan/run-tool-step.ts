import type { Outcome, ToolRequest } from '../../domain/actor/actor.ts'
import { type Failure, failureCodes, type Result, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Tool, ToolOutcome } from '../../domain/tool.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { guide, putOutcome, requestKey } from '../decision/settle-decision.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import { stepApproval } from '../gate/approve-step.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { resumeQuestion } from './resume-gate.ts'
import type { PlanSession } from './session.ts'
import { toolContext } from './tool-context.ts'

/** One tool call: hard safety limits, then a person where every step needs one, then the journal, then the tool. */
export async function runToolStep(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ToolRequest,
): Promise<Next> {
  const { ports } = session
  const tool = ports.tools.find(request.tool)
  if (!tool) return tellFailure(session, cursor, unknownTool(session, request.tool))
  const blocked = hardBlock(plan, tool)
  if (blocked) return tellFailure(session, cursor, blocked)
  const approval = stepApproval(session, plan, cursor, request)
  if (approval.kind === 'asked') return approval.next
  if (approval.kind === 'changed') return guide(session, cursor, `Run ${request.tool}?`, approval.answer)
  if (approval.kind === 'refused') return tellFailure(session, cursor, approval.failure)
  return tool.capability.writes
    ? runWriting(session, plan, cursor, request, tool)
    : run(session, plan, cursor, request, tool)
}

function unknownTool(session: PlanSession, name: string): Failure {
  const names = session.ports.tools.list().map(tool => tool.name)
  return refuse('not_found', `There is no tool called ${name}. ${suggest(name, names)}`, { tool: name })
    .failure
}

/** Safety is not a question of confidence: these calls are refused, not asked about. */
function hardBlock(plan: Plan, tool: Tool): Failure | null {
  if (plan.position === 'strategize/running' && !tool.capability.readOnly)
    return refuse('denied', `${tool.name} writes; Strategize only reads.`, { tool: tool.name }).failure
  if (plan.action.readOnly && tool.capability.writes && tool.name !== 'builtin/run_command')
    return refuse('denied', `${tool.name} writes; the action ${plan.action.name} is read-only.`, {
      tool: tool.name,
    }).failure
  if (tool.capability.unsafe && !plan.profile.safety.allowUnsafeTools)
    return refuse(
      'denied',
      `${tool.name} is unsafe; profile ${plan.profile.name} does not allow unsafe tools.`,
      {
        tool: tool.name,
      },
    ).failure
  return null
}

/** A writing step begins from a recorded state, so that its partial work can be undone exactly. */
async function runWriting(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ToolRequest,
  tool: Tool,
): Promise<Next> {
  const recorded = await recordState(session, cursor, `before ${request.step}`)
  if (!recorded.ok) return tellFailure(session, cursor, recorded.failure)
  const before = session.ports.store.steps.findByKey(requestKey(plan, cursor))
  if (before?.startedAt) {
    const undone = await undoPartialWork(session, plan, recorded.value.cursor, before)
    if (undone) return undone
  }
  return run(session, plan, recorded.value.cursor, request, tool)
}

/** null when the sandbox is back at the state before the step, so that it may run again. */
export async function undoPartialWork(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  step: Step,
): Promise<Next | null> {
  const { ports } = session
  const key = requestKey(plan, cursor)
  const answer = answerTo(ports, plan, `${key}:resume`)
  const allowed = step.status === 'authorised' || answer?.decision === 'approve'
  const verdict = judgeOperation(ports, plan, {
    gate: 'restoreCheckpoint',
    decisionType: 'error_recovery',
    stated: null,
  })
  if (!allowed && !verdict.passes) return ask(ports, { ...resumeQuestion(key, step), confidence: verdict })
  const sandbox = await session.sandbox()
  const restored = sandbox.ok ? await sandbox.value.restore(cursor.sandboxState) : sandbox
  return restored.ok ? null : tellFailure(session, cursor, restored.failure)
}

async function run(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ToolRequest,
  tool: Tool,
): Promise<Next> {
  const { ports } = session
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return tellFailure(session, cursor, sandbox.failure)
  const authorised = ports.store.transaction(() =>
    authoriseStep(ports, plan, cursor, {
      path: request.step,
      kind: 'tool',
      tool: tool.name,
      input: request.input,
      readOnly: tool.capability.readOnly,
      idempotencyKey: requestKey(plan, cursor),
    }),
  )
  const { step, result } = await runStep(session, plan, authorised, onOutput =>
    withRetries(session, plan, () =>
      tool.run(request.input, toolContext(session, plan, sandbox.value.root, authorised.stepId, onOutput)),
    ),
  )
  // The row that began is ended as interrupted by whoever lets go of the plan.
  if (session.signal.aborted) return stay
  return finish(session, cursor, step, result)
}

/** T10: transient failures are tried again after a growing pause, where the profile lets that happen by itself. */
async function withRetries(
  session: PlanSession,
  plan: Plan,
  attempt: () => Promise<Result<ToolOutcome>>,
): Promise<Result<ToolOutcome>> {
  const { ports, signal } = session
  for (let tried = 0; ; tried++) {
    const result = await attempt()
    if (result.ok || !failureCodes[result.failure.code].retryHelps || result.failure.code === 'interrupted')
      return result
    const verdict = judgeOperation(ports, plan, {
      gate: 'retryTransient',
      decisionType: 'error_recovery',
      stated: null,
    })
    if (!verdict.passes || tried >= plan.profile.safety.maxRetriesPerStep || signal.aborted) return result
    await ports.clock.wait(Math.min(30_000, 1_000 * 2 ** tried), signal)
  }
}

function finish(session: PlanSession, cursor: Cursor, step: Step, result: Result<ToolOutcome>): Next {
  const outcome: Outcome = result.ok
    ? { kind: 'tool_result', output: result.value.output }
    : { kind: 'tool_refused', failure: result.failure }
  const ended: Step = {
    ...step,
    status: result.ok ? 'done' : 'failed',
    outcome,
    summary: result.ok ? result.value.summary : result.failure.message,
    read: result.ok ? result.value.read : [],
    written: result.ok ? result.value.written : 'unknown',
  }
  return {
    event: null,
    commit: plan => {
      endStep(session.ports, plan, ended)
      recordInfluences(session.ports, plan, ended)
      const written = step.readOnly ? cursor.written : joined(cursor.written, ended.written)
      putOutcome(session, { ...cursor, written }, outcome)
    },
  }
}

function joined(before: Cursor['written'], after: Step['written']): Cursor['written'] {
  if (before === 'unknown' || after === 'unknown') return 'unknown'
  return [...new Set<RelPath>([...before, ...after])]
}

/** A refused call goes back to the actor as text it can act on. */
export function tellFailure(session: PlanSession, cursor: Cursor, failure: Failure): Next {
  if (session.signal.aborted) return stay
  return { event: null, commit: () => putOutcome(session, cursor, { kind: 'tool_refused', failure }) }
}
