/** The plan that most screen tests look at: sessions move into middleware, one decision waits. */
import type { DecisionView, EdgeView } from '../../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { ProfileView } from '../../src/a2a/protocol/views/profile.ts'
import { noGuardFields } from './no-guard-fields.ts'
import { aDecision, aGate, aPlan, aStep } from './screen-views.ts'
import { type Answers, createScriptedClient } from './scripted-client.ts'

export const shopPlan = aPlan({
  plan_id: '01J0000000000000000PLAN03',
  state: 'awaiting_input',
  task_state: 'input-required',
  cost: { usd: 0.42, tokens: 0 },
  changes: { files: 3, additions: 132, deletions: 3 },
  invariants: ['No new dependencies'],
})

const shopPlans: readonly PlanView[] = [
  shopPlan,
  aPlan({
    plan_id: '01J0000000000000000PLAN02',
    name: 'rate-limit',
    phase: 'strategize',
    state: 'running',
    description: 'Limit how often one address may log in',
  }),
  aPlan({
    plan_id: '01J0000000000000000PLAN01',
    name: 'docs-refresh',
    phase: 'apply',
    state: 'applied',
    task_state: 'completed',
    description: 'Bring the guides up to date',
  }),
]

const planId = shopPlan.plan_id
/** What the system recorded has no key: nobody chose it. */
const decision = (of: Partial<DecisionView> & { decision_id: string; number: number }) =>
  aDecision({ plan_id: planId, key: of.decided_by === 'system' ? null : `step-${of.number}`, ...of })

export const shopDecisions: readonly DecisionView[] = [
  decision({
    decision_id: '01J00000000000000000000D01',
    number: 1,
    type: 'prompt_definition',
    phase: 'action',
    question: 'What is to be done?',
    chosen_option: { id: 'goal', label: 'Move session checks into middleware', rationale: null },
    decided_by: 'system',
  }),
  decision({
    decision_id: '01J00000000000000000000D02',
    number: 2,
    parent_decision_id: '01J00000000000000000000D01',
    type: 'invariant_enforced',
    phase: 'strategize',
    question: 'Which rule holds?',
    chosen_option: { id: 'deps', label: 'No new dependencies', rationale: null },
    decided_by: 'system',
  }),
  decision({
    decision_id: '01J00000000000000000000D03',
    number: 3,
    parent_decision_id: '01J00000000000000000000D01',
    type: 'strategy_choice',
    phase: 'strategize',
    question: 'Which module owns the check?',
    chosen_option: {
      id: 'middleware',
      label: 'middleware/session.ts',
      rationale: 'one place, already loaded everywhere',
    },
    alternatives: [
      { id: 'guards', label: 'one guard per route', rationale: 'repeats the check in 14 files' },
      { id: 'decorator', label: 'a decorator', rationale: 'needs a compiler flag' },
    ],
    confidence: 0.9,
    gate_confidence: {
      flag: 'edit_code',
      effective: 0.81,
      computed: 0.81,
      stated: 0.9,
      threshold: 0.8,
      factors: { success: 0.8, familiarity: 0.7, risk: 0.9, invariants: 0.9 },
      weights: { success: 0.3, familiarity: 0.2, risk: 0.3, invariants: 0.2 },
    },
    decided_by: 'profile',
    rationale: 'Every route passes the middleware already.',
  }),
  decision({
    decision_id: '01J00000000000000000000D04',
    number: 4,
    parent_decision_id: '01J00000000000000000000D03',
    question: 'How is the check moved?',
    chosen_option: { id: 'extract', label: 'extract requireSession', rationale: null },
    changes: { files: 2, additions: 42, deletions: 3 },
    confidence: 0.88,
  }),
  decision({
    decision_id: '01J00000000000000000000D05',
    number: 5,
    parent_decision_id: '01J00000000000000000000D03',
    type: 'subplan_spawn',
    question: 'Who writes the tests?',
    chosen_option: { id: 'child', label: 'tests', rationale: null },
    changes: { files: 1, additions: 90, deletions: 0 },
  }),
  decision({
    decision_id: '01J00000000000000000000D06',
    number: 6,
    parent_decision_id: '01J00000000000000000000D01',
    type: 'strategy_choice',
    phase: 'strategize',
    status: 'superseded',
    superseded_reason: 'correction',
    question: 'Which module owns the check?',
    chosen_option: { id: 'guards', label: 'one guard per route', rationale: null },
  }),
  decision({
    decision_id: '01J00000000000000000000D07',
    number: 7,
    parent_decision_id: '01J00000000000000000000D01',
    type: 'validation_response',
    question: 'Do the checks pass?',
    chosen_option: { id: 'run', label: 'npm test', rationale: null },
  }),
]

export const shopGate: GateView = aGate({
  gate_id: '01J00000000000000000000G01',
  plan_id: planId,
  kind: 'tool',
  flag: 'execute_command',
  phase: 'execute',
  question: 'Delete src/legacy/session.js?',
  subject: {
    kind: 'tool',
    tool: 'builtin/delete_file',
    input: { path: 'src/legacy/session.js' },
    folder: '/home/mira/shop-api',
  },
  reason: 'Confidence .54 is below what profile cautious needs, .80.',
})

const cautious: ProfileView = {
  name: 'cautious',
  description: 'Asks where it is not sure, and always before your files change.',
  built_in: true,
  thresholds: [
    { flag: 'decompose_task', gate: 'autoStrategize', what: 'start Strategize', threshold: 0 },
    { flag: 'create_tool', gate: 'autoExecute', what: 'go from Strategize to Execute', threshold: 0.8 },
    { flag: 'select_tool', gate: 'autoApply', what: 'go from Execute to Apply', threshold: 1 },
  ],
  safety: { require_sandbox: true, max_cost_per_plan: null },
  guards: null,
  child_thresholds: {},
}

const ci: ProfileView = {
  ...cautious,
  name: 'ci',
  description: 'Never asks; for machines.',
  thresholds: cautious.thresholds.map(each => ({ ...each, threshold: 0 })),
}

const shopPatch = `diff --git a/src/middleware/session.ts b/src/middleware/session.ts
index 1111111..2222222 100644
--- a/src/middleware/session.ts
+++ b/src/middleware/session.ts
@@ -1,4 +1,6 @@ export
 import { sessions } from './store'
-export function check(request) {
+export function requireSession(request) {
+  const session = sessions.get(request.cookie)
+  if (!session) throw new Unauthorized()
   return sessions.has(request.cookie)
 }
diff --git a/src/logo.png b/src/logo.png
index 3333333..4444444 100644
Binary files a/src/logo.png and b/src/logo.png differ
`

export const shopAnswers: Answers = {
  '_cleveragents/plan/list': () => ({ plans: [...shopPlans], seq: 10 }),
  '_cleveragents/gate/list': () => ({ gates: [shopGate] }),
  '_cleveragents/plan/tree': ({ plan_id }) => ({
    plan_id,
    decisions: plan_id === planId ? [...shopDecisions] : [],
    edges: [] as EdgeView[],
    plans: [],
  }),
  '_cleveragents/plan/steps': () => ({
    steps: [
      aStep({
        step_id: 's1',
        plan_id: planId,
        decision_id: '01J00000000000000000000D04',
        status: 'done',
        ended_at: '2026-11-30T10:02:01.400Z',
        summary: 'edit_file src/middleware/session.ts',
      }),
    ],
  }),
  '_cleveragents/plan/explain': ({ decision_id }) => ({
    decision: shopDecisions.find(each => each.decision_id === decision_id) ?? aDecision({ decision_id }),
    plan_name: shopPlan.name,
    arithmetic: [
      '.30 x success .80 + .20 x familiarity .70 + .30 x risk .90 + .20 x invariants .90 = .81 >= .80',
    ],
    upstream: [
      {
        decision_id: '01J00000000000000000000D02',
        number: 2,
        question: 'Which rule holds?',
        why: 'declared',
        plan_id: planId,
        origin: 'declared' as const,
      },
    ],
    downstream: [],
    standing: 'reached' as const,
    not_counted: [],
    answers: [],
    steps: [],
    files: [],
  }),
  '_cleveragents/project/show': () => ({
    name: 'local/shop-api',
    root: '/home/mira/shop-api',
    trusted: true,
    trust_asked: true,
    trust: 'trusted',
    trust_digest: '',
    would_run: [],
    resource: 'git-checkout',
    resources: [],
    branch: 'main',
    automation_profile: null,
    set_up: null,
    languages: ['typescript'],
    checks: [],
  }),
  '_cleveragents/plan/diff': ({ plan_id }) => ({
    plan_id,
    digest: 'sha256:diff',
    part: 'all' as const,
    old: { title: 'before the plan' },
    new: { title: 'now' },
    files: [
      {
        path: 'src/middleware/session.ts',
        old_path: null,
        status: 'modified',
        additions: 3,
        deletions: 1,
        binary: false,
      },
      { path: 'src/logo.png', old_path: null, status: 'modified', additions: 0, deletions: 0, binary: true },
    ],
    patch: shopPatch,
    patch_encoding: 'utf8',
  }),
  '_cleveragents/automation-profile/list': () => ({ profiles: [cautious, ci] }),
  '_cleveragents/automation-profile/preview': ({ action_name, automation_profile = 'cautious' }) => {
    const profile = automation_profile === 'ci' ? ci : cautious
    return {
      action: action_name,
      profile,
      source: automation_profile === 'cautious' ? 'action' : 'plan',
      sources: {},
      guards: noGuardFields,
      gates: profile.thresholds.map(({ threshold, ...gate }) => ({
        ...gate,
        threshold,
        asks: threshold >= 1 ? ('always' as const) : threshold > 0 ? ('below' as const) : ('never' as const),
        reached: 'on_the_way' as const,
      })),
      also: [],
    }
  },
  '_cleveragents/action/list': () => ({
    actions: [
      {
        name: 'builtin/replace-text',
        description: 'Replace text in many files',
        long_description: null,
        definition_of_done: 'No file in scope contains the old text.',
        strategy_actor: 'builtin/recipe',
        execution_actor: 'builtin/recipe',
        arguments: [
          {
            name: 'find',
            type: 'string',
            required: true,
            default: null,
            description: 'the text to look for',
            values: [],
          },
          {
            name: 'replace',
            type: 'string',
            required: true,
            default: null,
            description: 'what stands there afterwards',
            values: [],
          },
          {
            name: 'regex',
            type: 'boolean',
            required: false,
            default: false,
            description: 'find is a pattern',
            values: [],
          },
        ],
        invariants: [],
        automation_profile: 'cautious',
        read_only: false,
        state: 'available',
        origin: 'built-in',
        starts: [],
        unavailable: null,
      },
      {
        name: 'builtin/run-checks',
        description: "Run the project's own tests and linters",
        long_description: null,
        definition_of_done: 'Every check has run and its result is known.',
        strategy_actor: 'builtin/recipe',
        execution_actor: 'builtin/recipe',
        arguments: [],
        invariants: [],
        automation_profile: null,
        set_up: null,
        read_only: true,
        state: 'available',
        origin: 'built-in',
        starts: [],
        unavailable: null,
      },
    ],
  }),
}

export function shopBackend(more: Answers = {}) {
  return createScriptedClient({ ...shopAnswers, ...more })
}
