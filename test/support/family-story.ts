/** A plan with three children at once: one is done, one asks, one runs; their names and words are those of the world. */
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { aDecision, aGate, aPlan } from './screen-views.ts'
import { type Answers, createScriptedClient } from './scripted-client.ts'
import { shopAnswers } from './shop-story.ts'

const root = aPlan({
  plan_id: '01J0000000000000000ROOT01',
  name: 'translate-shop',
  phase: 'execute',
  state: 'running',
})

function child(of: Partial<PlanView> & { plan_id: string; name: string }): PlanView {
  return aPlan({
    parent_plan_id: root.plan_id,
    root_plan_id: root.plan_id,
    spawn_decision_id: 'spawn',
    applies_to: 'parent',
    action: 'local/translate',
    ...of,
  })
}

const familyPlans: readonly PlanView[] = [
  root,
  child({
    plan_id: '01J0000000000000000CHILD1',
    name: 'translate-shop/日本語の文書',
    phase: 'apply',
    state: 'complete',
    changes: { files: 4, additions: 120, deletions: 8 },
  }),
  child({
    plan_id: '01J0000000000000000CHILD2',
    name: 'translate-shop/a-very-long-name-that-no-column-of-a-small-window-has-room-for',
    state: 'awaiting_input',
    task_state: 'input-required',
  }),
  child({ plan_id: '01J0000000000000000CHILD3', name: 'translate-shop/deutsch', state: 'running' }),
]

const decision = (of: Partial<DecisionView> & { decision_id: string }) =>
  aDecision({ plan_id: root.plan_id, key: of.decision_id, ...of })

const goal = (planId: string, id: string, label: string) =>
  decision({
    decision_id: id,
    plan_id: planId,
    key: null,
    type: 'prompt_definition',
    question: 'What is to be done?',
    chosen_option: { id: 'goal', label, rationale: null },
  })

const familyDecisions: readonly DecisionView[] = [
  goal(root.plan_id, 'goal', 'Offer the shop in three languages'),
  decision({
    decision_id: 'spawn',
    number: 2,
    parent_decision_id: 'goal',
    type: 'subplan_parallel_spawn',
    question: 'Who translates?',
    chosen_option: { id: 'each', label: 'one plan for each language', rationale: null },
  }),
  decision({
    decision_id: 'check',
    number: 3,
    parent_decision_id: 'goal',
    type: 'validation_response',
    question: 'Is every text there?',
    chosen_option: { id: 'yes', label: 'compare the keys', rationale: null },
  }),
  goal('01J0000000000000000CHILD1', 'c1', '文書を日本語に訳す'),
  goal('01J0000000000000000CHILD2', 'c2', 'Traduire les textes'),
  goal('01J0000000000000000CHILD3', 'c3', 'Die Texte übersetzen'),
]

export const familyGate: GateView = aGate({
  gate_id: 'g-child',
  plan_id: '01J0000000000000000CHILD2',
  plan_name: familyPlans[2]?.name ?? '',
  path: ['translate-shop', familyPlans[2]?.name ?? ''],
  kind: 'decision',
  phase: 'execute',
  question: 'Is "panier" or "caddie" the word for the basket?',
})

export const startGate: GateView = aGate({
  gate_id: 'g-start',
  plan_id: root.plan_id,
  plan_name: root.name,
  path: [root.name],
  kind: 'child',
  phase: 'execute',
  question: 'Start 2 child plans: deutsch, français?',
  subject: {
    kind: 'children',
    mode: 'parallel',
    max_parallel: 2,
    merge: 'three_way',
    profile: 'cautious',
    children: [
      { key: 'deutsch', action: 'local/translate', args: { language: 'de' }, guidance: null, after: [] },
      {
        key: 'français',
        action: 'local/translate',
        args: { language: 'fr', files: ['src/texts.json', 'docs/index.md'] },
        guidance: 'say vous',
        after: ['deutsch'],
      },
    ],
  },
  options: [{ id: 'start', label: 'Start them', description: null, effect: 'approve' }],
})

export const conflictGate: GateView = aGate({
  gate_id: 'g-conflict',
  plan_id: root.plan_id,
  plan_name: root.name,
  path: [root.name],
  kind: 'merge_conflict',
  phase: 'execute',
  question:
    'The child plan deutsch and the work before it changed the same places: src/texts.json. What now?',
  subject: {
    kind: 'merge_conflict',
    child: { plan_id: '01J0000000000000000CHILD3', name: 'translate-shop/deutsch' },
    conflicts: [{ path: 'src/texts.json', kind: 'content', reason: 'src/texts.json: both changed line 2' }],
    sides: [
      {
        path: 'src/texts.json',
        ours: 'diff --git a/src/texts.json b/src/texts.json\n--- a/src/texts.json\n+++ b/src/texts.json\n@@ -1,3 +1,3 @@\n {\n-  "basket": "Basket"\n+  "basket": "Shopping basket"\n }\n',
        theirs:
          'diff --git a/src/texts.json b/src/texts.json\n--- a/src/texts.json\n+++ b/src/texts.json\n@@ -1,3 +1,3 @@\n {\n-  "basket": "Basket"\n+  "basket": "Warenkorb"\n }\n',
      },
    ],
  },
  options: [
    { id: 'take_theirs', label: 'Take what deutsch made of them', description: null, effect: 'approve' },
    { id: 'keep_ours', label: 'Keep them as they are here', description: null, effect: 'approve' },
    { id: 'leave_out', label: 'Leave deutsch out', description: null, effect: 'approve' },
    { id: 'stop', label: 'Stop the plan here', description: 'Resume or correct it later.', effect: 'reject' },
  ],
  reason: 'only a person can say which is meant',
  confidence: null,
  threshold: null,
})

export function familyBackend(gates: readonly GateView[] = [familyGate], more: Answers = {}) {
  return createScriptedClient({
    ...shopAnswers,
    '_cleveragents/plan/list': () => ({ plans: [...familyPlans], seq: 10 }),
    '_cleveragents/gate/list': () => ({ gates: [...gates] }),
    '_cleveragents/plan/steps': () => ({ steps: [] }),
    '_cleveragents/plan/tree': ({ plan_id }) => ({
      plan_id,
      decisions: familyDecisions.filter(each => plan_id === root.plan_id || each.plan_id === plan_id),
      edges: [],
      plans:
        plan_id === root.plan_id
          ? familyPlans.slice(1).map(each => ({ ...each, parent_plan_id: root.plan_id, key: null }))
          : [],
    }),
    ...more,
  })
}
