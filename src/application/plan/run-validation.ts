import type { Outcome, ValidateRequest } from '../../domain/actor/actor.ts'
import { assertNever, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Sandbox, SandboxEntry } from '../../domain/sandbox/strategy.ts'
import { COMMAND_TOOL, type ToolContext, type ToolOutcome } from '../../domain/tool.ts'
import { reasonNotTrusted } from '../../domain/trust.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { type Recorded, recordState } from '../decision/take-checkpoint.ts'
import type { StepApproval } from '../gate/approve-step.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { clearCall } from '../gate/clear-call.ts'
import { afterFailedCheck, askAboutCheck } from '../gate/failed-check.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { standingOf } from '../project/trust.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { worksInPlace } from './sandbox-facts.ts'
import { toolContext } from './tool-context.ts'
import { guide, requestKey, type Turn, tell } from './turn.ts'

type Validated = Extract<Outcome, { kind: 'validated' }>

/**
 * Runs a check on the plan's work. A check only looks: whatever it writes into the sandbox is thrown away again. Checks
 * that the folder itself declares run only when the folder is trusted; those that cannot run block nothing.
 */
export async function runValidation(turn: Turn, request: ValidateRequest): Promise<Next> {
  const answered = afterFailedCheck(turn, request)
  if (answered) return answered
  const ready = await makeReady(turn, request)
  if (!ready.ok) return askAboutFailure(turn.session, requestKey(turn), request.step, ready.failure)
  const check: Check = {
    turn: { ...turn, cursor: ready.value.recorded.cursor },
    request,
    sandbox: ready.value.sandbox,
    entry: ready.value.entry,
  }
  const reason = await notRun(check)
  if (reason) return settle(check, authorise(check), outcomeOf('not_run', reason))
  const approval = await approve(check)
  if (approval.kind !== 'approved') return notApproved(check, approval)
  const { step, result } = await runCheck(check, approval.network)
  if (worksInPlace(turn.session.ports, turn.plan))
    return settle(leftBehind(check), { ...step, read: 'unknown' }, validated(result, request))
  const cleaned = await check.sandbox.restore(ready.value.recorded.state)
  if (turn.session.signal.aborted) return stay
  if (!cleaned.ok) return askAboutFailure(turn.session, requestKey(turn), request.step, cleaned.failure)
  return settle(check, { ...step, read: 'unknown' }, validated(result, request))
}

/** A check that is about to run, on the recorded state to which the sandbox returns afterwards. */
interface Check {
  readonly turn: Turn
  readonly request: ValidateRequest
  readonly sandbox: Sandbox
  readonly entry: SandboxEntry | null
}

/** Without a sandbox what a check left behind stays, and is looked for at the next checkpoint. */
function leftBehind(check: Check): Check {
  return { ...check, turn: { ...check.turn, cursor: { ...check.turn.cursor, written: 'unknown' } } }
}

async function makeReady(
  { session, cursor }: Turn,
  request: ValidateRequest,
): Promise<Result<{ sandbox: Sandbox; entry: SandboxEntry | null; recorded: Recorded }>> {
  const recorded = await recordState(session, cursor, `before ${request.step}`)
  if (!recorded.ok) return recorded
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const entered = await sandbox.value.enter()
  if (!entered.ok) return entered
  return ok({ sandbox: sandbox.value, entry: entered.value, recorded: recorded.value })
}

async function approve({ turn, request }: Check): Promise<StepApproval> {
  const tool = turn.session.ports.tools.find(COMMAND_TOOL)
  if (!tool) return { kind: 'refused', failure: noCommands.failure }
  return clearCall(turn, tool, {
    key: requestKey(turn),
    tool: COMMAND_TOOL,
    input: inputOf(request),
    wantsNetwork: request.network,
    costUsd: 0,
  })
}

const noCommands = refuse('not_available', 'There is no tool that runs commands here.')

function inputOf({ command, network }: ValidateRequest) {
  return network ? { command, network } : { command }
}

/** One that a person refuses counts as failed: nobody knows whether it would pass. */
function notApproved(
  { turn, request }: Check,
  approval: Exclude<StepApproval, { readonly kind: 'approved' }>,
): Next {
  switch (approval.kind) {
    case 'asked':
      return approval.next
    case 'changed':
      return guide(turn, `Run ${request.command}?`, approval.answer)
    case 'refused':
      return tell(turn, outcomeOf('failed', approval.failure.message))
    default:
      return assertNever(approval)
  }
}

async function notRun({ turn, request, sandbox }: Check): Promise<string | null> {
  if (request.origin === 'action') return null
  const { plan, session } = turn
  const project = session.ports.store.projects.find(plan.project.name)
  const standing = project ? await standingOf(session.ports, project) : ({ kind: 'unasked' } as const)
  const distrusted = reasonNotTrusted(standing, plan.project.name)
  if (distrusted) return `not run: ${distrusted}`
  const check = plan.project.checks.find(candidate => candidate.command === request.command)
  const { inspector } = session.ports
  const missing = check ? await inspector.notRunnable(sandbox.root, check, plan.project.name) : null
  return missing ? `not run: ${missing}` : null
}

function authorise({ turn, request }: Check): Step {
  const { session, plan, cursor } = turn
  return session.ports.store.transaction(() =>
    authoriseStep(session.ports, plan, cursor, {
      path: request.step,
      kind: 'validate',
      tool: COMMAND_TOOL,
      input: inputOf(request),
      readOnly: true,
      idempotencyKey: requestKey(turn),
    }),
  )
}

async function runCheck(check: Check, network: ToolContext['network']) {
  const { turn, request, sandbox, entry } = check
  const authorised = authorise(check)
  const tool = turn.session.ports.tools.find(COMMAND_TOOL)
  return runStep(turn.session, turn.plan, authorised, async onOutput => {
    if (!tool) return noCommands
    const context = toolContext(turn, {
      root: sandbox.root,
      entry,
      databases: null,
      network,
      stepName: authorised.stepId,
      onOutput,
    })
    return tool.run(inputOf(request), context)
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
function settle({ turn, request }: Check, step: Step, outcome: Validated): Next {
  const { plan } = turn
  const { ports } = turn.session
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
  const blocks = outcome.result === 'failed' && request.mode === 'required' && !verdict.passes
  const next = blocks ? askAboutCheck(turn, { request, outcome, verdict }) : tell(turn, outcome)
  return {
    ...next,
    commit: current => {
      recordInfluences(ports, current, ended)
      endStep(ports, current, ended)
      next.commit?.(current)
    },
  }
}
