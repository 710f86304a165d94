/** Whole records of every kind, for tests that store them. Each call takes what matters to the test. */

import type { Action } from '../../src/domain/action.ts'
import type { Decision } from '../../src/domain/decision/decision.ts'
import { automationGateNames } from '../../src/domain/gate/automation.ts'
import type { Gate } from '../../src/domain/gate/gate.ts'
import { noGuardrails } from '../../src/domain/guardrails/limits.ts'
import { type AnyId, asId } from '../../src/domain/ids.ts'
import type { ActiveInvariant } from '../../src/domain/invariant/invariant.ts'
import type {
  Checkpoint,
  Correction,
  Cursor,
  Grant,
  Lease,
  OwnerRequest,
  Step,
} from '../../src/domain/plan/journal.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'
import type { AutomationProfile } from '../../src/domain/profile/profile.ts'
import type { Resource } from '../../src/domain/resource.ts'
import type { SandboxState } from '../../src/domain/sandbox/strategy.ts'
import { createIdSource } from '../../src/infrastructure/system/ids.ts'

const newText = createIdSource()

export function newId<Id extends AnyId>(): Id {
  return asId<Id>(newText())
}

const AT = '2026-11-30T12:00:00.000Z'
const STATE = 'a'.repeat(40) as SandboxState // any text is a state to the store

export function anAction(changes: Partial<Action> = {}): Action {
  return {
    name: 'local/replace-text',
    description: 'Replace a text everywhere',
    longDescription: null,
    definitionOfDone: 'No occurrence is left.',
    strategyActor: 'recipe',
    executionActor: 'recipe',
    arguments: [
      { name: 'old', type: 'string', required: true, default: null, description: 'The text', values: [] },
      { name: 'only', type: 'list', required: false, default: ['src'], description: '', values: [] },
    ],
    invariants: [],
    automationProfile: null,
    safetyProfile: { requireSandbox: true },
    guards: null,
    guardrails: null,
    reusable: true,
    readOnly: false,
    maxFixAttempts: 3,
    state: 'available',
    recipe: {
      strategize: [{ kind: 'finish', note: null }],
      execute: [{ kind: 'tool', name: 'builtin/read_file', with: { path: '${{ args.old }}' }, as: null }],
      fix: [],
    },
    ...changes,
  }
}

export function aProfile(changes: Partial<AutomationProfile> = {}): AutomationProfile {
  const thresholds = Object.fromEntries(automationGateNames.map(gate => [gate, 1]))
  return {
    name: 'manual',
    description: 'Asks for everything',
    thresholds: thresholds as AutomationProfile['thresholds'], // made from all names
    safety: {
      requireSandbox: true,
      requireCheckpoints: true,
      allowUnsafeTools: false,
      requireHumanApproval: false,
      allowedSkillCategories: [],
      maxCostPerPlan: null,
      maxTotalCost: null,
      maxRetriesPerStep: 3,
    },
    guards: null,
    childThresholds: {},
    ...changes,
  }
}

export function aResource(changes: Partial<Resource> = {}): Resource {
  return {
    resourceId: asId('01JZZZZZZZZZZZZZZZZZZZZZDB'),
    name: 'shop-db',
    type: 'sqlite',
    location: '/home/ada/shop/data/shop.db',
    mode: 'copy',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
}

export function anInvariant(text: string, changes: Partial<ActiveInvariant> = {}): ActiveInvariant {
  return {
    text,
    rule: null,
    invariantId: null,
    source: { kind: 'plan', name: null },
    nonOverridable: false,
    alsoFrom: [],
    over: [],
    ...changes,
  }
}

export function aPlan(changes: Partial<Plan> = {}): Plan {
  const planId = changes.planId ?? newId()
  return {
    planId,
    name: `local/replace-text-${planId}`,
    action: anAction(),
    project: {
      name: 'local/shop',
      root: '/home/ada/shop',
      languages: ['typescript'],
      checks: [{ name: 'test', command: 'npm test', kind: 'test' }],
    },
    parentPlanId: null,
    rootPlanId: planId,
    spawnDecisionId: null,
    spawnKey: null,
    appliesTo: 'project',
    startsFrom: null,
    position: 'execute/running',
    remembered: null,
    reason: null,
    attempt: 1,
    reversions: 0,
    preflight: null,
    profile: aProfile(),
    profileSource: 'default',
    safetySources: {},
    guardOverlay: null,
    resources: [],
    args: { old: 'colour', only: ['src', 'docs'], limit: null },
    invariants: [anInvariant('tests stay green')],
    guidance: [],
    constraints: [],
    strategy: null,
    sandbox: 'git_worktree',
    sandboxNotice: null,
    appliedState: null,
    left: null,
    confinement: null,
    takenBackBy: null,
    workRemovedAt: null,
    notices: [],
    changes: { files: 1, additions: 2, deletions: 3 },
    contextId: 'context-1',
    guardrails: noGuardrails,
    createdAt: AT,
    updatedAt: AT,
    startedAt: null,
    endedAt: null,
    ...changes,
  }
}

export function aDecision(changes: Partial<Decision> & Pick<Decision, 'planId'>): Decision {
  const factors = { success: 0.5, familiarity: 0.25, risk: 0.125, invariants: 0 }
  return {
    decisionId: newId(),
    number: 1,
    parentDecisionId: null,
    type: 'implementation_choice',
    phase: 'execute',
    key: 'edit[3]',
    question: 'Which files?',
    proposed: 'all',
    chosenOption: { id: 'all', label: 'All files', rationale: 'asked for' },
    alternatives: [{ id: 'some', label: 'Some', rationale: null }],
    confidence: 0.9,
    gateConfidence: {
      gate: 'decideInExecute',
      effective: 0.54,
      computed: 0.54,
      stated: null,
      threshold: 0.8,
      factors,
      weights: factors,
    },
    decidedBy: 'actor',
    rationale: 'because',
    contextSnapshot: { actorStateRef: 'ref', hotContextHash: 'hash', relevantResources: ['src/a.ts'] },
    attempt: 1,
    correction: null,
    status: { kind: 'active' },
    standing: { place: 1, actorStateRef: 'ref' },
    changes: null,
    checkpointId: null,
    createdAt: AT,
    ...changes,
  }
}

export function aGate(changes: Partial<Gate> & Pick<Gate, 'planId'>): Gate {
  return {
    gateId: newId(),
    requestKey: 'execute[0]',
    path: ['local/replace-text'],
    kind: 'tool',
    automation: 'decideInExecute',
    phase: 'execute',
    question: 'Run it?',
    subject: { kind: 'tool', tool: 'builtin/run_command', input: { command: 'make' }, folder: '/tmp/x' },
    options: [{ id: 'yes', label: 'Yes', description: null, effect: 'approve' }],
    reason: 'confidence .54, profile cautious needs .80',
    confidence: 0.54,
    threshold: 0.8,
    factors: { success: 0.5, familiarity: 0.25, risk: 0.125, invariants: 0 },
    comparison: null,
    digest: 'd1',
    confirmWord: null,
    openedAt: AT,
    status: { kind: 'open' },
    ...changes,
  }
}

export function aStep(changes: Partial<Step> & Pick<Step, 'planId'>): Step {
  const stepId = changes.stepId ?? newId()
  return {
    stepId,
    attempt: 1,
    phase: 'execute',
    path: 'execute[3].then[0]',
    kind: 'tool',
    tool: 'builtin/read_file',
    input: { path: 'src/a.ts', lines: [1, 2] },
    readOnly: true,
    decisionId: null,
    idempotencyKey: `key-${stepId}`,
    status: 'authorised',
    outcome: null,
    summary: '',
    read: [],
    written: 'unknown',
    authorisedAt: AT,
    startedAt: null,
    endedAt: null,
    takenBackAt: null,
    ...changes,
  }
}

export function aCursor(changes: Partial<Cursor> & Pick<Cursor, 'planId'>): Cursor {
  return {
    phase: 'execute',
    stateRef: 'state-1',
    pending: {
      kind: 'call_tool',
      step: 'execute[0]',
      tool: 'builtin/read_file',
      input: { path: 'a' },
      costUsd: 0.05,
      influencedBy: [{ key: 'where', why: 'var root, set by where' }],
    },
    outcome: { kind: 'tool_result', output: { text: 'x' } },
    turn: 7,
    decisionId: null,
    underKept: false,
    sandboxState: STATE,
    written: 'unknown',
    base: null,
    correction: null,
    ...changes,
  }
}

export function aCheckpoint(changes: Partial<Checkpoint> & Pick<Checkpoint, 'planId'>): Checkpoint {
  return {
    checkpointId: newId(),
    decisionId: null,
    label: '#4 edit',
    resource: 'project',
    state: STATE,
    createdAt: AT,
    origin: { kind: 'decision', base: null },
    ...changes,
  }
}

export function aCorrection(changes: Partial<Correction> & Pick<Correction, 'planId'>): Correction {
  return {
    correctionId: newId(),
    targetDecisionId: newId(),
    mode: 'revert',
    guidance: 'take the other one',
    status: 'running',
    attempt: 2,
    childPlanId: null,
    supersededIds: [newId(), newId()],
    safetyState: STATE,
    failure: null,
    createdAt: AT,
    endedAt: null,
    ...changes,
  }
}

export function aGrant(changes: Partial<Grant> = {}): Grant {
  return {
    grantId: newId(),
    scope: { kind: 'profile', profile: 'cautious' },
    gate: 'step_approval',
    decisionType: null,
    tool: 'builtin/write_file',
    grantedBy: 'ada',
    gateId: newId(),
    grantedAt: AT,
    revokedAt: null,
    ...changes,
  }
}

export function aLease(changes: Partial<Lease> & Pick<Lease, 'planId'>): Lease {
  return { holder: { pid: 12, startedAt: 'boot:99' }, takenAt: AT, heartbeatAt: AT, ...changes }
}

export function aRequest(changes: Partial<OwnerRequest> & Pick<OwnerRequest, 'planId'>): OwnerRequest {
  return {
    requestId: newId(),
    kind: 'yield_now',
    by: { pid: 13, startedAt: 'boot:100' },
    createdAt: AT,
    takenAt: null,
    ...changes,
  }
}
