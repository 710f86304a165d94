/** What a plan decided and produced, and taking it back. */
import * as z from 'zod'
import { diffPart, diffView } from '../views/changes.ts'
import { correctionView } from '../views/correction.ts'
import { explainView, treeView } from '../views/decision.ts'
import { decisionLogView, logRules, logVerdict } from '../views/decision-log.ts'
import { checkpointView, rollbackView } from '../views/rollback.ts'
import { stepView } from '../views/step.ts'
import { plan, row } from './row.ts'

export const decisionMethods = {
  '_cleveragents/plan/tree': row(
    'The decision tree, child plans included.',
    plan.extend({
      show_superseded: z.boolean().default(false),
      depth: z.number().int().nonnegative().optional(),
    }),
    treeView,
  ),
  '_cleveragents/plan/explain': row(
    'Why a decision was taken, what shaped it and what it shaped.',
    z.object({ decision_id: z.string(), plan_id: z.string().optional() }),
    explainView,
  ),
  '_cleveragents/plan/diff': row(
    'What a plan, a decision or a correction changed.',
    plan.extend({
      decision_id: z.string().optional(),
      correction_id: z.string().optional(),
      against: z.string().optional(),
      /** Of the plan as a whole; without it what is left while a part is applied, else everything. */
      part: diffPart.optional(),
      stat: z.boolean().default(false),
    }),
    diffView,
    { aliases: ['plan.diff'] },
  ),
  '_cleveragents/plan/artifacts': row(
    'What a plan produced: its patch, its reports, the whole output of its commands.',
    plan,
    z.object({
      artifacts: z.array(
        z.object({ name: z.string(), kind: z.string(), bytes: z.number(), path: z.string().nullable() }),
      ),
    }),
  ),
  '_cleveragents/plan/steps': row(
    'The step journal.',
    plan.extend({ decision_id: z.string().optional() }),
    z.object({ steps: z.array(stepView) }),
  ),
  '_cleveragents/plan/correct': row(
    'Revert to a decision and take it again, or append a child plan, with a preview first. A plan alone means append.',
    z.object({
      decision_id: z.string().optional(),
      plan_id: z.string().optional(),
      mode: z.enum(['revert', 'append']).optional(),
      guidance: z.string(),
      action: z.string().optional(),
      dry_run: z.boolean().default(false),
      /** Digest of the preview that is confirmed; without it the present impact is taken as confirmed. */
      digest: z.string().optional(),
      wait: z.boolean().default(false),
    }),
    correctionView,
  ),
  '_cleveragents/plan/rollback': row(
    'Return the sandbox to a checkpoint, with a preview first; later decisions are superseded.',
    plan.extend({
      /** The latest that a decision still holds, when none is named. */
      checkpoint_id: z.string().optional(),
      dry_run: z.boolean().default(false),
      /** Digest of the preview that is confirmed; without it the present impact is taken as confirmed. */
      digest: z.string().optional(),
    }),
    rollbackView,
  ),
  '_cleveragents/plan/undo': row(
    'Take the last correction or rollback of a plan back, with a preview first. Once more brings it again.',
    plan.extend({
      dry_run: z.boolean().default(false),
      /** Digest of the preview that is confirmed; without it the present impact is taken as confirmed. */
      digest: z.string().optional(),
    }),
    rollbackView,
  ),
  '_cleveragents/plan/checkpoint/list': row(
    'Checkpoints, oldest first.',
    plan,
    z.object({ checkpoints: z.array(checkpointView) }),
  ),
  '_cleveragents/plan/export': row(
    'The decision log of a plan and those below it as one document, without secrets and with a checksum.',
    plan,
    decisionLogView,
  ),
  '_cleveragents/plan/check': row(
    'Hold a decision log against rules: of a plan, or as it was exported.',
    z.object({
      plan_id: z.string().optional(),
      /** As `plan/export` gave it. */
      log: z.unknown().optional(),
      rules: logRules,
    }),
    logVerdict,
  ),
} as const
