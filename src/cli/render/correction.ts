import type { CorrectionView } from '../../a2a/protocol/views/correction.ts'
import { section } from './explain.ts'
import type { Paper } from './paper.ts'
import { restoreGroupLines } from './restore-groups.ts'
import { factLines } from './table.ts'
import { counted, shortDigest } from './words.ts'

/** What a correction would do, or has done. */
export function correctionLines(correction: CorrectionView, paper: Paper): string[] {
  const { impact } = correction
  const facts = [
    ['guidance', correction.guidance],
    ['redone', correction.mode === 'append' ? null : tierText[impact.tier]],
    ['kept', impact.kept.length === 0 ? null : counted(impact.kept.length, 'decision')],
    ['child plan', correction.child_plan_id],
    ['digest', shortDigest(impact.digest)],
  ] as const
  return [
    paper.paint('strong', titleOf(correction)),
    ...factLines(facts, paper),
    ...section('Decisions taken again', impact.decisions.map(mentionText), paper),
    ...section('Child plans cancelled', impact.plans.map(cancelledText), paper),
    ...restoreGroupLines(impact, paper),
    ...section('Gates asked again', impact.gates_again, paper),
    ...section('Cannot be undone', impact.irreversible, paper),
    ...section('Mind', impact.warnings, paper),
  ]
}

const tierText: Readonly<Record<CorrectionView['impact']['tier'], string>> = {
  full: 'what rests on this decision',
  phase: 'the whole of Execute',
  none: 'nothing can be restored',
}

function titleOf({ mode, status, attempt }: CorrectionView): string {
  if (mode === 'append') return status === 'preview' ? 'This would be appended' : 'Appended'
  if (status === 'preview') return `This ${mode} would`
  return `Correction (${mode}) ${status}, attempt ${attempt}`
}

export function mentionText({
  number,
  question,
  why,
}: CorrectionView['impact']['decisions'][number]): string {
  return `#${number} ${question}: ${why}`
}

export function cancelledText({ name, state }: CorrectionView['impact']['plans'][number]): string {
  return `${name} (${state}): cancelled`
}
