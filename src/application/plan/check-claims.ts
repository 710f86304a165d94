import type { FinishRequest } from '../../domain/actor/actor.ts'
import { type Failure, refuse } from '../../domain/failure.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import type { ChangedFile } from '../../domain/sandbox/changeset.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { fromOf } from './base-state.ts'
import { authoriseStep, endStep } from './journal-step.ts'
import { type Next, withCommit } from './next.ts'
import { putOutcome, requestKey, type Turn } from './turn.ts'

/** How often an actor hears that it did not do what it says; then a person decides. */
const MOST_REFUSALS = 2

/**
 * What an actor says it has changed is held against what has changed. Null: it is so, or it says nothing, or a person
 * lets it stand. The sandbox is recorded as it is.
 */
export async function checkClaims(turn: Turn, request: FinishRequest): Promise<Next | null> {
  const { session, plan, cursor } = turn
  const { ports } = session
  const key = requestKey(turn)
  if (request.claims === null || request.claims.length === 0) return null
  if (answerTo(ports, plan, `${key}:error`)?.decision === 'approve') return null
  const sandbox = await session.sandbox()
  const changes = sandbox.ok
    ? await sandbox.value.changes(fromOf(plan, cursor, sandbox.value), cursor.sandboxState)
    : sandbox
  if (!changes.ok) return askAboutFailure(session, key, 'reading the changes', changes.failure)
  const untrue = unchanged(request.claims, changes.value.files)
  if (untrue.length === 0) return null
  const failure = failureAbout(untrue, changes.value.files)
  const isAsked = refusalsSoFar(turn) >= MOST_REFUSALS
  return withCommit(isAsked ? askAboutClaims(turn, key, failure) : { event: null }, now => {
    const outcome = { kind: 'finish_refused', failure } as const
    const wanted = {
      path: request.step,
      kind: 'finish',
      tool: null,
      input: { claims: request.claims },
    } as const
    endStep(ports, now, {
      ...authoriseStep(ports, now, cursor, { ...wanted, readOnly: true, idempotencyKey: key }),
      status: 'failed',
      outcome,
      summary: failure.message,
    })
    if (!isAsked) putOutcome(session, cursor, outcome)
  })
}

/** A folder that is named stands for what is in it. */
function unchanged(claims: readonly string[], files: readonly ChangedFile[]): string[] {
  const changed = files.flatMap(({ path, oldPath }): string[] =>
    oldPath === null ? [path] : [path, oldPath],
  )
  return claims.filter(claim => {
    const path = claim.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
    return !changed.some(each => each === path || each.startsWith(`${path}/`))
  })
}

function failureAbout(untrue: readonly string[], files: readonly ChangedFile[]): Failure {
  const changed = files.map(({ path }) => path)
  const real = changed.length === 0 ? 'Nothing has changed.' : `What has changed: ${changed.join(', ')}.`
  const message = `It is said to be changed and is as it was: ${untrue.join(', ')}. ${real}`
  return refuse('invalid_input', message, { unchanged: untrue, changed }).failure
}

/** Whoever finishes without being refused has finished, so all of this attempt were in a row. */
function refusalsSoFar({ session, plan }: Turn): number {
  return session.ports.store.steps
    .listByPlan(plan.planId)
    .filter(step => step.kind === 'finish' && step.attempt === plan.attempt && step.takenBackAt === null)
    .length
}

const OPTIONS: readonly GateOption[] = [
  {
    id: 'accept',
    label: 'Go on with what it did',
    description: 'What has changed is what counts, whatever it says.',
    effect: 'approve',
  },
  {
    id: 'stop',
    label: 'Give up',
    description: 'The plan ends as failed; it can still be resumed or corrected.',
    effect: 'reject',
  },
]

function askAboutClaims({ session }: Turn, key: string, { message }: Failure): Next {
  return ask(session.ports, {
    kind: 'error',
    requestKey: `${key}:error`,
    question: `What its actor says it did is not so. ${message}`,
    subject: { kind: 'error', step: 'finish', message },
    options: OPTIONS,
    reason: `it was told ${MOST_REFUSALS} times`,
    confidence: null,
  })
}
