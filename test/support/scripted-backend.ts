import { createHash } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { PlanDetails } from '../../src/application/backend/plan.ts'
import type { Backend } from '../../src/application/backend.ts'
import type { PlanEvent, PlanEventBody } from '../../src/application/events.ts'
import type { Conversation } from '../../src/application/ports/conversation.ts'
import type { Action } from '../../src/domain/action.ts'
import { ok, type Result, refuse } from '../../src/domain/failure.ts'
import type { Gate } from '../../src/domain/gate/gate.ts'
import { nothingSpent } from '../../src/domain/guardrails/charge.ts'
import { noGuardrails } from '../../src/domain/guardrails/limits.ts'
import { asId, type EventId, type GateId, type PlanId, type StepId } from '../../src/domain/ids.ts'
import { suggest } from '../../src/domain/nearest.ts'
import { isFinal, isSettled, type LifecycleEvent, step } from '../../src/domain/plan/lifecycle.ts'
import type { Plan } from '../../src/domain/plan/plan.ts'
import { builtInProfiles } from '../../src/domain/profile/built-in.ts'
import { anInvariant } from './records.ts'
import { scriptedSessions } from './scripted-sessions.ts'

export interface ScriptedBackend extends Backend {
  /** Puts lines of command output of a plan into the log, one event each. */
  say(planId: string, lines: readonly string[]): void
  /** Puts as many events of no plan into the log, each of which is sent as one. */
  charge(events: number): void
  readonly log: readonly PlanEvent[]
}

/**
 * A backend whose plans follow a fixed script, for what only the wire is about: bursts of events, crashes, timing.
 * Each plan strategizes, asks before Execute, works, asks before Apply, and is applied. The lifecycle is the real one.
 */
export function scriptedBackend(): ScriptedBackend {
  const newId = monotonicFactory()
  const log: PlanEvent[] = []
  const plans = new Map<PlanId, Plan>()
  const gates = new Map<GateId, Gate>()
  const conversations = new Map<string, Conversation>()
  const listeners = new Set<() => void>()
  const now = () => new Date().toISOString()

  function append(plan: { planId: PlanId; rootPlanId: PlanId }, body: PlanEventBody): void {
    const { planId, rootPlanId } = plan
    log.push({ seq: log.length + 1, eventId: asId<EventId>(newId()), planId, rootPlanId, at: now(), body })
    for (const listener of [...listeners]) listener()
  }

  function move(planId: PlanId, event: LifecycleEvent, reason: string | null = null): Plan {
    const before = find(planId)
    const moved = step(before, event)
    if (!moved.ok) throw new Error(moved.failure.message)
    const { position, remembered } = moved.value.plan
    const startedAt = before.startedAt ?? (event === 'started' ? now() : null)
    const endedAt = isFinal(position) ? now() : null
    const plan = { ...before, position, remembered, reason, startedAt, endedAt, updatedAt: now() }
    plans.set(planId, plan)
    append(plan, { type: 'PLAN_STATE_CHANGED', plan })
    return plan
  }

  function find(planId: PlanId): Plan {
    const plan = plans.get(planId)
    if (!plan) throw new Error(`no plan ${planId}`)
    return plan
  }

  function resolve(reference: string): Result<Plan> {
    const all = [...plans.values()]
    const found = all.filter(
      each => each.planId === reference || each.name === reference || each.planId.endsWith(reference),
    )
    if (reference === '@latest' && all.length > 0) return ok(all.at(-1) as Plan) // length was checked
    if (found.length === 1 && found[0]) return ok(found[0])
    return refuse('not_found', `There is no plan ${reference}.`, { plan: reference })
  }

  function openGates(planId: PlanId | null): Gate[] {
    const open = [...gates.values()].filter(gate => gate.status.kind === 'open')
    return planId === null ? open : open.filter(gate => gate.planId === planId)
  }

  function ask(plan: Plan, from: 'strategize' | 'execute', to: 'execute' | 'apply'): void {
    const summary = `3 files, +12 -4 (revision ${gates.size + 1})`
    const gate: Gate = {
      gateId: asId<GateId>(newId()),
      planId: plan.planId,
      requestKey: `${from}-${gates.size}`,
      path: [plan.name],
      kind: 'phase',
      automation: to === 'execute' ? 'autoExecute' : 'autoApply',
      phase: from,
      question: `Go on to ${to}?`,
      subject: { kind: 'phase', from, to, strategy: null, changesDigest: null, summary },
      options: [
        { id: 'go', label: `Start ${to}`, description: null, effect: 'approve' },
        { id: 'stop', label: 'Stop here', description: 'The plan pauses', effect: 'reject' },
      ],
      reason: 'confidence .54, profile supervised needs 1.00',
      confidence: 0.54,
      threshold: 1,
      factors: null,
      comparison: null,
      digest: createHash('sha256').update(summary).digest('hex'),
      confirmWord: null,
      openedAt: now(),
      status: { kind: 'open' },
    }
    gates.set(gate.gateId, gate)
    append(plan, { type: 'GATE_OPENED', gate })
    move(plan.planId, 'waits')
  }

  /** Runs to the next gate in a later turn of the event loop, as a real backend would. */
  function runOn(planId: PlanId): void {
    setImmediate(() => {
      const { position } = find(planId)
      if (position === 'action/queued') {
        move(planId, 'phase_passed')
        move(planId, 'started')
        move(planId, 'finished')
        ask(find(planId), 'strategize', 'execute')
      } else if (position === 'execute/queued') {
        move(planId, 'started')
        say(planId, ['replacing', 'replaced 12 in 3 files'])
        move(planId, 'finished')
        ask(find(planId), 'execute', 'apply')
      } else if (position === 'apply/queued') {
        move(planId, 'started')
        move(planId, 'applied')
      }
    })
  }

  function say(planId: string, lines: readonly string[]): void {
    const plan = find(asId<PlanId>(planId))
    for (const text of lines) append(plan, { type: 'STEP_OUTPUT', stepId: asId<StepId>(STEP), text })
  }

  function detailsOf(plan: Plan): PlanDetails {
    const { changes, notices, sandbox: name } = plan
    const sandbox = { name, place: 'beside', restores: 'always', protects: [], doesNotProtect: [] } as const
    return {
      plan,
      openGates: openGates(plan.planId),
      children: [],
      waitsFor: null,
      limits: noLimitFacts,
      changes,
      notices,
      sandbox,
      runner: null,
      takenBackBy: null,
    }
  }

  function answer(plan: Plan, gate: Gate, input: Parameters<Backend['answerGate']>[0]): Plan {
    const closed: Gate = {
      ...gate,
      status: { kind: 'resolved', answer: input.answer, by: input.by, at: now() },
    }
    gates.set(gate.gateId, closed)
    append(plan, { type: 'GATE_RESOLVED', gate: closed })
    if (input.answer.decision === 'reject') return move(plan.planId, 'phase_rejected', input.answer.note)
    if (input.answer.decision === 'approve') {
      const passed = move(plan.planId, 'phase_passed')
      runOn(plan.planId)
      return passed
    }
    const guided = { ...plan, guidance: [...plan.guidance, input.answer.guidance ?? ''] }
    plans.set(plan.planId, guided)
    move(plan.planId, 'continued')
    move(plan.planId, 'finished')
    const apply = gate.automation === 'autoApply'
    ask(find(plan.planId), apply ? 'execute' : 'strategize', apply ? 'apply' : 'execute')
    return find(plan.planId)
  }

  async function answerGate(input: Parameters<Backend['answerGate']>[0]): Promise<Result<Plan>> {
    const plan = resolve(input.planRef)
    if (!plan.ok) return plan
    const gate = input.gateRef ? gates.get(asId<GateId>(input.gateRef)) : openGates(plan.value.planId)[0]
    if (!gate) return refuse('not_found', 'No gate is open there.', { plan: input.planRef })
    if (gate.status.kind !== 'open')
      return refuse('stale_answer', 'This gate is decided already.', { gate_id: gate.gateId })
    if (input.digest !== null && input.digest !== gate.digest)
      return refuse('stale_answer', 'What was shown is not what is asked now.', { digest: gate.digest })
    return ok(answer(plan.value, gate, input))
  }

  const later = async () => refuse('not_available', 'Not in the script.')
  const laterNow = () => refuse('not_available', 'Not in the script.')
  return {
    log,
    say,
    charge(events) {
      const planId = asId<PlanId>(newId())
      for (let sent = 0; sent < events; sent++)
        append(
          { planId, rootPlanId: planId },
          { type: 'COST_CHARGED', usd: 0.01, planUsd: sent / 100, tokens: 0, planTokens: 0 },
        )
    },
    sessions: scriptedSessions(),
    keepRunning: () => 0,
    isKeptRunning: () => false,
    idle: async () => {},
    async useAction(input) {
      if (!ACTIONS.some(action => action.name === input.actionName)) {
        const known = ACTIONS.map(action => action.name)
        const name = input.actionName
        return refuse('not_found', `There is no action ${name}. ${suggest(name, known)}`, { name })
      }
      const planId = asId<PlanId>(newId())
      const plan = newPlan(planId, input, `local/replace-text-${plans.size + 1}`, now())
      plans.set(planId, plan)
      append(plan, { type: 'PLAN_CREATED', plan })
      runOn(planId)
      return ok(plan)
    },
    answerGate,
    async passPhase({ planRef, phase, digest, by }) {
      const plan = resolve(planRef)
      if (!plan.ok) return plan
      const gate = openGates(plan.value.planId).find(
        each => each.automation === (phase === 'apply' ? 'autoApply' : 'autoExecute'),
      )
      if (!gate) return refuse('invalid_state', `No gate before ${phase} is open.`)
      return answerGate({ planRef, gateRef: gate.gateId, digest, confirmWord: null, answer: APPROVE, by })
    },
    async cancel(planRef, reason) {
      const plan = resolve(planRef)
      if (!plan.ok || plan.value.position.endsWith('/cancelled')) return plan
      if (isFinal(plan.value.position)) return refuse('invalid_state', 'The plan has ended.')
      for (const gate of openGates(plan.value.planId)) {
        const voided: Gate = { ...gate, status: { kind: 'void', reason: 'cancelled', at: now() } }
        gates.set(gate.gateId, voided)
        append(plan.value, { type: 'GATE_VOIDED', gate: voided })
      }
      return ok(move(plan.value.planId, 'cancelled', reason))
    },
    async settled(planId, signal) {
      while (!isSettled(find(planId).position) && !signal.aborted)
        await new Promise<void>(wake => {
          const listener = () => {
            listeners.delete(listener)
            wake()
          }
          listeners.add(listener)
          signal.addEventListener('abort', listener)
        })
      signal.throwIfAborted()
      return find(planId)
    },
    async plan(planRef) {
      const plan = resolve(planRef)
      return plan.ok ? ok(detailsOf(plan.value)) : plan
    },
    details: detailsOf,
    plans: ({ limit }) => [...plans.values()].reverse().slice(0, limit).map(detailsOf),
    openGates(planRef) {
      const plan = planRef === null ? null : resolve(planRef)
      if (plan && !plan.ok) return plan
      return ok(openGates(plan?.value.planId ?? null))
    },
    decisionLog: later,
    addInvariants: later,
    invariants: later,
    effectiveInvariants: later,
    removeInvariant: laterNow,
    audit: laterNow,
    strategy: laterNow,
    editStrategy: laterNow,
    messages: laterNow,
    pause: later,
    resume: later,
    interrupt: later,
    prompt: later,
    correct: later,
    rollback: later,
    undo: later,
    unapply: later,
    pickPart: later,
    explain: later,
    diff: later,
    artifacts: later,
    project: later,
    createProject: later,
    giveTrust: later,
    revokeTrust: later,
    setSetUp: later,
    addResource: later,
    setLink: later,
    resource: laterNow,
    removeResource: laterNow,
    resources: () => [],
    tree: laterNow,
    steps: laterNow,
    checkpoints: laterNow,
    grants: laterNow,
    guards: laterNow,
    changeGuards: laterNow,
    testGuards: later,
    revokeGrant: laterNow,
    createAction: laterNow,
    archiveAction: laterNow,
    profile: laterNow,
    addProfile: laterNow,
    updateProfile: laterNow,
    deleteProfile: laterNow,
    previewProfile: later,
    planProfile: laterNow,
    setPlanProfile: laterNow,
    setting: laterNow,
    changeSetting: laterNow,
    actions: () => ACTIONS.map(action => ({ action, origin: 'built-in', unavailable: null })),
    action: laterNow,
    profiles: () => builtInProfiles,
    projects: async () => [],
    calibration: () => [],
    addValidation: laterNow,
    attachValidation: later,
    detachValidation: laterNow,
    validations: () => [],
    tools: () => [],
    actor: later,
    actors: () => [],
    settings: () => [],
    health: () => [{ name: 'store', status: 'ok', message: 'open', remedy: null }],
    async diagnostics() {
      throw new Error('the disk is on fire\n    with a second line')
    },
    createDemo: async () => ({ folder: '/demo', actionName: 'local/demo' }),
    events: {
      lastSeq: () => log.length,
      read: (afterSeq, limit, planId) =>
        planId === undefined
          ? log.slice(afterSeq, afterSeq + limit)
          : log.filter(each => each.seq > afterSeq && each.planId === planId).slice(0, limit),
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    conversation: taskId => conversations.get(taskId) ?? null,
    conversations: limit => [...conversations.values()].reverse().slice(0, limit),
    putConversation: conversation => void conversations.set(conversation.taskId, conversation),
    newTaskId: newId,
    now,
    recover: async () => {},
    stop: async () => {},
  }
}

const STEP = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

const APPROVE = {
  decision: 'approve',
  optionId: null,
  note: null,
  guidance: null,
  part: null,
  grant: 'once',
} as const

const ACTIONS: readonly Action[] = [
  {
    name: 'builtin/replace-text',
    description: 'Replace a text everywhere',
    longDescription: null,
    definitionOfDone: 'The text is gone',
    strategyActor: 'builtin/recipe',
    executionActor: 'builtin/recipe',
    arguments: [
      {
        name: 'find',
        type: 'string',
        required: true,
        default: null,
        description: 'what to find',
        values: [],
      },
      {
        name: 'replace',
        type: 'string',
        required: true,
        default: null,
        description: 'the new text',
        values: [],
      },
      { name: 'regex', type: 'boolean', required: false, default: false, description: '', values: [] },
    ],
    invariants: [],
    automationProfile: null,
    safetyProfile: null,
    guards: null,
    guardrails: null,
    reusable: true,
    readOnly: false,
    maxFixAttempts: 3,
    state: 'available',
    recipe: null,
  },
]

function newPlan(planId: PlanId, input: Parameters<Backend['useAction']>[0], name: string, at: string): Plan {
  const [action] = ACTIONS
  const profile = builtInProfiles.find(each => each.name === (input.automationProfile ?? 'supervised'))
  if (!action || !profile) throw new Error('the script names an unknown profile')
  return {
    planId,
    name: input.name ?? name,
    action,
    project: { name: 'local/project', root: input.folder ?? '/project', languages: [], checks: [] },
    resources: [],
    parentPlanId: null,
    rootPlanId: planId,
    spawnDecisionId: null,
    spawnKey: null,
    appliesTo: 'project',
    startsFrom: null,
    position: 'action/queued',
    remembered: null,
    reason: null,
    attempt: 1,
    reversions: 0,
    profile,
    profileSource: 'default',
    safetySources: {},
    guardOverlay: null,
    args: Object.fromEntries(Object.entries(input.args).map(([key, value]) => [key, String(value)])),
    preflight: null,
    invariants: input.invariants.map(text => anInvariant(text)),
    guidance: [],
    constraints: [],
    strategy: null,
    contextId: input.contextId ?? planId,
    guardrails: noGuardrails,
    sandbox: 'git_worktree',
    sandboxNotice: null,
    appliedState: null,
    left: null,
    confinement: null,
    takenBackBy: null,
    workRemovedAt: null,
    notices: [],
    changes: null,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    endedAt: null,
  }
}

const noLimitFacts: PlanDetails['limits'] = {
  guardrails: noGuardrails,
  steps: 0,
  seconds: 0,
  budget: { spending: nothingSpent, limitUsd: null, source: null, of: null },
}
