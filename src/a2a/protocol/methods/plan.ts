/** Making a plan, moving it and looking at it. */
import * as z from 'zod'
import { chosenPart } from '../views/changes.ts'
import { planView } from '../views/plan.ts'
import { plan, row, running } from './row.ts'

export const planMethods = {
  '_cleveragents/plan/use': row(
    'Make a plan from an action and start it.',
    z.object({
      action_name: z.string(),
      /** Names or folders; none = the folder the client was started in. */
      projects: z.array(z.string()).default([]),
      folder: z.string().optional(),
      args: z.record(z.string(), z.unknown()).default({}),
      automation_profile: z.string().optional(),
      /** `auto` or the name of a strategy; none = the setting `sandbox.strategy`. */
      sandbox: z.string().optional(),
      invariants: z.array(z.string()).default([]),
      /** US dollars, steps and seconds of running; the tightest of these and of what is set elsewhere holds. */
      max_cost: z.number().nonnegative().optional(),
      max_steps: z.number().int().nonnegative().optional(),
      max_seconds: z.number().nonnegative().optional(),
      max_tokens: z.number().int().nonnegative().optional(),
      name: z.string().optional(),
      session_id: z.string().optional(),
      trust: z.boolean().default(false),
      /** Whether somebody is there to answer gates; where not, the plan says which ones it will wait at. */
      attended: z.boolean().default(true),
      wait: z.boolean().default(false),
    }),
    planView,
    { aliases: ['plan.create'] },
  ),
  '_cleveragents/plan/execute': row('Pass the gate before Execute and go on.', running, planView, {
    aliases: ['plan.execute'],
  }),
  '_cleveragents/plan/apply': row(
    'Pass the gate before Apply, or answer its conflict, and merge all or a part of the changes.',
    running.extend({ ...chosenPart.shape, digest: z.string().optional() }),
    planView,
    { aliases: ['plan.apply'] },
  ),
  '_cleveragents/plan/cancel': row(
    'Cancel a plan and its children; harmless when repeated.',
    running.extend({ reason: z.string().optional() }),
    planView,
  ),
  '_cleveragents/plan/pause': row('Stop at the next step, the children too.', plan, planView),
  '_cleveragents/plan/resume': row(
    'Go on where it paused or failed, with its paused children.',
    running,
    planView,
  ),
  '_cleveragents/plan/interrupt': row('Abort the running step; the plan asks how to go on.', plan, planView),
  '_cleveragents/plan/prompt': row(
    'Give guidance to a plan.',
    running.extend({ guidance: z.string() }),
    planView,
  ),
  '_cleveragents/plan/status': row(
    'One plan as it is now, or as soon as it waits or ends.',
    running,
    planView,
    {
      aliases: ['plan.status'],
    },
  ),
  '_cleveragents/plan/list': row(
    'Plans, newest first.',
    z.object({
      phase: planView.shape.phase.optional(),
      state: planView.shape.state.optional(),
      project: z.string().optional(),
      limit: z.number().int().positive().max(1_000).default(100),
    }),
    z.object({ plans: z.array(planView), seq: z.number() }),
  ),
  '_cleveragents/plan/unapply': row(
    'Take back what a plan applied: makes a new plan that lays the inverse around what was changed since.',
    running.extend({ note: z.string().optional() }),
    planView,
  ),
} as const
