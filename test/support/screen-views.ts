import * as z from 'zod'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { StepView } from '../../src/a2a/protocol/views/step.ts'
import { gateKinds, takesChanges } from '../../src/domain/gate/gate.ts'

export const noLimitsView: PlanView['limits'] = {
  steps: { used: 0, max: null, source: null },
  tokens: { used: 0, reserved: 0, max: null, source: null },
  seconds: { used: 0, max: null, source: null },
  tool_calls_per_invocation: { max: null, source: null },
  retries_per_failure: { max: null, source: null },
  required_confirmations: [],
  exceeded: null,
}

/** Wire values for screen tests: whole and valid, with only what a test is about spelled out. */
export function aPlan(of: Partial<PlanView> & { plan_id: string }): PlanView {
  return {
    name: 'rename-auth',
    action: 'local/rename-auth',
    description: 'Move session checks into middleware',
    project: { name: 'local/shop-api', root: '/home/mira/shop-api' },
    parent_plan_id: null,
    root_plan_id: of.plan_id,
    spawn_decision_id: null,
    applies_to: 'project',
    children: [],
    waits_for: null,
    phase: 'execute',
    state: 'running',
    task_state: 'working',
    reason: null,
    attempt: 1,
    profile: { name: 'cautious', source: 'plan' },
    args: {},
    invariants: [],
    preflight: null,
    gates: [],
    cost: { usd: 0, tokens: 0 },
    budget: { spent: 0, assumed: 0, reserved: 0, limit: null, source: null, of: null },
    limits: noLimitsView,
    changes: null,
    applied: 'nothing',
    left: null,
    confinement: null,
    taken_back_by: null,
    notices: [],
    sandbox: {
      strategy: 'git_worktree',
      place: 'beside',
      restores: 'always',
      protects: ['Your files stay as they are until you approve Apply.'],
      does_not_protect: ['Commands that reach outside.'],
    },
    runner: { pid: 4242, here: true },
    created_at: '2026-11-30T10:00:00.000Z',
    updated_at: '2026-11-30T10:05:00.000Z',
    started_at: '2026-11-30T10:00:01.000Z',
    ended_at: null,
    ...of,
  }
}

export function aDecision(of: Partial<DecisionView> & { decision_id: string }): DecisionView {
  return {
    number: 1,
    parent_decision_id: null,
    plan_id: 'plan-1',
    type: 'implementation_choice',
    phase: 'execute',
    status: 'active',
    superseded_reason: null,
    superseded_why: null,
    superseded_by: null,
    key: null,
    question: 'How?',
    chosen_option: { id: 'a', label: 'extract requireSession', rationale: null },
    alternatives: [],
    confidence: null,
    gate_confidence: null,
    decided_by: 'actor',
    rationale: '',
    attempt: 1,
    is_correction: false,
    corrects_decision_id: null,
    correction_id: null,
    changes: null,
    checkpoint_id: null,
    created_at: '2026-11-30T10:01:00.000Z',
    ...of,
  }
}

const known = z.object({
  kind: z.enum(gateKinds),
  phase: z.enum(['action', 'strategize', 'execute', 'apply']),
})

export function aGate(of: Partial<GateView> & { gate_id: string }): GateView {
  const { kind = 'phase', phase = 'strategize' } = of
  return {
    plan_id: 'plan-1',
    plan_name: 'rename-auth',
    path: ['rename-auth'],
    kind,
    flag: 'create_tool',
    phase,
    question: 'Go from Strategize to Execute?',
    subject: {
      kind: 'phase',
      from: 'strategize',
      to: 'execute',
      changesDigest: null,
      summary: '3 decisions',
    },
    options: [],
    reason: 'Profile cautious needs .80 and the confidence is .54.',
    confidence: 0.54,
    threshold: 0.8,
    factors: { success: 0.5, familiarity: 0.5, risk: 0.6, invariants: 0.6 },
    arithmetic: [],
    digest: 'sha256:one',
    confirm_word: null,
    takes_changes: takesChanges(known.parse({ kind, phase })),
    opened_at: '2026-11-30T10:04:00.000Z',
    status: 'open',
    answer: null,
    resolved_by: null,
    closed_at: null,
    ...of,
  }
}

export function aStep(of: Partial<StepView> & { step_id: string }): StepView {
  return {
    plan_id: 'plan-1',
    decision_id: null,
    path: 'execute[0]',
    kind: 'tool',
    tool: 'builtin/replace_text',
    phase: 'execute',
    attempt: 1,
    status: 'started',
    summary: 'replace_text oldName -> newName',
    input: {},
    output: null,
    started_at: '2026-11-30T10:02:00.000Z',
    ended_at: null,
    ...of,
  }
}

type EventFacts<Method extends WireEvent['method']> = Omit<
  Extract<WireEvent, { method: Method }>,
  'method' | 'seq' | 'subscription' | 'event_id' | 'plan_id' | 'root_plan_id' | 'at'
>

/** Events of one log: each call gives the next number. */
export function createEventMaker(afterSeq = 0) {
  let seq = afterSeq
  return function anEvent<Method extends WireEvent['method']>(
    method: Method,
    facts: EventFacts<Method>,
    planId = 'plan-1',
  ): WireEvent {
    seq++
    const common = {
      subscription: 'events',
      seq,
      event_id: `event-${seq}`,
      plan_id: planId,
      root_plan_id: planId,
      at: new Date(Date.UTC(2026, 10, 30, 10, 4, seq)).toISOString(),
    }
    // The facts are those of the method by the parameter's type; TypeScript cannot see that through the spread.
    return { ...common, method, ...facts } as unknown as WireEvent
  }
}
