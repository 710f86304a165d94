/**
 * Drives the children of one spawn step, a short turn at a time, so that the plan can be stopped between any two.
 * Everything it knows stands in the step's row and in the children themselves: whoever holds the plan goes on from
 * there.
 */
import type { ChildResult } from '../../domain/actor/actor.ts'
import { assertNever } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { stateOf, workOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import {
  APPEND_PATH,
  nextMove,
  readSpawn,
  type Spawn,
  type SpawnedChild,
  type SpawnMove,
  standingOf,
} from '../../domain/plan/spawn.ts'
import { neverAsks } from '../../domain/profile/profile.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { recordWork } from '../decision/take-checkpoint.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { changePlan } from '../plan/change-plan.ts'
import { cleanUp } from '../plan/clean-up.ts'
import { endStep } from '../plan/journal-step.ts'
import { livingHolder } from '../plan/lease.ts'
import { type Next, stay } from '../plan/next.ts'
import { takeOver } from '../plan/take-over.ts'
import { putOutcome, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { mergeChild } from './merge-child.ts'
import { leaveOut, saveSpawn } from './spawn-row.ts'
import { failedKey } from './waiting.ts'

export async function driveSpawn(turn: Turn, row: Step): Promise<Next> {
  if (row.status === 'authorised') return startRow(turn, row)
  const spawn = readSpawn(row)
  const move = moveNow(turn.session.ports, spawn)
  switch (move.kind) {
    case 'leave_out':
      return leaveOut(turn, row, move)
    case 'merge':
      return mergeChild(turn, row, move.child)
    case 'next_wave':
      return nextWave(turn, row, move.wave)
    case 'begin':
      return begin(turn, row, move.children)
    case 'watch':
      return watch(turn, spawn)
    case 'ask_about_failed':
      return settleFailed(turn, row, move.child)
    case 'wait_for':
      return waitFor(turn, row, move.child)
    case 'done':
      return finish(turn, row)
    default:
      return assertNever(move)
  }
}

function moveNow(ports: Ports, spawn: Spawn): SpawnMove {
  return nextMove(spawn, ({ planId }) => standingOf(planOf(ports, planId).position))
}

function startRow({ session }: Turn, row: Step): Next {
  const { ports } = session
  return {
    event: null,
    commit: plan => {
      const step: Step = { ...row, status: 'started', startedAt: ports.clock.now() }
      ports.store.steps.update(step)
      ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'STEP_STARTED', step })
    },
  }
}

/** What the work so far left is what the children of the wave begin with, all of them with the same. */
async function nextWave(turn: Turn, row: Step, wave: number): Promise<Next> {
  const { session, cursor } = turn
  const recorded = await recordWork(session, cursor, 'before child plans')
  if (!recorded.ok)
    return askAboutFailure(session, row.idempotencyKey, 'taking a checkpoint', recorded.failure)
  const { state } = recorded.value
  return {
    event: null,
    commit: () => {
      const spawn = readSpawn(row)
      saveSpawn(session.ports, row, { ...spawn, wave, from: state, before: spawn.before ?? state })
    },
  }
}

/** The approval of the children is that of their first phase; every later question is their own. */
function begin({ session }: Turn, row: Step, children: readonly SpawnedChild[]): Next {
  const { ports } = session
  const { from } = readSpawn(row)
  return {
    event: null,
    commit: plan => {
      for (const { planId } of children) {
        const child = planOf(ports, planId)
        if (standingOf(child.position) !== 'not_begun') continue
        const startsFrom = from === null ? null : { planId: plan.planId, state: from }
        const begun = changePlan(ports, child, { event: 'phase_passed', patch: { startsFrom } })
        if (!begun.ok) throw new Error(begun.failure.message)
      }
    },
  }
}

/** Sees to it that what ought to run runs, and looks again when something happened. */
async function watch({ session }: Turn, spawn: Spawn): Promise<Next> {
  const { ports, signal } = session
  for (const { planId, part } of spawn.children) {
    const child = planOf(ports, planId)
    if (part === 'open' && standingOf(child.position) === 'running') keepRunning(session, child)
  }
  await somethingHappened(ports, signal)
  return stay
}

function keepRunning({ ports, start }: Pick<Turn['session'], 'ports' | 'start'>, child: Plan): void {
  if (workOf(child.position) === null) return
  const lease = ports.store.leases.get(child.planId)
  if (hasNotBegun(ports, child)) failToBegin(ports, child)
  else if (livingHolder(ports, child.planId)) return
  else if (lease === null || takeOver(ports, child.planId, 'serve')) start(child.planId)
}

function hasNotBegun(ports: Ports, { startedAt, updatedAt }: Plan): boolean {
  if (startedAt !== null) return false
  return Date.parse(ports.clock.now()) - Date.parse(updatedAt) > 1_000 * secondsToBegin(ports)
}

function secondsToBegin(ports: Ports): number {
  const setting = ports.settings.get('children.seconds-to-begin', null)
  return setting.ok ? Number(setting.value.value) : 60
}

/** A child counts as running when it has taken its first step; one that nobody hears of must not be waited for. */
function failToBegin(ports: Ports, { planId }: Plan): void {
  ports.store.transaction(() => {
    const child = planOf(ports, planId)
    if (child.startedAt !== null) return
    const reason = `it did not begin within ${secondsToBegin(ports)} seconds`
    changePlan(ports, child, { event: 'failed', reason })
  })
}

const LOOK_AGAIN_MS = 200

function somethingHappened(ports: Ports, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const stopListening = ports.store.events.onChange(end)
    const timer = setTimeout(end, LOOK_AGAIN_MS)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()

    function end(): void {
      stopListening()
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}

/** Nobody but a person can move it now: the plan waits, and goes on in the transaction that moves a child. */
function waitFor({ session }: Turn, row: Step, { planId }: SpawnedChild): Next {
  const { ports } = session
  const child = planOf(ports, planId)
  return {
    event: 'waits',
    reason: `waits for ${child.name}: ${child.reason ?? stateOf(child.position)}`,
    commit: plan => {
      // It may have been answered since it was looked at.
      const present = ports.store.steps.find(row.stepId) ?? row
      if (moveNow(ports, readSpawn(present)).kind !== 'wait_for')
        changePlan(ports, plan, { event: 'continued' })
    },
  }
}

function settleFailed(turn: Turn, row: Step, child: SpawnedChild): Next {
  const { ports } = turn.session
  const failed = planOf(ports, child.planId)
  const { exceeded } = failed.guardrails
  if (exceeded && neverAsks(turn.plan.profile)) return { event: 'failed', reason: exceeded.reason, exceeded }
  const key = failedKey(failed)
  const answer = answerTo(ports, turn.plan, key)
  if (answer?.optionId === 'go_on')
    return leaveOut(turn, row, {
      kind: 'leave_out',
      child,
      why: answer.note ?? 'a person went on without it',
    })
  if (answer?.decision === 'approve')
    return {
      event: null,
      commit: () => void changePlan(ports, planOf(ports, child.planId), { event: 'resumed' }),
    }
  const dependents = readSpawn(row).children.filter(each => each.after.includes(child.key))
  const names = dependents.map(({ key: name }) => name).join(', ')
  return ask(ports, {
    kind: 'error',
    requestKey: key,
    question: `The child plan ${failed.name} failed: ${failed.reason ?? 'no reason given'}`,
    subject: { kind: 'error', step: failed.name, message: failed.reason ?? 'no reason given' },
    options: [
      { id: 'again', label: 'Try it again', description: 'It goes on where it failed.', effect: 'approve' },
      {
        id: 'go_on',
        label: 'Go on without it',
        description:
          names === ''
            ? 'Nothing of it is merged. It is cancelled and stays readable.'
            : `Nothing of it is merged, and ${names}, waiting for it, will not run.`,
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Give up',
        description: 'This plan ends as failed; it can still be resumed or corrected.',
        effect: 'reject',
      },
    ],
    reason: 'no automatic rule handles a failed child',
    confidence: null,
  })
}

async function finish(turn: Turn, row: Step): Promise<Next> {
  const { session, cursor } = turn
  const { ports } = session
  // What was merged is the work of the row's decision, whatever the actor is at.
  const counted = await recordWork(session, { ...cursor, decisionId: row.decisionId }, 'after child plans')
  if (!counted.ok)
    return askAboutFailure(session, row.idempotencyKey, 'counting the changes', counted.failure)
  const { children } = readSpawn(row)
  // Their states stay readable; nothing is done in their folders again.
  for (const { planId, part } of children) if (part === 'merged') await cleanUp(ports, planOf(ports, planId))
  const results = children.map(child => resultOf(ports, child))
  const ended: Step = {
    ...row,
    status: 'done',
    outcome: { kind: 'spawned', children: results },
    summary: summaryOf(results),
    read: readBy(ports, row),
  }
  return {
    event: null,
    commit: plan => {
      endStep(ports, plan, ended)
      recordInfluences(ports, plan, ended)
      if (row.path !== APPEND_PATH && ended.outcome) putOutcome(session, cursor, ended.outcome)
    },
  }
}

function resultOf(ports: Ports, { key, planId, part }: SpawnedChild): ChildResult {
  const { changes } = planOf(ports, planId)
  return part === 'merged'
    ? { key, planId, state: 'complete', changes }
    : { key, planId, state: 'cancelled', changes: null }
}

function summaryOf(results: readonly ChildResult[]): string {
  const merged = results.filter(each => each.state === 'complete').length
  const left = results.length - merged
  const words = `${merged} ${merged === 1 ? 'child plan' : 'child plans'} merged`
  return left === 0 ? words : `${words}, ${left} left out`
}

/** What the merged children read of the plan is what its decision rests on. */
function readBy(ports: Ports, row: Step): Step['read'] {
  const paths = new Set<RelPath>()
  for (const { planId, part } of readSpawn(row).children) {
    if (part !== 'merged') continue
    for (const { read } of ports.store.steps.listByPlan(planId)) {
      if (read === 'unknown') return 'unknown'
      for (const path of read) paths.add(path)
    }
  }
  return [...paths]
}
