import type { Outcome, ValidateRequest } from '../../domain/actor/actor.ts'
import { assertNever, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { ToolOutcome } from '../../domain/tool.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { guide, putOutcome, requestKey } from '../decision/settle-decision.ts'
import { type Recorded, recordState } from '../decision/take-checkpoint.ts'
import { stepApproval } from '../gate/approve-step.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { afterFailedCheck, askAboutCheck } from '../gate/failed-check.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import type { PlanSession } from './session.ts'
import { toolContext } from './tool-context.ts'

type Validated = Extract<Outcome, { kind: 'validated' }>

const COMMAND_TOOL = 'builtin/run_command'

/**
 * Runs a check on the plan's work. A check only looks: whatever it writes into the sandbox is thrown away again. Checks
 * that the folder itself declares run only when the folder is trusted; those that cannot run block nothing.
 */
export async function runValidation(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ValidateRequest,
): Promise<Next> {
  const answered = afterFailedCheck(session, plan, cursor, request)
  if (answered) return answered
  const ready = await makeReady(session, cursor, request)
  if (!ready.ok) return askAboutFailure(session, requestKey(plan, cursor), request.step, ready.failure)
  const { sandbox, recorded } = ready.value
  const reason = await notRun(session, plan, sandbox, request)
  const approval = reason ? null : approve(session, plan, recorded.cursor, request)
  if (approval) return approval
  if (reason) {
    const step = authorise(session, plan, cursor, request)
    return settle(session, plan, recorded.cursor, request, step, outcomeOf('not_run', reason))
  }
  const { step, result } = await runCheck(session, plan, recorded.cursor, request, sandbox)
  const cleaned = await sandbox.restore(recorded.state)
  if (session.signal.aborted) return stay
  if (!cleaned.ok) return askAboutFailure(session, requestKey(plan, cursor), request.step, cleaned.failure)
  const ran: Step = { ...step, read: 'unknown' }
  return settle(session, plan, recorded.cursor, request, ran, validated(result, request))
}

/** A check begins from a recorded state, to which the sandbox returns afterwards. */
async function makeReady(
  session: PlanSession,
  cursor: Cursor,
  request: ValidateRequest,
): Promise<Result<{ sandbox: Sandbox; recorded: Recorded }>> {
  const recorded = await recordState(session, cursor, `before ${request.step}`)
  if (!recorded.ok) return recorded
  const sandbox = await session.sandbox()
  return sandbox.ok ? ok({ sandbox: sandbox.value, recorded: recorded.value }) : sandbox
}

/** null when the check may run. One that a person refuses counts as failed: nobody knows whether it would pass. */
function approve(session: PlanSession, plan: Plan, cursor: Cursor, request: ValidateRequest): Next | null {
  const { command } = request
  const approval = stepApproval(session, plan, cursor, { tool: COMMAND_TOOL, input: { command } })
  switch (approval.kind) {
    case 'approved':
      return null
    case 'asked':
      return approval.next
    case 'changed':
      return guide(session, cursor, `Run ${command}?`, approval.answer)
    case 'refused': {
      const outcome = outcomeOf('failed', approval.failure.message)
      return { event: null, commit: () => putOutcome(session, cursor, outcome) }
    }
    default:
      return assertNever(approval)
  }
}

async function notRun(
  session: PlanSession,
  plan: Plan,
  sandbox: Sandbox,
  request: ValidateRequest,
): Promise<string | null> {
  if (request.origin === 'action') return null
  const project = session.ports.store.projects.find(plan.project.name)
  if (!project?.trusted) {
    return `not run: the folder is not trusted yet (agents project trust ${plan.project.name})`
  }
  const check = plan.project.checks.find(candidate => candidate.command === request.command)
  const missing = check ? await session.ports.inspector.notRunnable(sandbox.root, check) : null
  return missing ? `not run: ${missing}` : null
}

function authorise(session: PlanSession, plan: Plan, cursor: Cursor, request: ValidateRequest): Step {
  return session.ports.store.transaction(() =>
    authoriseStep(session.ports, plan, cursor, {
      path: request.step,
      kind: 'validate',
      tool: COMMAND_TOOL,
      input: { command: request.command },
      readOnly: true,
      idempotencyKey: requestKey(plan, cursor),
    }),
  )
}

async function runCheck(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ValidateRequest,
  sandbox: Sandbox,
) {
  const authorised = authorise(session, plan, cursor, request)
  const tool = session.ports.tools.find(COMMAND_TOOL)
  return runStep(session, plan, authorised, async onOutput => {
    if (!tool) return refuse('not_available', 'There is no tool that runs commands here.')
    return tool.run(
      { command: request.command },
      toolContext(session, plan, sandbox.root, authorised.stepId, onOutput),
    )
  })
}

function outcomeOf(result: 'failed' | 'not_run', message: string): Validated {
  return { kind: 'validated', result, exitCode: null, message }
}

function validated(result: Result<ToolOutcome>, request: ValidateRequest): Validated {
  if (!result.ok) return outcomeOf('failed', result.failure.message)
  const exitCode = Number(result.value.output['exit_code'])
  const passed = exitCode === 0
  const message = passed ? `${request.command} passed` : `${request.command} failed: ${result.value.summary}`
  return { kind: 'validated', result: passed ? 'passed' : 'failed', exitCode, message }
}

/**
 * A failed required check goes to the actor where the profile lets it fix failures by itself; otherwise a person
 * decides what happens. Informational checks are only recorded.
 */
function settle(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  request: ValidateRequest,
  step: Step,
  outcome: Validated,
): Next {
  const { ports } = session
  const ended: Step = {
    ...step,
    status: outcome.result === 'failed' ? 'failed' : 'done',
    outcome,
    summary: outcome.message,
  }
  const verdict = judgeOperation(ports, plan, {
    gate: 'fixValidations',
    decisionType: 'validation_response',
    stated: null,
  })
  const blocks = outcome.result === 'failed' && request.mode === 'required'
  if (!blocks || verdict.passes) {
    return {
      event: null,
      commit: current => {
        endStep(ports, current, ended)
        recordInfluences(ports, current, ended)
        putOutcome(session, cursor, outcome)
      },
    }
  }
  const waits = askAboutCheck(session, plan, cursor, { request, outcome, verdict })
  return {
    ...waits,
    commit: current => {
      endStep(ports, current, ended)
      recordInfluences(ports, current, ended)
      waits.commit?.(current)
    },
  }
}
