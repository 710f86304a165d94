/**
 * The plan lifecycle as a table: from a position, by an event, to a position, with effects as data.
 * Nothing else in the project decides a move. Source: requirements 2.1 (T1 to T16) and engine design, section 2 (T17 to T23).
 */
import { type Failure, type Result, refuse } from '../failure.ts'
import type { AutomationGate } from '../gate/automation.ts'

export type Phase = 'action' | 'strategize' | 'execute' | 'apply'
export type State =
  | 'queued'
  | 'running'
  | 'awaiting_input'
  | 'paused'
  | 'complete'
  | 'errored'
  | 'constrained'
  | 'cancelled'
  | 'applied'

/** Every legal pair of phase and state; no other pair can be written down. */
export const positions = [
  'action/queued',
  'action/awaiting_input',
  'action/paused',
  'action/errored',
  'action/cancelled',
  'strategize/queued',
  'strategize/running',
  'strategize/awaiting_input',
  'strategize/paused',
  'strategize/complete',
  'strategize/errored',
  'strategize/cancelled',
  'execute/queued',
  'execute/running',
  'execute/awaiting_input',
  'execute/paused',
  'execute/complete',
  'execute/errored',
  'execute/cancelled',
  'apply/queued',
  'apply/running',
  'apply/awaiting_input',
  'apply/paused',
  /** Handed over to its parent, which applies it together with its own work. */
  'apply/complete',
  'apply/constrained',
  'apply/errored',
  'apply/cancelled',
  'apply/applied',
] as const
export type Position = (typeof positions)[number]

export function phaseOf(position: Position): Phase {
  return position.slice(0, position.indexOf('/')) as Phase // by construction of the list above
}

export function stateOf(position: Position): State {
  return position.slice(position.indexOf('/') + 1) as State // by construction of the list above
}

export const lifecycleEvents = [
  /** A phase gate was passed, by the profile or by a person. */
  'phase_passed',
  'phase_rejected',
  'started',
  /** At least one gate is open. */
  'waits',
  /** The gate was answered and the same phase goes on. */
  'continued',
  'finished',
  'nothing_to_apply',
  /** A required check has not spoken about the work as it is now. */
  'checks_due',
  /** A child's work is ready for its parent, which merges it and applies it together with its own. */
  'handed_over',
  'applied',
  /** A part was chosen and is in the user's files; what is left waits at the gate before Apply. */
  'applied_in_part',
  /** An Apply that was cut short was put back: the user's files are as they were. */
  'apply_undone',
  /** A person leaves the rest of a plan that was applied in part. */
  'closed_in_part',
  'constrained',
  /** The strategy is to be revised: constraints too tight (T8), or a constrained Apply (T7). */
  'strategy_revised',
  'apply_retried',
  'failed',
  'given_up',
  /** A correction or rollback could not restore the sandbox. */
  'restore_failed',
  'restored',
  'paused',
  'resumed',
  'cancelled',
  'corrected_in_strategize',
  'corrected_in_execute',
  /** A child plan was appended; the plan goes on once that has ended. */
  'appended',
  'rolled_back_to_strategize',
  'rolled_back_to_execute',
] as const
export type LifecycleEvent = (typeof lifecycleEvents)[number]

export type Effect =
  /** Ask the confidence controller whether the phase gate passes by itself; if not, open it. */
  | { readonly kind: 'decide_phase'; readonly gate: AutomationGate }
  | { readonly kind: 'start_phase' }
  | { readonly kind: 'run_actor' }
  | { readonly kind: 'start_apply' }
  | { readonly kind: 'apply' }
  | { readonly kind: 'abort_step' }
  | { readonly kind: 'void_gates' }
  | { readonly kind: 'end' }

interface Move {
  readonly event: LifecycleEvent
  readonly from: readonly Position[]
  /** 'remembered' is the position that `paused` remembered. */
  readonly to: Position | 'remembered'
  readonly effects: readonly Effect[]
}

const RUNNING = ['strategize/running', 'execute/running', 'apply/running'] as const
const UNFINISHED = positions.filter(at => !['applied', 'cancelled'].includes(stateOf(at)))
/** Where a plan can go back from; what a parent has of its child is taken back with the parent. */
const CORRECTABLE = UNFINISHED.filter(at => !at.startsWith('action/') && at !== 'apply/complete')
const VOID: Effect = { kind: 'void_gates' }
const ABORT: Effect = { kind: 'abort_step' }
const END: Effect = { kind: 'end' }

const moves: readonly Move[] = [
  move('phase_passed', ['action/queued', 'action/awaiting_input'], 'strategize/queued'),
  move('phase_passed', ['strategize/complete', 'strategize/awaiting_input'], 'execute/queued'),
  move('phase_passed', ['execute/complete', 'execute/awaiting_input'], 'apply/queued'),
  move('phase_rejected', ['action/awaiting_input'], 'action/paused'),
  move('phase_rejected', ['strategize/awaiting_input'], 'strategize/paused'),
  move('phase_rejected', ['execute/awaiting_input'], 'execute/paused'),
  move('started', ['strategize/queued'], 'strategize/running'),
  move('started', ['execute/queued'], 'execute/running'),
  move('started', ['apply/queued'], 'apply/running'),
  move('waits', ['action/queued'], 'action/awaiting_input'),
  move(
    'waits',
    ['strategize/queued', 'strategize/running', 'strategize/complete'],
    'strategize/awaiting_input',
  ),
  move('waits', ['execute/queued', 'execute/running', 'execute/complete'], 'execute/awaiting_input'),
  move('waits', ['apply/queued', 'apply/running'], 'apply/awaiting_input'),
  // Changes were asked for before anything began: the gate is asked anew with them.
  move('continued', ['action/awaiting_input'], 'action/queued'),
  move('continued', ['strategize/awaiting_input'], 'strategize/running'),
  move('continued', ['execute/awaiting_input'], 'execute/running'),
  move('continued', ['apply/awaiting_input'], 'apply/running'),
  move('finished', ['strategize/running'], 'strategize/complete'),
  move('finished', ['execute/running'], 'execute/complete'),
  move('checks_due', ['execute/complete', 'apply/queued'], 'execute/running'),
  move('nothing_to_apply', ['execute/complete'], 'apply/applied', END),
  move('handed_over', ['execute/complete'], 'apply/complete'),
  move('applied', ['apply/running', 'apply/complete'], 'apply/applied', END),
  move('applied_in_part', ['apply/running'], 'execute/awaiting_input'),
  move('apply_undone', ['apply/running'], 'execute/awaiting_input'),
  move('closed_in_part', ['execute/awaiting_input', 'apply/constrained'], 'apply/applied', VOID, END),
  move('constrained', ['apply/running'], 'apply/constrained'),
  move(
    'strategy_revised',
    ['strategize/awaiting_input', 'execute/running', 'execute/awaiting_input', 'apply/constrained'],
    'strategize/queued',
    VOID,
  ),
  move('apply_retried', ['apply/constrained'], 'apply/queued', VOID),
  ...each(RUNNING, 'failed', phase => `${phase}/errored`),
  move('failed', ['action/queued'], 'action/errored'),
  move('failed', ['strategize/queued'], 'strategize/errored'),
  move('failed', ['execute/queued'], 'execute/errored'),
  ...each(CORRECTABLE, 'restore_failed', phase => `${phase}/errored`).map(row => ({
    ...row,
    effects: [ABORT, VOID],
  })),
  ...each(
    ['strategize/awaiting_input', 'execute/awaiting_input', 'apply/awaiting_input', 'apply/constrained'],
    'given_up',
    phase => `${phase}/errored`,
  ),
  move('restored', ['execute/running', 'execute/awaiting_input', 'execute/errored'], 'execute/queued', VOID),
  ...each(
    [
      'strategize/queued',
      'strategize/running',
      'strategize/complete',
      'execute/queued',
      'execute/running',
      'execute/complete',
      'apply/queued',
      // Applying again is harmless: what is already written merges to no change.
      'apply/running',
    ],
    'paused',
    phase => `${phase}/paused`,
  ),
  move('paused', ['action/queued'], 'action/paused'),
  move('resumed', ['action/paused', 'strategize/paused', 'execute/paused', 'apply/paused'], 'remembered'),
  move('resumed', ['strategize/errored'], 'strategize/queued'),
  move('resumed', ['execute/errored'], 'execute/queued'),
  move('resumed', ['apply/errored'], 'apply/queued'),
  move(
    'cancelled',
    UNFINISHED.filter(at => at.startsWith('action/')),
    'action/cancelled',
    ABORT,
    VOID,
    END,
  ),
  move(
    'cancelled',
    UNFINISHED.filter(at => at.startsWith('strategize/')),
    'strategize/cancelled',
    ABORT,
    VOID,
    END,
  ),
  move(
    'cancelled',
    UNFINISHED.filter(at => at.startsWith('execute/')),
    'execute/cancelled',
    ABORT,
    VOID,
    END,
  ),
  move(
    'cancelled',
    UNFINISHED.filter(at => at.startsWith('apply/')),
    'apply/cancelled',
    ABORT,
    VOID,
    END,
  ),
  move('corrected_in_strategize', CORRECTABLE, 'strategize/running', ABORT, VOID),
  move(
    'corrected_in_execute',
    CORRECTABLE.filter(at => /^(execute|apply)/.test(at)),
    'execute/running',
    ABORT,
    VOID,
  ),
  // From everywhere but where the files are being written. What was asked is asked again afterwards.
  move(
    'appended',
    CORRECTABLE.filter(at => /^(execute|apply)/.test(at) && at !== 'apply/running'),
    'execute/running',
    ABORT,
    VOID,
  ),
  move('rolled_back_to_strategize', CORRECTABLE, 'strategize/awaiting_input', ABORT, VOID),
  // From Strategize too: a rollback can itself be taken back.
  move('rolled_back_to_execute', CORRECTABLE, 'execute/awaiting_input', ABORT, VOID),
]

/** The work that a position itself calls for; the run loop performs it and feeds the outcome back as the next event. */
const workAt: Partial<Record<Position, Effect>> = {
  'action/queued': { kind: 'decide_phase', gate: 'autoStrategize' },
  'strategize/queued': { kind: 'start_phase' },
  'strategize/running': { kind: 'run_actor' },
  'strategize/complete': { kind: 'decide_phase', gate: 'autoExecute' },
  'execute/queued': { kind: 'start_phase' },
  'execute/running': { kind: 'run_actor' },
  'execute/complete': { kind: 'decide_phase', gate: 'autoApply' },
  'apply/queued': { kind: 'start_apply' },
  'apply/running': { kind: 'apply' },
}

export interface Whereabouts {
  readonly position: Position
  /** Where a paused plan goes back to. */
  readonly remembered: Position | null
}

export interface Moved<Plan> {
  readonly plan: Plan
  readonly effects: readonly Effect[]
}

/** One move. Pure: performs nothing and knows no clock. Refuses with `invalid_state` what the table does not list. */
export function step<Plan extends Whereabouts>(plan: Plan, event: LifecycleEvent): Result<Moved<Plan>> {
  const found = moves.find(row => row.event === event && row.from.includes(plan.position))
  if (!found) return { ok: false, failure: refusalFor(plan.position, event) }
  const position = found.to === 'remembered' ? plan.remembered : found.to
  if (position === null) return { ok: false, failure: refusalFor(plan.position, event) }
  const remembered = stateOf(position) === 'paused' ? whereToResume(plan.position) : null
  const work = workAt[position]
  return {
    ok: true,
    value: {
      plan: { ...plan, position, remembered },
      effects: work ? [...found.effects, work] : found.effects,
    },
  }
}

export function canMove(plan: Whereabouts, event: LifecycleEvent): boolean {
  return step(plan, event).ok
}

/** The work a position calls for: what a new owner of a plan does first, e.g. after a crash. */
export function workOf(position: Position): Effect | null {
  return workAt[position] ?? null
}

/** Nothing can move it any more. */
export function isFinal(position: Position): boolean {
  return ['applied', 'cancelled'].includes(stateOf(position))
}

/** It goes on with its parent alone: merged there, applied or taken back with it. */
export function isHandedOver(position: Position): boolean {
  return position === 'apply/complete'
}

/** Nothing happens to it by itself: until a person acts, or its parent. */
export function isSettled(position: Position): boolean {
  if (isFinal(position) || isHandedOver(position)) return true
  return ['errored', 'constrained', 'paused', 'awaiting_input'].includes(stateOf(position))
}

/** A rejected phase gate resumes at the end of its phase, so that the gate is asked again. */
function whereToResume(position: Position): Position {
  if (position === 'action/awaiting_input') return 'action/queued'
  if (position === 'strategize/awaiting_input') return 'strategize/complete'
  if (position === 'execute/awaiting_input') return 'execute/complete'
  return position
}

/** As in "the plan is ...". */
export function positionWords(position: Position): string {
  if (isHandedOver(position)) return 'complete and handed over to its parent'
  const state = stateOf(position).replaceAll('_', ' ')
  return isFinal(position) ? state : `${state} in ${phaseOf(position)}`
}

function refusalFor(position: Position, event: LifecycleEvent): Failure {
  const words = event.replaceAll('_', ' ')
  const { failure } = refuse(
    'invalid_state',
    `The plan is ${positionWords(position)}; it cannot be ${words}.`,
    { position, event },
  )
  return failure
}

function move(
  event: LifecycleEvent,
  from: readonly Position[],
  to: Position | 'remembered',
  ...effects: Effect[]
): Move {
  return { event, from, to, effects }
}

function each(from: readonly Position[], event: LifecycleEvent, to: (phase: Phase) => string): Move[] {
  return from.map(at => {
    const target = positions.find(position => position === to(phaseOf(at)))
    if (!target) throw new Error(`the lifecycle table names an illegal pair for ${event} at ${at}`)
    return move(event, [at], target)
  })
}
