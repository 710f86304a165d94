import type { Outcome, ValidateRequest } from '../../domain/actor/actor.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Sandbox } from '../../domain/sandbox/strategy.ts'
import type { ToolOutcome } from '../../domain/tool.ts'
import { putOutcome, requestKey } from '../decision/settle-decision.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { tellFailure } from './run-tool-step.ts'
import type { PlanSession } from './session.ts'
import { toolContext } from './tool-context.ts'

type Validated = Extract<Outcome, { kind: 'validated' }>

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
  const answered = afterFailure(session, plan, cursor)
  if (answered) return answered
  const recorded = await recordState(session, cursor, `before ${request.step}`)
  if (!recorded.ok) return tellFailure(session, cursor, recorded.failure)
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return tellFailure(session, cursor, sandbox.failure)
  const reason = await notRun(session, plan, sandbox.value, request)
  if (reason)
    return settle(
      session,
      plan,
      recorded.value.cursor,
      request,
      authorise(session, plan, cursor, request),
      notRunBecause(reason),
    )
  const { step, result } = await runCheck(session, plan, recorded.value.cursor, request, sandbox.value)
  const cleaned = await sandbox.value.restore(recorded.value.state)
  if (session.signal.aborted) return interrupted(session, step)
  if (!cleaned.ok) return tellFailure(session, recorded.value.cursor, cleaned.failure)
  return settle(session, plan, recorded.value.cursor, request, step, validated(result, request))
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
      tool: 'builtin/run_command',
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
  const tool = session.ports.tools.find('builtin/run_command')
  return runStep(session, plan, authorised, async onOutput => {
    if (!tool) return refuse('not_available', 'There is no tool that runs commands here.')
    return tool.run(
      { command: request.command },
      toolContext(session, plan, sandbox.root, authorised.stepId, onOutput),
    )
  })
}

function notRunBecause(message: string): Validated {
  return { kind: 'validated', result: 'not_run', exitCode: null, message }
}

function validated(result: Result<ToolOutcome>, request: ValidateRequest): Validated {
  if (!result.ok)
    return { kind: 'validated', result: 'failed', exitCode: null, message: result.failure.message }
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
        putOutcome(session, cursor, outcome)
      },
    }
  }
  const waits = ask(ports, {
    kind: 'validation_fix',
    requestKey: failureKey(plan, cursor),
    question: `${request.command} failed. What now?`,
    subject: { kind: 'validation', command: request.command, output: outcome.message },
    options: [
      { id: 'again', label: 'Run it again', description: null, effect: 'approve' },
      {
        id: 'go_on',
        label: 'Go on without it',
        description: 'Your decision is recorded with the plan.',
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'Resume or correct it later.',
        effect: 'reject',
      },
    ],
    reason: null,
    confidence: verdict,
  })
  return {
    ...waits,
    commit: current => {
      endStep(ports, current, ended)
      waits.commit?.(current)
    },
  }
}

function failureKey(plan: Plan, cursor: Cursor): string {
  return `${requestKey(plan, cursor)}:validation`
}

/** What a person said after the check failed; null = not asked yet, so the check runs. */
function afterFailure(session: PlanSession, plan: Plan, cursor: Cursor): Next | null {
  const answer = answerTo(session.ports, plan, failureKey(plan, cursor))
  if (!answer) return null
  const outcome: Outcome =
    answer.optionId === 'go_on'
      ? {
          kind: 'validated',
          result: 'not_run',
          exitCode: null,
          message: `a person went on without it. ${answer.note ?? ''}`.trim(),
        }
      : { kind: 'retry' }
  return { event: null, commit: () => putOutcome(session, cursor, outcome) }
}

function interrupted(session: PlanSession, step: Step): Next {
  const { ports } = session
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(session.planId)
    if (plan) endStep(ports, plan, { ...step, status: 'interrupted', summary: 'interrupted' })
  })
  return stay
}
