/**
 * One check on a plan's work, whoever wants it. A check only looks: whatever it writes into the sandbox is thrown away
 * again. What follows from its result stands in settle-check.ts.
 */
import type { CheckReport, Outcome } from '../../domain/actor/actor.ts'
import { assertNever, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Sandbox, SandboxEntry } from '../../domain/sandbox/strategy.ts'
import type { ToolContext, ToolOutcome } from '../../domain/tool.ts'
import { reasonNotTrusted } from '../../domain/trust.ts'
import { type Recorded, recordState } from '../decision/take-checkpoint.ts'
import type { StepApproval } from '../gate/approve-step.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { clearCall } from '../gate/clear-call.ts'
import { authoriseStep, runStep } from '../plan/journal-step.ts'
import { type Next, stay } from '../plan/next.ts'
import { worksInPlace } from '../plan/sandbox-facts.ts'
import { toolContext } from '../plan/tool-context.ts'
import { guide, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { standingOf } from '../project/trust.ts'

export type Validated = Extract<Outcome, { kind: 'validated' }>

export interface WantedCheck {
  readonly turn: Turn
  /** Names this run of it: its row, and the questions about it. */
  readonly key: string
  readonly path: string
  readonly about: Pick<CheckReport, 'validation' | 'command' | 'mode' | 'origin' | 'network'>
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** What the tool's answer says about the work. */
  judge(result: Result<ToolOutcome>): Seen
}

export interface Seen extends Pick<Validated, 'result' | 'exitCode' | 'message'> {
  readonly output: string
  readonly data: unknown
}

/** ended: it ran, or it could not run; the row is to be saved with what follows. */
export type CheckEnd =
  | { readonly kind: 'ended'; readonly turn: Turn; readonly step: Step; readonly outcome: Validated }
  | { readonly kind: 'next'; readonly next: Next }

/** Checks that the folder itself declares run only when the folder is trusted; those that cannot run block nothing. */
export async function runCheck(wanted: WantedCheck): Promise<CheckEnd> {
  const ready = await makeReady(wanted)
  if (!ready.ok) return failedToRun(wanted, ready)
  const check: Check = {
    ...wanted,
    turn: { ...wanted.turn, cursor: ready.value.recorded.cursor },
    sandbox: ready.value.sandbox,
    entry: ready.value.entry,
  }
  const reason = await notRun(check)
  if (reason !== null) return ended(check, authorise(check), seen('not_run', reason))
  const approval = await approve(check)
  if (approval.kind !== 'approved') return notApproved(check, approval)
  const { step, result } = await run(check, approval.network)
  const looked: Step = { ...step, read: 'unknown' }
  const inPlace = worksInPlace(check.turn.session.ports, check.turn.plan)
  const cleaned = inPlace ? ok() : await check.sandbox.restore(ready.value.recorded.state)
  if (check.turn.session.signal.aborted) return { kind: 'next', next: stay }
  if (!cleaned.ok) return failedToRun(wanted, cleaned)
  return ended(inPlace ? leftBehind(check) : check, looked, check.judge(result))
}

/** A check that is about to run, on the recorded state to which the sandbox returns afterwards. */
interface Check extends WantedCheck {
  readonly sandbox: Sandbox
  readonly entry: SandboxEntry | null
}

/** Without a sandbox what a check left behind stays, and is looked for at the next checkpoint. */
function leftBehind(check: Check): Check {
  return { ...check, turn: { ...check.turn, cursor: { ...check.turn.cursor, written: 'unknown' } } }
}

async function makeReady({
  turn: { session, plan, cursor },
  key,
  path,
}: WantedCheck): Promise<Result<{ sandbox: Sandbox; entry: SandboxEntry | null; recorded: Recorded }>> {
  const recorded = await recordState(session, cursor, `before ${path}`)
  if (!recorded.ok) return recorded
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  if (wasCut(session.ports, key) && !worksInPlace(session.ports, plan)) {
    const restored = await sandbox.value.restore(recorded.value.state)
    if (!restored.ok) return restored
  }
  const entered = await sandbox.value.enter()
  if (!entered.ok) return entered
  return ok({ sandbox: sandbox.value, entry: entered.value, recorded: recorded.value })
}

/** It began and came to no end, so what it wrote is there still. */
function wasCut({ store }: Ports, key: string): boolean {
  const step = store.steps.findByKey(key)
  return step !== null && step.startedAt !== null && step.outcome === null
}

function failedToRun(
  { turn, key, path }: WantedCheck,
  { failure }: Extract<Result<unknown>, { ok: false }>,
): CheckEnd {
  return { kind: 'next', next: askAboutFailure(turn.session, key, path, failure) }
}

async function notRun({ turn, about, sandbox }: Check): Promise<string | null> {
  if (about.origin === 'action') return null
  const { plan, session } = turn
  const project = session.ports.store.projects.find(plan.project.name)
  const standing = project ? await standingOf(session.ports, project) : ({ kind: 'unasked' } as const)
  const distrusted = reasonNotTrusted(standing, plan.project.name)
  if (distrusted) return `not run: ${distrusted}`
  const check = plan.project.checks.find(candidate => candidate.command === about.command)
  const { inspector } = session.ports
  const missing = check ? await inspector.notRunnable(sandbox.root, check, plan.project.name) : null
  return missing ? `not run: ${missing}` : null
}

async function approve({ turn, key, tool, input, about }: Check): Promise<StepApproval> {
  const found = turn.session.ports.tools.find(tool)
  if (!found) return { kind: 'refused', failure: noTool(tool).failure }
  return clearCall(turn, found, { key, tool, input, wantsNetwork: about.network, costUsd: 0 })
}

function noTool(name: string) {
  return refuse('not_available', `There is no tool called ${name} here.`, { tool: name })
}

/** One that a person refuses counts as failed: nobody knows whether it would pass. */
function notApproved(check: Check, approval: Exclude<StepApproval, { readonly kind: 'approved' }>): CheckEnd {
  switch (approval.kind) {
    case 'asked':
      return { kind: 'next', next: approval.next }
    case 'changed':
      return { kind: 'next', next: guide(check.turn, `Run ${nameOf(check.about)}?`, approval.answer) }
    case 'refused':
      return ended(check, authorise(check), seen('failed', approval.failure.message))
    default:
      return assertNever(approval)
  }
}

async function run(check: Check, network: ToolContext['network']) {
  const { turn, sandbox, entry, tool, input } = check
  const authorised = authorise(check)
  const found = turn.session.ports.tools.find(tool)
  return runStep(turn.session, turn.plan, authorised, async onOutput => {
    if (!found) return noTool(tool)
    const place = {
      root: sandbox.root,
      entry,
      databases: null,
      network,
      stepName: authorised.stepId,
      onOutput,
    }
    return found.run(input, toolContext(turn, place))
  })
}

function authorise({ turn, path, tool, input, key }: Check): Step {
  const { session, plan, cursor } = turn
  return session.ports.store.transaction(() =>
    authoriseStep(session.ports, plan, cursor, {
      path,
      kind: 'validate',
      tool,
      input,
      readOnly: true,
      idempotencyKey: key,
    }),
  )
}

export function seen(result: Seen['result'], message: string): Seen {
  return { result, exitCode: null, message, output: '', data: null }
}

function ended({ turn, about }: Check, step: Step, { output, data, ...seen }: Seen): CheckEnd {
  const report: CheckReport = { ...about, state: turn.cursor.sandboxState, output, data, fixAttempt: 0 }
  const outcome: Validated = { kind: 'validated', ...seen, report }
  const status = outcome.result === 'failed' ? 'failed' : 'done'
  return { kind: 'ended', turn, outcome, step: { ...step, status, outcome, summary: outcome.message } }
}

/** What people call it. */
export function nameOf({ validation, command }: Pick<CheckReport, 'validation' | 'command'>): string {
  return validation ?? command
}
