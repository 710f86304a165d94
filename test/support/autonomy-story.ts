/** What the backend knows of profiles, limits and the audit of the plan that most screen tests look at. */

import type { AuditView } from '../../src/a2a/protocol/views/limits.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { profilePreviewView, profileView } from '../../src/a2a/server/to-view/profile.ts'
import { automationGateNames } from '../../src/domain/gate/automation.ts'
import { guardsFrom } from '../../src/domain/guards/effective-guards.ts'
import { builtInProfiles } from '../../src/domain/profile/built-in.ts'
import type { AutomationProfile } from '../../src/domain/profile/profile.ts'
import { noGuardFields } from './no-guard-fields.ts'
import { noLimitsView } from './screen-views.ts'
import type { Answers } from './scripted-client.ts'
import { shopAnswers, shopBackend, shopPlan } from './shop-story.ts'

/** A profile of the person, with guards, and a name in wide letters. */
const teamProfile: AutomationProfile = {
  ...profileNamed('cautious'),
  name: 'local/夜間チーム',
  description: 'Works through the night; asks in the morning',
  guards: {
    maxToolCallsPerStep: 20,
    maxTotalCost: 2,
    toolAllowlist: null,
    toolDenylist: ['builtin/delete_file', 'run_command(npm publish*)'],
    requireApprovalForWrites: false,
    requireApprovalForApply: true,
  },
  childThresholds: { decideInExecute: 0.9 },
}

const profiles = [...builtInProfiles, teamProfile]

/** The plan of the story with limits of which it has used a good part. */
export const limitedPlan: PlanView = {
  ...shopPlan,
  budget: { spent: 0.42, assumed: 0, reserved: 0.05, limit: 0.5, source: 'action', of: shopPlan.plan_id },
  limits: {
    ...noLimitsView,
    steps: { used: 12, max: 50, source: 'person' },
    seconds: { used: 64, max: 600, source: 'profile' },
    required_confirmations: ['delete_file'],
  },
}

const check = {
  log: 'guardrail',
  guard_name: 'max_steps',
  reason: 'step 12 of 50',
  context: { step: 12, max: 50 },
} as const

export const shopAudit: AuditView = {
  plan_id: shopPlan.plan_id,
  entries: [
    { ...check, timestamp: '2026-11-30T10:02:00.000Z', event_type: 'step_allowed', result: 'allowed' },
    {
      ...check,
      timestamp: '2026-11-30T10:02:01.000Z',
      event_type: 'budget_blocked',
      guard_name: 'tool_budget',
      result: 'denied',
      reason: 'The call would cost $0.09 and $0.03 are left of $0.50: 予算が足りません',
      context: { cost_usd: 0.09, left_usd: 0.03, tool: 'local/translate' },
    },
    {
      timestamp: '2026-11-30T10:03:00.000Z',
      log: 'plan',
      event_type: 'gate_approve',
      guard_name: 'phase',
      result: 'allowed',
      reason: null,
      context: { question: 'Go from Strategize to Execute?', by: 'mira', confidence: 0.54, threshold: 0.8 },
    },
    {
      timestamp: '2026-11-30T10:04:00.000Z',
      log: 'plan',
      event_type: 'limits_changed',
      guard_name: 'limits',
      result: null,
      reason: 'the translation needs it',
      context: { by: 'mira' },
    },
  ],
  metadata: {
    guardrail_audit_trail: { allowed_count: 812, denied_count: 3, evicted_count: 0, max_entries: 10_000 },
    autonomy_guardrails: {
      max_steps: 50,
      tool_budget: 0.5,
      max_tokens: null,
      max_wall_clock_seconds: 600,
      actor_limits: { max_tool_calls_per_invocation: null, max_retries_per_failure: null },
      required_confirmations: ['delete_file'],
      step_count: 12,
      budget_spent: 0.42,
      budget_assumed: 0,
      tokens_used: 0,
      start_time: '2026-11-30T10:00:01.000Z',
    },
  },
}

const autonomyAnswers: Answers = {
  '_cleveragents/plan/list': async () => {
    const known = await shopAnswers['_cleveragents/plan/list']?.({})
    if (!known || 'ok' in known) throw new Error('the story lists its plans')
    return {
      ...known,
      plans: known.plans.map(plan => (plan.plan_id === limitedPlan.plan_id ? limitedPlan : plan)),
    }
  },
  '_cleveragents/automation-profile/list': () => ({ profiles: profiles.map(profileView) }),
  '_cleveragents/plan/profile/show': () => {
    const profile = profileNamed('cautious')
    const { guards, safety } = profileView(teamProfile)
    const own = Object.fromEntries(profileView(profile).thresholds.map(({ flag }) => [flag, 'profile']))
    const fields = Object.keys(safety).map(field => [`safety.${field}`, 'profile'])
    return {
      profile: { ...profileView(profile), safety: { ...safety, max_cost_per_plan: 0.5 }, guards },
      source: 'project',
      sources: {
        ...own,
        ...Object.fromEntries(fields),
        'safety.max_cost_per_plan': 'action',
      },
      guards: noGuardFields,
    }
  },
  '_cleveragents/plan/guard/show': ({ plan_id }) => ({
    plan_id,
    plan_name: limitedPlan.name,
    scope: 'PLAN',
    max_tool_calls_per_step: { value: null, source: null },
    max_total_cost: { value: 2, source: 'plan' },
    tool_allowlists: [{ entries: ['builtin/edit_file', 'run_command(npm test*)'], source: 'parent' }],
    tool_denylist: [{ entry: 'run_command(npm publish*)', source: 'plan' }],
    require_approval_for_writes: { value: false, source: 'profile' },
    require_approval_for_apply: { value: true, source: 'parent' },
    loosened: [],
    warnings: [],
  }),
  '_cleveragents/automation-profile/preview': ({ action_name, automation_profile = 'cautious' }) => {
    const profile = profileNamed(automation_profile)
    return profilePreviewView({
      profile,
      source: automation_profile === 'cautious' ? 'action' : 'plan',
      safetySources: {},
      guards: guardsFrom('profile', profile.guards),
      action: action_name,
      gates: automationGateNames.map(gate => {
        const threshold = profile.thresholds[gate]
        const asks = threshold >= 1 ? 'always' : threshold > 0 ? 'below' : 'never'
        const isFailure = ['reviseStrategy', 'retryTransient', 'restoreCheckpoint'].includes(gate)
        return {
          gate,
          threshold,
          asks,
          reached: gate === 'spawnChildren' ? 'never' : isFailure ? 'on_failure' : 'on_the_way',
        }
      }),
      also: profile.guards ? ['the apply waits: a guard wants it', 'tools on the denylist wait'] : [],
    })
  },
  '_cleveragents/plan/guard/audit': ({ type, result }) => ({
    ...shopAudit,
    entries: shopAudit.entries.filter(
      entry => (type ?? entry.event_type) === entry.event_type && (result ?? entry.result) === entry.result,
    ),
  }),
  '_cleveragents/profile/calibration': () => ({
    bands: [
      {
        type: 'strategy_choice',
        from: 0.8,
        to: 0.9,
        passed: 14,
        corrected: 5,
        suggestion: 'Let strategy choices ask below .90.',
      },
      { type: 'implementation_choice', from: 0.9, to: 1, passed: 80, corrected: 1, suggestion: null },
    ],
  }),
}

export function autonomyBackend(more: Answers = {}) {
  return shopBackend({ ...autonomyAnswers, ...more })
}

function profileNamed(name: string): AutomationProfile {
  const found = [...builtInProfiles, ...(name.startsWith('local/') ? [teamProfile] : [])].find(
    profile => profile.name === name,
  )
  if (!found) throw new Error(`the story has no profile ${name}`)
  return found
}
