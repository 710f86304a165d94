import type { ImpactView } from '../../a2a/protocol/views/correction.ts'
import { section } from './explain.ts'
import type { Paper } from './paper.ts'

type Groups = Pick<ImpactView, 'restored' | 'left_alone' | 'cannot_restore'>

/** The three groups of a rollback or a correction: what it restores, what it leaves alone, what it cannot restore. */
export function restoreGroupLines({ restored, left_alone, cannot_restore }: Groups, paper: Paper): string[] {
  return [
    ...section(
      'Restored in the sandbox',
      restored.map(({ path, how }) => `${path}: ${howText[how]}`),
      paper,
    ),
    ...section('Left alone', left_alone.map(reasonText), paper),
    ...section('Cannot be restored', cannot_restore.map(reasonText), paper),
  ]
}

const howText: Readonly<Record<Groups['restored'][number]['how'], string>> = {
  rewritten: 'put back as it was',
  brought_back: 'brought back',
  removed: 'removed, it was not there then',
}

function reasonText({ what, why }: Groups['left_alone'][number]): string {
  return `${what}: ${why}`
}
