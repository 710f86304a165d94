import type { Outcome } from '../../domain/actor/actor.ts'
import { assertNever, ok, type Result, refuse } from '../../domain/failure.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { SET_UP_PATH, type Step } from '../../domain/plan/journal.ts'
import type { RestoreReport, Sandbox, SandboxEntry } from '../../domain/sandbox/strategy.ts'
import { COMMAND_TOOL, type ToolOutcome } from '../../domain/tool.ts'
import { reasonNotTrusted } from '../../domain/trust.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { clearCall } from '../gate/clear-call.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import type { Project, SetUp } from '../ports/project.ts'
import { standingOf } from '../project/trust.ts'
import { savePlan } from './change-plan.ts'
import { authoriseStep, endStep, runStep } from './journal-step.ts'
import { type Next, stay } from './next.ts'
import { worksInPlace } from './sandbox-facts.ts'
import { toolContext } from './tool-context.ts'
import { guide, requestKey, type Turn } from './turn.ts'

/**
 * Fills a new sandbox with what its commands need: once, before the first command of Execute, where a person trusts the
 * folder. What it writes where git ignores it stays. All else returns to the recorded state, so that it never passes for
 * the plan's own work. Cut short, it runs again from its beginning. Null: the command itself is due.
 */
export async function runSetUp(turn: Turn): Promise<Next | null> {
  const { session, plan, cursor } = turn
  const project = session.ports.store.projects.find(plan.project.name)
  if (cursor.phase !== 'execute' || !project?.setUp) return null
  const reason = await reasonAgainst(turn, project)
  if (reason !== null) {
    tellOnce(turn, `The set-up step (${project.setUp.command}) was not run: ${reason}`)
    return null
  }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return failedToStart(turn, sandbox)
  const setUp: WantedSetUp = {
    ...project.setUp,
    turn,
    sandbox: sandbox.value,
    key: keyOf(turn, sandbox.value, project.setUp),
  }
  if (isSettled(setUp)) return null
  const source = whereItRan(setUp)
  if (source !== null) return takeAsDone(setUp, source)
  return answered(setUp) ?? carryOut(setUp)
}

interface WantedSetUp extends SetUp {
  readonly turn: Turn
  readonly sandbox: Sandbox
  /** Names this command in this sandbox: another of either is another step. */
  readonly key: string
}

async function reasonAgainst({ session, plan }: Turn, project: Project): Promise<string | null> {
  if (worksInPlace(session.ports, plan)) return 'the plan works in your own files, where you set up yourself.'
  return reasonNotTrusted(await standingOf(session.ports, project), project.name)
}

/** However many commands follow. */
function tellOnce({ session: { ports }, plan: { planId } }: Turn, notice: string): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    if (plan && !plan.notices.includes(notice))
      savePlan(ports, { ...plan, notices: [...plan.notices, notice] })
  })
}

function keyOf({ session, plan }: Turn, { baseline }: Sandbox, setUp: SetUp): string {
  return `${plan.planId}:set-up:${session.ports.digest(JSON.stringify([baseline, setUp]))}`
}

function isSettled({ turn, key }: WantedSetUp): boolean {
  const step = turn.session.ports.store.steps.findByKey(key)
  return step?.status === 'done' || step?.status === 'refused'
}

/** The name of the parent for which it ran, where all that it made there came along; null otherwise. */
function whereItRan(setUp: WantedSetUp): string | null {
  const { startedFrom } = setUp.sandbox
  if (!startedFrom?.hasIgnored) return null
  const { plans, steps } = setUp.turn.session.ports.store
  const wanted = JSON.stringify(inputOf(setUp))
  const ran = steps
    .listByPlan(startedFrom.planId)
    .some(
      step => step.path === SET_UP_PATH && step.status === 'done' && JSON.stringify(step.input) === wanted,
    )
  return ran ? (plans.find(startedFrom.planId)?.name ?? startedFrom.planId) : null
}

function takeAsDone(setUp: WantedSetUp, source: string): Next {
  const summary = `not run again: what it made was brought along from ${source}`
  return {
    event: null,
    commit: plan => endStep(setUp.turn.session.ports, plan, { ...authorise(setUp), status: 'done', summary }),
  }
}

/** What a person said after it failed; null where it is to run, for the first time or again. */
function answered(setUp: WantedSetUp): Next | null {
  const { turn, command } = setUp
  const answer = answerTo(turn.session.ports, turn.plan, failureKey(setUp))
  if (answer?.decision === 'request_changes')
    return leaveOut(setUp, WENT_ON, guide(turn, `${command} failed. What now?`, answer))
  if (answer?.optionId === 'go_on') return leaveOut(setUp, WENT_ON, recordGoingOn(setUp, answer))
  return null
}

const WENT_ON = 'a person went on without it'

function recordGoingOn({ turn: { session, cursor }, command }: WantedSetUp, { note }: GateAnswer): Next {
  return {
    event: null,
    commit: plan => {
      recordGuidance(session.ports, plan, {
        phase: cursor.phase,
        question: `${command} failed. What now?`,
        rationale: note ?? 'no reason given',
        words: 'Go on without it',
      })
    },
  }
}

/** Not asked about again in this sandbox. */
function leaveOut(setUp: WantedSetUp, summary: string, also: Next = stay): Next {
  return {
    event: null,
    commit: plan => {
      endStep(setUp.turn.session.ports, plan, { ...authorise(setUp), status: 'refused', summary })
      also.commit?.(plan)
    },
  }
}

async function carryOut(setUp: WantedSetUp): Promise<Next> {
  const { turn, key, network } = setUp
  const call = {
    key,
    tool: COMMAND_TOOL,
    input: inputOf(setUp),
    wantsNetwork: network,
    isNetworkGiven: network,
    costUsd: 0,
  }
  const tool = turn.session.ports.tools.find(COMMAND_TOOL)
  if (!tool) return leaveOut(setUp, 'there is no tool that runs commands here')
  const approval = await clearCall(turn, tool, call)
  switch (approval.kind) {
    case 'approved':
      return run(setUp, approval.network)
    case 'asked':
      return approval.next
    case 'changed':
      return leaveOut(setUp, `a person wanted something else: ${approval.answer.guidance ?? ''}`)
    case 'refused':
      return leaveOut(setUp, approval.failure.message)
    default:
      return assertNever(approval)
  }
}

async function run(wanted: WantedSetUp, network: 'none' | 'full'): Promise<Next> {
  const { session, plan } = wanted.turn
  const ready = await makeReady(wanted)
  if (!ready.ok) return failedToStart(wanted.turn, ready)
  const { setUp, entry } = ready.value
  const { sandbox, turn } = setUp
  const authorised = session.ports.store.transaction(() => authorise(setUp))
  const tool = session.ports.tools.find(COMMAND_TOOL)
  const { step, result } = await runStep(session, plan, authorised, async onOutput => {
    if (!tool) return refuse('not_available', 'There is no tool that runs commands here.')
    const { root } = sandbox
    const place = { root, entry, databases: null, network } as const
    return tool.run(inputOf(setUp), toolContext(turn, { ...place, stepName: authorised.stepId, onOutput }))
  })
  if (session.signal.aborted) return stay
  const cleaned = await sandbox.restore(turn.cursor.sandboxState)
  if (!cleaned.ok) return failedToStart(turn, cleaned)
  return finish(setUp, step, result, cleaned.value)
}

/** On a recorded state, to which the sandbox returns afterwards; it also goes back where a kill left some of it. */
async function makeReady(
  setUp: WantedSetUp,
): Promise<Result<{ readonly setUp: WantedSetUp; readonly entry: SandboxEntry | null }>> {
  const { turn, sandbox, key } = setUp
  const recorded = await recordState(turn.session, turn.cursor, 'before the set-up step')
  if (!recorded.ok) return recorded
  const entered = await sandbox.enter()
  if (!entered.ok) return entered
  const before = turn.session.ports.store.steps.findByKey(key)
  const restored = before?.startedAt ? await sandbox.restore(recorded.value.state) : ok()
  if (!restored.ok) return restored
  return ok({ setUp: { ...setUp, turn: { ...turn, cursor: recorded.value.cursor } }, entry: entered.value })
}

/** Call it inside a transaction. */
function authorise({ turn, key, ...setUp }: WantedSetUp): Step {
  return authoriseStep(turn.session.ports, turn.plan, turn.cursor, {
    path: SET_UP_PATH,
    kind: 'tool',
    tool: COMMAND_TOOL,
    input: inputOf(setUp),
    // Nothing of it counts as the plan's work, so after a kill nobody is asked whether it may begin again.
    readOnly: true,
    idempotencyKey: key,
  })
}

function inputOf({ command, network }: SetUp) {
  return network ? { command, network } : { command }
}

function finish(
  setUp: WantedSetUp,
  step: Step,
  result: Result<ToolOutcome>,
  { restored, removed }: RestoreReport,
): Next {
  const { turn } = setUp
  const { ports } = turn.session
  const failure = failureOf(result)
  const outcome: Outcome = result.ok
    ? { kind: 'tool_result', output: result.value.output }
    : { kind: 'tool_refused', failure: result.failure }
  const ended: Step = {
    ...step,
    status: failure === null ? 'done' : 'failed',
    outcome,
    summary: result.ok ? result.value.summary : result.failure.message,
    read: 'unknown',
  }
  const next: Next = failure === null ? stay : askWhatNow(setUp, failure)
  return {
    ...next,
    commit: plan => {
      endStep(ports, plan, ended)
      next.commit?.(plan)
      const changed = [...restored, ...removed]
      if (changed.length > 0) tellOnce(turn, putBackNotice(setUp, changed))
    },
  }
}

/** What went wrong, for people; null when it did its work. */
function failureOf(result: Result<ToolOutcome>): string | null {
  if (!result.ok) return result.failure.message
  const { output, summary } = result.value
  if (output['exit_code'] === 0) return null
  const said = String(output['stderr'] || output['stdout']).trim()
  return said === '' ? summary : `${summary}\n${said.slice(-MOST_SAID).toWellFormed()}`
}

const MOST_SAID = 2_000

function askWhatNow(setUp: WantedSetUp, message: string): Next {
  return ask(setUp.turn.session.ports, {
    kind: 'error',
    requestKey: failureKey(setUp),
    question: `The set-up step failed: ${setUp.command}. What now?`,
    subject: { kind: 'error', step: SET_UP_PATH, message },
    options: [
      { id: 'retry', label: 'Try again', description: null, effect: 'approve' },
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
    reason: 'commands that follow may need what it brings',
    confidence: null,
  })
}

function failureKey({ key }: WantedSetUp): string {
  return `${key}:failed`
}

function putBackNotice({ command }: SetUp, changed: readonly string[]): string {
  const more = changed.length > MOST_NAMES ? ` and ${changed.length - MOST_NAMES} more` : ''
  const names = changed.slice(0, MOST_NAMES).join(', ')
  return `The set-up step (${command}) changed what git does not ignore, and it was put back: ${names}${more}.`
}

const MOST_NAMES = 10

function failedToStart(turn: Turn, { failure }: Extract<Result<unknown>, { readonly ok: false }>): Next {
  return askAboutFailure(turn.session, requestKey(turn), 'The set-up step', failure)
}
