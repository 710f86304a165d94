/**
 * Our own methods, one row each: params, result, streaming or not, older names. The dispatcher, the typed client,
 * docs/methods.md and the Agent Card's list are made from these rows.
 * Where a row takes an id, it takes a full id, an unambiguous prefix, the last six or more characters, a name, or `@latest`.
 */
import * as z from 'zod'
import {
  actionView,
  checkpointView,
  chosenPart,
  correctionView,
  diffPart,
  diffView,
  explainView,
  gateView,
  grantView,
  healthView,
  planView,
  profileView,
  projectView,
  resourceView,
  rollbackView,
  settingView,
  stepView,
  toolView,
  treeView,
} from './views.ts'

export interface MethodRow {
  readonly params: z.ZodType
  readonly result: z.ZodType
  /** streaming: the result is sent first, then notifications until the stream ends. */
  readonly streaming?: true
  readonly aliases?: readonly string[]
  /** false: answers -32110, not available yet. */
  readonly available?: false
  readonly what: string
}

function row<Params extends z.ZodType, Output extends z.ZodType>(
  what: string,
  params: Params,
  result: Output,
  more: { readonly aliases?: readonly string[] } = {},
) {
  return { what, params, result, ...more }
}

function streaming<Params extends z.ZodType, Output extends z.ZodType>(
  what: string,
  params: Params,
  result: Output,
  aliases: readonly string[],
) {
  return { what, params, result, streaming: true as const, aliases }
}

function later(what: string, aliases: readonly string[] = []) {
  return { what, params: z.looseObject({}), result: z.never(), available: false as const, aliases }
}

const plan = z.object({ plan_id: z.string() })
const none = z.object({})
const name = z.object({ name: z.string() })

/** wait: answer only when the plan waits or ends, instead of as soon as the request is recorded. */
const running = plan.extend({ wait: z.boolean().default(false) })
const answer = running.extend({
  gate_id: z.string().optional(),
  /** What the answer is bound to; without it, to the digest the gate has now. */
  digest: z.string().optional(),
  note: z.string().optional(),
})
const folder = z.object({ path: z.string() })
const link = z.object({ project: z.string(), resource: z.string() })

export const methods = {
  '_cleveragents/initialize': row(
    'Agree on a version of A2A for this connection; returns the Agent Card. Optional: without it the version is 0.3.',
    z.object({
      /** In order of preference. */
      protocolVersions: z.array(z.string()).default(['0.3']),
      client: z.object({ name: z.string(), version: z.string() }).optional(),
    }),
    z.object({
      protocolVersion: z.string(),
      server: z.object({ name: z.string(), version: z.string() }),
      agentCard: z.record(z.string(), z.unknown()),
      extensions: z.array(z.string()),
      maxFrameBytes: z.number(),
      session: z.string(),
    }),
  ),
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
      name: z.string().optional(),
      session_id: z.string().optional(),
      trust: z.boolean().default(false),
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
  '_cleveragents/plan/prompt': row(
    'Give guidance to a plan.',
    running.extend({ guidance: z.string() }),
    planView,
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
  '_cleveragents/plan/approve': row(
    'Answer yes to a gate.',
    answer.extend({
      option_id: z.string().optional(),
      ...chosenPart.shape,
      grant: z.enum(['once', 'plan', 'profile']).default('once'),
    }),
    planView,
  ),
  '_cleveragents/plan/reject': row('Answer no to a gate.', answer, planView),
  '_cleveragents/plan/request-changes': row(
    'Ask for another proposal, with guidance.',
    answer.extend({ guidance: z.string() }),
    planView,
  ),
  '_cleveragents/plan/profile/show': row(
    'The profile a plan runs under and where it came from.',
    plan,
    z.object({ profile: profileView, source: z.string() }),
  ),
  '_cleveragents/plan/unapply': row(
    'Take back what a plan applied: makes a new plan that lays the inverse around what was changed since.',
    running.extend({ note: z.string().optional() }),
    planView,
  ),
  '_cleveragents/plan/export': later('The decision log as a document.'),
  '_cleveragents/plan/check': later('Pre-flight checks without starting.'),
  '_cleveragents/plan/guard/show': later('Guards of a plan.'),
  '_cleveragents/plan/guard/audit': later('Audit trail of a plan.'),
  '_cleveragents/plan/guard/set': later('Tighten the guards of a plan.'),
  '_cleveragents/plan/guard/denylist/add': later('Deny a tool in a plan.'),
  '_cleveragents/plan/guard/denylist/remove': later('Allow a denied tool in a plan.'),
  '_cleveragents/gate/list': row(
    'Open gates over all plans.',
    z.object({ plan_id: z.string().optional() }),
    z.object({ gates: z.array(gateView) }),
  ),
  '_cleveragents/grant/list': row(
    'Standing approvals.',
    z.object({ plan_id: z.string().optional() }),
    z.object({ grants: z.array(grantView) }),
  ),
  '_cleveragents/grant/revoke': row(
    'Take a standing approval back.',
    z.object({ grant_id: z.string() }),
    grantView,
  ),
  '_cleveragents/event/subscribe': streaming(
    'Follow the event log from a sequence number.',
    z.object({ after_seq: z.number().int().nonnegative().optional(), plan_id: z.string().optional() }),
    z.object({ subscription: z.string(), seq: z.number() }),
    ['event.subscribe'],
  ),
  '_cleveragents/event/list': row(
    'Past events of a plan, as they were sent.',
    z.object({
      plan_id: z.string(),
      after_seq: z.number().int().nonnegative().default(0),
      limit: z.number().int().positive().max(10_000).default(1_000),
    }),
    z.object({ events: z.array(z.looseObject({ method: z.string(), seq: z.number() })) }),
  ),
  '_cleveragents/action/list': row('Actions.', none, z.object({ actions: z.array(actionView) })),
  '_cleveragents/action/show': row('One action.', name, actionView),
  '_cleveragents/action/create': row(
    'Register an action from its YAML text.',
    z.object({ text: z.string(), file: z.string(), automation_profile: z.string().optional() }),
    actionView,
  ),
  '_cleveragents/action/archive': row('Take an action out of use.', name, actionView),
  '_cleveragents/automation-profile/list': row(
    'Profiles.',
    none,
    z.object({ profiles: z.array(profileView) }),
  ),
  '_cleveragents/automation-profile/show': row('One profile.', name, profileView),
  '_cleveragents/automation-profile/add': later('Register a profile.'),
  '_cleveragents/automation-profile/update': later('Change a registered profile.'),
  '_cleveragents/automation-profile/delete': later('Remove a registered profile.'),
  '_cleveragents/project/list': row('Known folders.', none, z.object({ projects: z.array(projectView) })),
  '_cleveragents/project/show': row(
    'One project, by name or folder; unknown folders register themselves.',
    z.object({ project: z.string() }),
    projectView,
  ),
  '_cleveragents/project/create': row(
    'Register a folder.',
    folder.extend({ name: z.string().optional() }),
    projectView,
  ),
  '_cleveragents/project/trust': row(
    "Let the folder's own checks run.",
    z.object({ project: z.string() }),
    projectView,
  ),
  '_cleveragents/project/untrust': row(
    "Stop the folder's own checks from running.",
    z.object({ project: z.string() }),
    projectView,
  ),
  '_cleveragents/project/set-up': row(
    'Say what fills a new sandbox with dependencies, e.g. `npm ci`; null: nothing. It runs where the folder is trusted, with the network only where a person allowed it here.',
    z.object({
      project: z.string(),
      command: z.string().nullable(),
      network: z.boolean().default(false),
    }),
    projectView,
  ),
  '_cleveragents/project/link-resource': row(
    'Link a resource to a project: plans made from then on work with it.',
    link,
    projectView,
  ),
  '_cleveragents/project/unlink-resource': row('Take a resource from a project.', link, projectView),
  '_cleveragents/tool/list': row(
    'Tools.',
    z.object({ namespace: z.string().optional() }),
    z.object({ tools: z.array(toolView) }),
    { aliases: ['registry.list_tools'] },
  ),
  '_cleveragents/tool/show': row('One tool.', name, toolView),
  '_cleveragents/actor/list': row(
    'Actor kinds.',
    none,
    z.object({
      actors: z.array(z.object({ name: z.string(), description: z.string(), available: z.boolean() })),
    }),
  ),
  '_cleveragents/resource/add': row(
    'Register a database.',
    z.object({
      name: z.string(),
      type: z.enum(['sqlite', 'postgresql']),
      /** The absolute path of a SQLite file, or the URL of a PostgreSQL database without its password. */
      location: z.string(),
      /** copy: work on a copy; transaction: work in one open transaction of the database itself. */
      mode: z.enum(['copy', 'transaction']).optional(),
    }),
    resourceView,
  ),
  '_cleveragents/resource/list': row(
    'Registered databases.',
    none,
    z.object({ resources: z.array(resourceView) }),
    { aliases: ['registry.list_resources'] },
  ),
  '_cleveragents/resource/show': row('One resource.', name, resourceView),
  '_cleveragents/resource/remove': row(
    'Forget a resource; the database itself is not touched.',
    name,
    resourceView,
  ),
  '_cleveragents/skill/list': later('Skills.'),
  '_cleveragents/validation/list': later('Validations.'),
  '_cleveragents/invariant/list': later('Invariants.'),
  '_cleveragents/context/show': later('Context.', ['context.get']),
  '_cleveragents/context/inspect': later('Context.'),
  '_cleveragents/context/simulate': later('Context.'),
  '_cleveragents/context/set': later('Context.'),
  '_cleveragents/sync/pull': later('Synchronisation.'),
  '_cleveragents/sync/push': later('Synchronisation.'),
  '_cleveragents/sync/status': later('Synchronisation.'),
  '_cleveragents/namespace/list': later('Namespaces.'),
  '_cleveragents/namespace/show': later('Namespaces.'),
  '_cleveragents/namespace/members': later('Namespaces.'),
  'session.create': later('A conversation.'),
  'session.close': later('End a conversation.'),
  '_cleveragents/config/get': row(
    'One setting and where it comes from.',
    z.object({ key: z.string(), project: z.string().optional() }),
    settingView,
  ),
  '_cleveragents/config/set': row(
    'Change a setting.',
    z.object({ key: z.string(), value: z.unknown(), project: z.string().optional() }),
    settingView,
  ),
  '_cleveragents/config/list': row(
    'All settings.',
    z.object({ project: z.string().optional() }),
    z.object({ settings: z.array(settingView) }),
  ),
  '_cleveragents/health/check': row('Is the backend able to work?', none, healthView),
  '_cleveragents/diagnostics/run': row(
    'What works on this machine, what does not, and why.',
    z.object({ folder: z.string().optional() }),
    healthView,
  ),
  '_cleveragents/backend/keep-running': row(
    'Run on after this client has gone, until nothing runs any more.',
    none,
    z.object({ running: z.number() }),
  ),
  '_cleveragents/demo/create': row(
    'Make a small repository in a temporary folder and register the demo action.',
    none,
    z.object({ folder: z.string(), action_name: z.string() }),
  ),
} as const satisfies Record<string, MethodRow>

export type MethodName = keyof typeof methods
export type Params<Name extends MethodName> = z.input<(typeof methods)[Name]['params']>
export type CheckedParams<Name extends MethodName> = z.output<(typeof methods)[Name]['params']>
export type Output<Name extends MethodName> = z.output<(typeof methods)[Name]['result']>
