import { describe, expect, it } from 'vitest'
import {
  isFinal,
  type LifecycleEvent,
  lifecycleEvents,
  type Position,
  phaseOf,
  positions,
  type stateOf,
  step,
  workOf,
} from '../../../src/domain/plan/lifecycle.ts'

/** Every move there is, written out by hand: [event, from, to]. Everything else must be refused. */
const moves: readonly [LifecycleEvent, Position, Position][] = [
  ['phase_passed', 'action/queued', 'strategize/queued'],
  ['phase_passed', 'action/awaiting_input', 'strategize/queued'],
  ['phase_passed', 'strategize/complete', 'execute/queued'],
  ['phase_passed', 'strategize/awaiting_input', 'execute/queued'],
  ['phase_passed', 'execute/complete', 'apply/queued'],
  ['phase_passed', 'execute/awaiting_input', 'apply/queued'],
  ['phase_rejected', 'action/awaiting_input', 'action/paused'],
  ['phase_rejected', 'strategize/awaiting_input', 'strategize/paused'],
  ['phase_rejected', 'execute/awaiting_input', 'execute/paused'],
  ['started', 'strategize/queued', 'strategize/running'],
  ['started', 'execute/queued', 'execute/running'],
  ['started', 'apply/queued', 'apply/running'],
  ['waits', 'action/queued', 'action/awaiting_input'],
  ['waits', 'strategize/queued', 'strategize/awaiting_input'],
  ['waits', 'strategize/running', 'strategize/awaiting_input'],
  ['waits', 'strategize/complete', 'strategize/awaiting_input'],
  ['waits', 'execute/queued', 'execute/awaiting_input'],
  ['waits', 'execute/running', 'execute/awaiting_input'],
  ['waits', 'execute/complete', 'execute/awaiting_input'],
  ['waits', 'apply/queued', 'apply/awaiting_input'],
  ['waits', 'apply/running', 'apply/awaiting_input'],
  ['continued', 'action/awaiting_input', 'action/queued'],
  ['continued', 'strategize/awaiting_input', 'strategize/running'],
  ['continued', 'execute/awaiting_input', 'execute/running'],
  ['continued', 'apply/awaiting_input', 'apply/running'],
  ['finished', 'strategize/running', 'strategize/complete'],
  ['finished', 'execute/running', 'execute/complete'],
  ['nothing_to_apply', 'execute/complete', 'apply/applied'],
  ['checks_due', 'execute/complete', 'execute/running'],
  ['checks_due', 'apply/queued', 'execute/running'],
  ['handed_over', 'execute/complete', 'apply/complete'],
  ['applied', 'apply/running', 'apply/applied'],
  ['applied', 'apply/complete', 'apply/applied'],
  ['applied_in_part', 'apply/running', 'execute/awaiting_input'],
  ['apply_undone', 'apply/running', 'execute/awaiting_input'],
  ['closed_in_part', 'execute/awaiting_input', 'apply/applied'],
  ['closed_in_part', 'apply/constrained', 'apply/applied'],
  ['constrained', 'apply/running', 'apply/constrained'],
  ['strategy_revised', 'strategize/awaiting_input', 'strategize/queued'],
  ['strategy_revised', 'execute/running', 'strategize/queued'],
  ['strategy_revised', 'execute/awaiting_input', 'strategize/queued'],
  ['strategy_revised', 'apply/constrained', 'strategize/queued'],
  ['apply_retried', 'apply/constrained', 'apply/queued'],
  ['failed', 'action/queued', 'action/errored'],
  ['failed', 'strategize/queued', 'strategize/errored'],
  ['failed', 'execute/queued', 'execute/errored'],
  ['failed', 'strategize/running', 'strategize/errored'],
  ['failed', 'execute/running', 'execute/errored'],
  ['failed', 'apply/running', 'apply/errored'],
  ['given_up', 'strategize/awaiting_input', 'strategize/errored'],
  ['given_up', 'execute/awaiting_input', 'execute/errored'],
  ['given_up', 'apply/awaiting_input', 'apply/errored'],
  ['given_up', 'apply/constrained', 'apply/errored'],
  ['restored', 'execute/running', 'execute/queued'],
  ['restored', 'execute/awaiting_input', 'execute/queued'],
  ['restored', 'execute/errored', 'execute/queued'],
  ['paused', 'action/queued', 'action/paused'],
  ['paused', 'strategize/queued', 'strategize/paused'],
  ['paused', 'strategize/running', 'strategize/paused'],
  ['paused', 'strategize/complete', 'strategize/paused'],
  ['paused', 'execute/queued', 'execute/paused'],
  ['paused', 'execute/running', 'execute/paused'],
  ['paused', 'execute/complete', 'execute/paused'],
  ['paused', 'apply/queued', 'apply/paused'],
  ['paused', 'apply/running', 'apply/paused'],
  ['resumed', 'strategize/errored', 'strategize/queued'],
  ['resumed', 'execute/errored', 'execute/queued'],
  ['resumed', 'apply/errored', 'apply/queued'],
  ...unfinished().map((from): [LifecycleEvent, Position, Position] => [
    'cancelled',
    from,
    at(from, 'cancelled'),
  ]),
  ...correctable().map((from): [LifecycleEvent, Position, Position] => [
    'corrected_in_strategize',
    from,
    'strategize/running',
  ]),
  ...correctable().map((from): [LifecycleEvent, Position, Position] => [
    'rolled_back_to_strategize',
    from,
    'strategize/awaiting_input',
  ]),
  ...executed().map((from): [LifecycleEvent, Position, Position] => [
    'corrected_in_execute',
    from,
    'execute/running',
  ]),
  ...executed()
    .filter(from => from !== 'apply/running')
    .map((from): [LifecycleEvent, Position, Position] => ['appended', from, 'execute/running']),
  ...correctable().map((from): [LifecycleEvent, Position, Position] => [
    'rolled_back_to_execute',
    from,
    'execute/awaiting_input',
  ]),
  ...correctable().map((from): [LifecycleEvent, Position, Position] => [
    'restore_failed',
    from,
    at(from, 'errored'),
  ]),
]

describe('the plan lifecycle', () => {
  it.each(positions.flatMap(from => lifecycleEvents.map(event => [from, event] as const)))(
    'moves from %s by %s exactly as the table says',
    (from, event) => {
      const expected = moves.find(([name, origin]) => name === event && origin === from)?.[2] ?? null
      const result = step({ position: from, remembered: null }, event)
      expect(result.ok ? result.value.plan.position : null).toBe(expected)
      if (!result.ok) expect(result.failure.code).toBe('invalid_state')
    },
  )

  it('returns from a pause to where the plan was', () => {
    for (const from of positions) {
      const paused = step({ position: from, remembered: null }, 'paused')
      if (!paused.ok) continue
      const resumed = step(paused.value.plan, 'resumed')
      expect(resumed.ok && resumed.value.plan).toEqual({ position: from, remembered: null })
    }
  })

  it('asks a rejected phase gate again after a resume', () => {
    const ends = {
      'action/awaiting_input': 'action/queued',
      'strategize/awaiting_input': 'strategize/complete',
      'execute/awaiting_input': 'execute/complete',
    } as const
    for (const [from, resumesAt] of Object.entries(ends)) {
      const rejected = step({ position: from as Position, remembered: null }, 'phase_rejected')
      if (!rejected.ok) throw new Error(rejected.failure.message)
      const resumed = step(rejected.value.plan, 'resumed')
      expect(resumed.ok && resumed.value.plan.position).toBe(resumesAt)
    }
  })

  it('lets nothing move an applied or cancelled plan', () => {
    for (const position of positions.filter(isFinal)) {
      for (const event of lifecycleEvents) expect(step({ position, remembered: null }, event).ok).toBe(false)
    }
  })

  it('names the work of the position a move leads to', () => {
    for (const [event, from, to] of moves) {
      const moved = step({ position: from, remembered: null }, event)
      expect(moved.ok && moved.value.effects.at(-1)).toEqual(
        workOf(to) ?? (moved.ok && moved.value.effects.at(-1)),
      )
    }
  })

  it('voids open gates and stops the running step when a plan is cancelled, corrected or rolled back', () => {
    for (const event of ['cancelled', 'corrected_in_execute', 'rolled_back_to_execute'] as const) {
      const moved = step({ position: 'execute/running', remembered: null }, event)
      const kinds = moved.ok ? moved.value.effects.map(effect => effect.kind) : []
      expect(kinds).toEqual(expect.arrayContaining(['abort_step', 'void_gates']))
    }
  })
})

function unfinished(): Position[] {
  return positions.filter(position => !isFinal(position))
}

/** A child that was handed over goes back with its parent only. */
function correctable(): Position[] {
  return unfinished().filter(position => phaseOf(position) !== 'action' && position !== 'apply/complete')
}

function executed(): Position[] {
  return correctable().filter(position => phaseOf(position) !== 'strategize')
}

function at(position: Position, state: ReturnType<typeof stateOf>): Position {
  const found = positions.find(each => each === `${phaseOf(position)}/${state}`)
  if (!found) throw new Error(`no position ${state} in the phase of ${position}`)
  return found
}
