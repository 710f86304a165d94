import { automationGates } from '../../domain/gate/automation.ts'
import type { ChosenPart, GateOption } from '../../domain/gate/gate.ts'
import { anotherAttempt, MAX_REVERSIONS } from '../../domain/plan/plan.ts'
import { apartFrom, type ChangedFile, isNamedBy } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ApplyConflict } from '../../domain/sandbox/strategy.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { openGate } from '../gate/open-gate.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { planTouches } from '../gate/touches.ts'
import type { Next } from '../plan/next.ts'
import { limitWords } from '../plan/revise-strategy.ts'
import type { Applying } from './apply-plan.ts'

/** Nothing was written. A conflict is either planned around anew on the present tree, or a person's to resolve. */
export function constrained(applying: Applying, conflicts: readonly ApplyConflict[]): Next {
  const { session, plan } = applying
  const { ports } = session
  const verdict = judgeOperation(ports, plan, {
    gate: 'revertConstrainedApply',
    decisionType: null,
    touches: planTouches(ports, plan, 'done'),
    stated: null,
  })
  const names = conflicts.map(conflict => conflict.path).join(', ')
  const reason = `${conflicts.length} ${conflicts.length === 1 ? 'path' : 'paths'} changed meanwhile: ${names}`
  if (verdict.passes && plan.reversions < MAX_REVERSIONS && plan.appliedState === null) {
    return {
      event: 'constrained',
      reason,
      followedBy: { event: 'strategy_revised', reason, patch: anotherAttempt(plan, reason) },
      commit: current => recordPass(ports, current, verdict, automationGates.revertConstrainedApply.what),
    }
  }
  const others = withoutConflict(applying, conflicts)
  return {
    event: 'constrained',
    reason,
    commit: current => {
      openGate(ports, current, {
        kind: 'constrained',
        requestKey: `${plan.attempt}:constrained:${ports.clock.now()}`,
        question: `Your files and the plan changed the same places: ${names}. Nothing was written.`,
        subject: { kind: 'constrained', conflicts, others },
        options: optionsFor(applying, others.length),
        reason: verdict.passes && plan.reversions >= MAX_REVERSIONS ? limitWords(plan.reversions) : null,
        confidence: verdict,
      })
    },
  }
}

/** The chosen files that can be applied on their own. Single hunks of a file stand or fall together. */
function withoutConflict({ changes, part }: Applying, conflicts: readonly ApplyConflict[]): RelPath[] {
  if (part?.kind === 'hunks') return []
  const chosen = changes.files.filter(file => isChosen(file, part))
  const paths = conflicts.map(conflict => conflict.path)
  return apartFrom(chosen, paths).map(file => file.path)
}

function isChosen(file: ChangedFile, part: Extract<ChosenPart, { kind: 'paths' }> | null): boolean {
  return part === null || part.only.some(path => isNamedBy(file, path))
}

function optionsFor({ plan }: Applying, others: number): GateOption[] {
  const retry: GateOption = {
    id: 'retry',
    label: 'Try again',
    description: 'After you have changed the files yourself.',
    effect: 'approve',
  }
  const rest: GateOption = {
    id: 'rest',
    label: `Apply the ${others === 1 ? 'other file' : `${others} other files`}`,
    description: 'The paths in conflict stay in what is left of the plan; nothing is written into them.',
    effect: 'approve',
  }
  // Planned anew, the plan would lose track of what it has applied.
  const redo: GateOption = {
    id: 'redo',
    label: 'Plan anew on your files as they are now',
    description: 'The work so far is superseded and done again.',
    effect: 'approve',
  }
  const stop: GateOption =
    plan.appliedState === null
      ? {
          id: 'stop',
          label: 'Leave it unapplied',
          description: 'The plan ends as failed; its diff stays.',
          effect: 'reject',
        }
      : {
          id: 'stop',
          label: 'Leave the rest',
          description: 'The plan ends as applied in part; what was left stays readable as its diff.',
          effect: 'reject',
        }
  return [retry, ...(others > 0 ? [rest] : []), ...(plan.appliedState === null ? [redo] : []), stop]
}
