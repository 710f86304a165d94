/** What a correction of the shop plan, and taking one back, would do. */

import type { CorrectionView } from '../../src/a2a/protocol/views/correction.ts'
import type { CheckpointView, RollbackView } from '../../src/a2a/protocol/views/rollback.ts'
import { shopPlan } from './shop-story.ts'

export const correctedId = '01J00000000000000000000D03'

export function aCorrection(
  of: Partial<CorrectionView> = {},
  impact: Partial<CorrectionView['impact']> = {},
): CorrectionView {
  return {
    correction_id: null,
    plan_id: shopPlan.plan_id,
    decision_id: correctedId,
    mode: 'revert',
    status: 'preview',
    guidance: 'guards',
    attempt: 2,
    child_plan_id: null,
    ...of,
    impact: {
      decisions: [
        {
          decision_id: '01J00000000000000000000D04',
          number: 4,
          question: 'How is the check moved?',
          why: 'made under #3',
        },
      ],
      plans: [],
      restored: [{ path: 'src/middleware/session.ts', how: 'rewritten' }],
      left_alone: [{ what: '/home/mira/shop-api', why: 'your own files; a rollback never touches them' }],
      cannot_restore: [],
      kept: ['01J00000000000000000000D07'],
      tier: 'full',
      warnings: [],
      gates_again: ['Go from Execute to Apply?'],
      irreversible: [],
      digest: 'sha256:one',
      ...impact,
    },
  }
}

const safetyCheckpoint: CheckpointView = {
  checkpoint_id: 'safe',
  plan_id: shopPlan.plan_id,
  decision_id: null,
  kind: 'safety',
  label: 'before the correction of #3',
  resources: [],
  created_at: '2026-11-30T10:06:00.000Z',
}

export function anUndo(status: RollbackView['status']): RollbackView {
  return {
    status,
    plan: shopPlan,
    checkpoint: safetyCheckpoint,
    safety_checkpoint: null,
    impact: {
      decisions: [
        {
          decision_id: correctedId,
          number: 3,
          question: 'Which module owns the check?',
          why: 'taken since then',
        },
      ],
      decisions_again: [
        {
          decision_id: '01J00000000000000000000D06',
          number: 6,
          question: 'Which module owns the check?',
          why: 'it held then',
        },
      ],
      plans: [],
      restored: [{ path: 'src/middleware/session.ts', how: 'rewritten' }],
      left_alone: [],
      cannot_restore: [],
      gates_again: ['Go from Execute to Apply?'],
      digest: 'sha256:undo',
    },
  }
}
