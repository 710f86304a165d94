import type { RollbackView } from '../../a2a/protocol/views/rollback.ts'
import { cancelledText, mentionText } from './correction.ts'
import { section } from './explain.ts'
import type { Paper } from './paper.ts'
import { planLines } from './plan.ts'
import { restoreGroupLines } from './restore-groups.ts'
import { factLines } from './table.ts'
import { shortDigest, shortId } from './words.ts'

/** What a rollback would do, or has done, and then the plan and how to take it back. */
export function rollbackLines(rollback: RollbackView, paper: Paper): string[] {
  const { checkpoint, impact, plan, safety_checkpoint: safety, status } = rollback
  const title = status === 'preview' ? 'This rollback would return to' : 'Rolled back to'
  const facts = [
    ['checkpoint', shortId(checkpoint.checkpoint_id)],
    ['digest', status === 'preview' ? shortDigest(impact.digest) : null],
  ] as const
  return [
    paper.paint('strong', `${title}: ${checkpoint.label}`),
    ...factLines(facts, paper),
    ...restoreGroupLines(impact, paper),
    ...section('Decisions superseded', impact.decisions.map(mentionText), paper),
    ...section('Decisions that hold again', impact.decisions_again.map(mentionText), paper),
    ...section('Child plans cancelled', impact.plans.map(cancelledText), paper),
    ...section('Gates asked again', impact.gates_again, paper),
    ...(safety === null
      ? []
      : [...takeBackLines(plan.plan_id, safety.checkpoint_id), ...planLines(plan, paper)]),
  ]
}

function takeBackLines(planId: string, safetyId: string): string[] {
  return ['  Take it back with', `    agents plan rollback ${shortId(planId)} ${shortId(safetyId)}`]
}
