import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '../../../src/application/ports/conversation.ts'
import type { Project } from '../../../src/application/ports/project.ts'
import type { Store } from '../../../src/application/ports.ts'
import type { Influence } from '../../../src/domain/decision/influence.ts'
import type { Gate } from '../../../src/domain/gate/gate.ts'
import { asId, type DecisionId, type GateId, type GrantId, type PlanId } from '../../../src/domain/ids.ts'
import type { Invariant } from '../../../src/domain/invariant/invariant.ts'
import type { Step } from '../../../src/domain/plan/journal.ts'
import { parseRelPath, type RelPath } from '../../../src/domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import {
  aCheckpoint,
  aCorrection,
  aCursor,
  aDecision,
  aGate,
  aGrant,
  aLease,
  anAction,
  aPlan,
  aProfile,
  aRequest,
  aResource,
  aStep,
  newId,
} from '../../support/records.ts'
import { expectOk } from '../../support/result.ts'
import { temporaryStore } from '../../support/store.ts'

let store: Store
let planId: PlanId

beforeEach(async () => {
  store = await temporaryStore()
  planId = storePlan()
})

describe('plans', () => {
  test('come back as they were stored, and as they were replaced', () => {
    const plan = aPlan()
    store.plans.insert(plan)
    expect(store.plans.find(plan.planId)).toEqual(plan)
    const next = { ...plan, position: 'apply/applied' as const, attempt: 2, args: {} }
    store.plans.update(next)
    expect(store.plans.find(plan.planId)).toEqual(next)
    expect(store.plans.find(newId())).toBeNull()
  })

  test('are parsed once for as long as they stay as they are', () => {
    const plan = aPlan()
    store.plans.insert(plan)
    const found = store.plans.find(plan.planId)
    expect(store.plans.find(plan.planId)).toBe(found)
    store.plans.update({ ...plan, reason: 'moved' })
    expect(store.plans.find(plan.planId)?.reason).toBe('moved')
  })

  test('cannot be replaced before they were stored', () => {
    expect(() => store.plans.update(aPlan())).toThrow(/no row/)
  })

  test('have names of their own at the top, which children may repeat', () => {
    const top = aPlan({ name: 'local/x' })
    store.plans.insert(top)
    store.plans.insert(aPlan({ name: 'local/x', parentPlanId: top.planId, rootPlanId: top.planId }))
    expect(store.plans.findByName('local/x')).toEqual(top)
    expect(() => store.plans.insert(aPlan({ name: 'local/x' }))).toThrow(/UNIQUE/)
  })

  test('are listed newest first, by phase, state and project, up to a limit', () => {
    const other = aPlan({ position: 'apply/applied', project: { ...aPlan().project, name: 'local/other' } })
    store.plans.insert(other)
    const names = (filter: Parameters<Store['plans']['list']>[0]) =>
      store.plans.list(filter).map(plan => plan.planId)
    expect(names({ limit: 10 })).toEqual([other.planId, planId])
    expect(names({ limit: 1 })).toEqual([other.planId])
    const child = aPlan({ parentPlanId: planId, rootPlanId: planId, position: 'execute/paused' })
    store.plans.insert(child)
    expect(names({ limit: 1 })).toEqual([child.planId, planId])
    expect(names({ limit: 1, state: 'paused' })).toEqual([child.planId])
    expect(names({ limit: 10, phase: 'execute', state: 'running' })).toEqual([planId])
    expect(names({ limit: 10, state: 'applied' })).toEqual([other.planId])
    expect(names({ limit: 10, project: 'local/other', state: 'running' })).toEqual([])
  })

  test('of a parent that is missing are refused at the commit', () => {
    expect(() => store.plans.insert(aPlan({ parentPlanId: newId() }))).toThrow(/FOREIGN KEY/)
  })
})

describe('ids are matched', () => {
  const ids = ['01JAAAAAAAAAAAAAAAAABCDEFG', '01JAAAAAAAAAAAAAAAAAZCDEFG', '01JBAAAAAAAAAAAAAAAAZZZZZZ']
  beforeEach(() => {
    for (const id of ids) storePlan({ planId: id as PlanId })
  })

  test.each([
    ['01JAAAAAAAAAAAAAAAAABCDEFG', [0]],
    ['01jb', [2]],
    ['01JA', [1, 0]],
    ['zzzzzz', [2]],
    ['CDEFG', []],
    ['ACDEFG', []],
    ['BCDEFG', [0]],
    ['AZCDEFG', [1]],
    ['01J_', []],
    ['%', []],
    ['', []],
  ])('%s', (reference, found) => {
    expect(store.plans.match(reference)).toEqual(found.map(index => ids[index]))
  })

  test('ten at most', () => {
    for (let count = 0; count < 12; count++)
      storePlan({ planId: `01JC${count + 10}AAAAAAAAAAAAAAAAAAAA` as PlanId })
    expect(store.plans.match('01JC')).toHaveLength(10)
  })

  test('within their plan, where a plan is given', () => {
    const decision = storeDecision(planId, 1)
    const other = ids[0] as PlanId
    expect(store.decisions.match(decision.slice(-8), planId)).toEqual([decision])
    expect(store.decisions.match(decision.slice(-8), null)).toEqual([decision])
    expect(store.decisions.match(decision.slice(-8), other)).toEqual([])
    const checkpoint = aCheckpoint({ planId })
    store.checkpoints.insert(checkpoint)
    expect(store.checkpoints.match(checkpoint.checkpointId, planId)).toEqual([checkpoint.checkpointId])
    expect(store.checkpoints.match(checkpoint.checkpointId, other)).toEqual([])
  })
})

describe('decisions', () => {
  const superseded = {
    kind: 'superseded',
    reason: 'revision',
    supersededBy: null,
    correctionId: null,
    why: null,
  } as const

  test('come back in their order, and only status and counts change', () => {
    const root = aDecision({ planId, type: 'prompt_definition', key: null, gateConfidence: null })
    const child = aDecision({ planId, number: 2, parentDecisionId: root.decisionId })
    store.decisions.insert(root)
    store.decisions.insert(child)
    expect(store.decisions.listByPlan(planId)).toEqual([root, child])
    const changes = { files: 1, additions: 12, deletions: 3 }
    const status = {
      kind: 'superseded',
      reason: 'correction',
      supersededBy: null,
      correctionId: null,
      why: null,
    } as const
    store.decisions.setChanges(child.decisionId, changes)
    store.decisions.setStatus([child.decisionId], status)
    expect(store.decisions.find(child.decisionId)).toEqual({ ...child, changes, status })
    expect(store.decisions.findByNumber(planId, 1)).toEqual(root)
    expect(store.decisions.findByNumber(planId, 3)).toBeNull()
    expect(store.decisions.nextNumber(planId)).toBe(3)
  })

  test('are found by key as long as they hold, and those that were kept until they are come to again', () => {
    const old = aDecision({ planId, status: { ...superseded } })
    const place = (number: number) => ({ place: number, actorStateRef: null })
    const edit = aDecision({ planId, number: 2, standing: place(7) })
    const more = aDecision({ planId, number: 3, key: 'more', standing: place(4) })
    const said = aDecision({ planId, number: 4, key: null, standing: place(5) })
    for (const each of [old, edit, more, said]) store.decisions.insert(each)
    expect(store.decisions.findActiveByKey(planId, 'edit[3]')).toEqual(edit)
    expect(store.decisions.findActiveByKey(planId, 'edit')).toBeNull()
    expect(store.decisions.listKept(planId)).toEqual([more, edit])
    expect(store.decisions.nextPlace(planId)).toBe(8)
    store.decisions.setStanding(more.decisionId, { place: 8, actorStateRef: 'again' })
    store.decisions.setStatus([edit.decisionId], superseded)
    expect(store.decisions.listKept(planId)).toEqual([])
    expect([store.decisions.findActiveByKey(planId, 'edit[3]'), store.decisions.nextPlace(planId)]).toEqual([
      null,
      9,
    ])
    expect(store.decisions.nextNumber(newId())).toBe(1)
  })

  test('cannot be changed when they were never recorded', () => {
    expect(() => store.decisions.setStatus([newId()], { kind: 'active' })).toThrow(/no decision/)
  })

  test('cannot share a number within a plan', () => {
    storeDecision(planId, 1)
    expect(() => storeDecision(planId, 1)).toThrow(/UNIQUE/)
  })

  test('remember what influenced them, each edge once', () => {
    const upstreamDecisionId = storeDecision(planId, 1)
    const decisionId = storeDecision(planId, 2)
    const edges: Influence[] = [
      {
        upstreamDecisionId,
        downstream: { kind: 'decision', decisionId },
        origin: 'derived',
        why: 'read a.ts',
      },
      { upstreamDecisionId, downstream: { kind: 'plan', planId }, origin: 'declared', why: 'depends_on' },
    ]
    for (const edge of [...edges, ...edges]) store.decisions.addInfluence(planId, edge)
    expect(store.decisions.influences(planId)).toEqual(edges)
    expect(store.decisions.web(planId)).toEqual({
      parents: [0, 0],
      edges: [
        { upstream: 1, downstream: 2, why: 'read a.ts' },
        { upstream: 1, downstream: planId, why: 'depends_on' },
      ],
    })
    expect(store.decisions.influencesAround(upstreamDecisionId)).toEqual({
      upstream: [],
      downstream: edges,
      refused: [],
    })
    expect(store.decisions.influencesAround(decisionId).upstream).toEqual([edges[0]])
  })

  test('keep a refused edge with its reason, and count it for nothing', () => {
    const [one, two, three] = [1, 2, 3].map(number => storeDecision(planId, number)) as [
      DecisionId,
      DecisionId,
      DecisionId,
    ] // three in
    const edge = (from: DecisionId, to: DecisionId): Influence => ({
      upstreamDecisionId: from,
      downstream: { kind: 'decision', decisionId: to },
      origin: 'derived',
      why: 'read a.ts',
    })
    store.decisions.addInfluence(planId, edge(one, two))
    store.decisions.addInfluence(planId, edge(two, three))
    expect([store.decisions.reaches(one, three), store.decisions.reaches(three, one)]).toEqual([true, false])
    store.decisions.addInfluence(planId, edge(three, one), 'it rests on this')
    expect(store.decisions.reaches(three, one)).toBe(false)
    expect(store.decisions.influences(planId)).toEqual([edge(one, two), edge(two, three)])
    expect(store.decisions.web(planId).edges.map(({ downstream }) => downstream)).toEqual([2, 3])
    expect(store.decisions.influencesAround(one)).toEqual({
      upstream: [],
      downstream: [edge(one, two)],
      refused: [{ influence: edge(three, one), reason: 'it rests on this' }],
    })
    expect(store.decisions.influencesAround(three).downstream).toEqual([])
  })

  test('are remembered as the writers of paths, the last one that holds', () => {
    const [one, two, three] = [1, 2, 3].map(number => storeDecision(planId, number)) as [
      DecisionId,
      DecisionId,
      DecisionId,
    ] // three in
    const { writes } = store
    writes.addPaths(planId, one, paths('src/a.ts', 'src/b.ts', 'srcs'))
    writes.addPaths(planId, two, paths('src/a.ts'))
    writes.addPaths(planId, one, paths('src/b.ts'))
    expect(paths('src/a.ts', 'src/b.ts', 'c').map(path => writes.lastWriter(planId, path))).toEqual([
      two,
      one,
      null,
    ])
    expect(writes.writtenBelow(planId, 'src/')).toEqual([
      { path: 'src/a.ts', writer: two },
      { path: 'src/b.ts', writer: one },
    ])
    expect(writes.beforeCommand(planId)).toEqual({ last: null, since: [one, two] })
    writes.addCommand(planId, three)
    expect(writes.beforeCommand(planId)).toEqual({ last: null, since: [one, two] })
    writes.addCommand(planId, two)
    writes.addPaths(planId, three, paths('c'))
    expect(writes.beforeCommand(planId)).toEqual({ last: two, since: [three] })
    store.decisions.setStatus([two], superseded)
    expect(writes.lastWriter(planId, paths('src/a.ts')[0] as RelPath)).toBe(one)
    expect(writes.beforeCommand(planId)).toEqual({ last: three, since: [three] })
    expect(writes.lastWriter(newId(), paths('src/a.ts')[0] as RelPath)).toBeNull()
  })

  test('have an outcome once corrected, or once their plan ended: the last fifty of a type in a project', () => {
    const { outcomes } = store.decisions
    const bad = Array.from({ length: 10 }, (_, index) => storeDecision(planId, index + 1))
    for (let number = 11; number <= 55; number++) storeDecision(planId, number)
    expect(outcomes('local/shop', 'implementation_choice')).toEqual({ total: 0, good: 0 })
    const status = { kind: 'superseded', supersededBy: null, correctionId: null, why: null } as const
    store.decisions.setStatus(bad.slice(0, 6), { ...status, reason: 'correction' })
    store.decisions.setStatus(bad.slice(6), { ...status, reason: 'rollback' })
    expect(outcomes('local/shop', 'implementation_choice')).toEqual({ total: 6, good: 0 })
    const plan = store.plans.find(planId)
    if (plan) store.plans.update({ ...plan, position: 'apply/awaiting_input' })
    expect(outcomes('local/shop', 'implementation_choice')).toEqual({ total: 50, good: 49 })
    expect(outcomes('local/shop', 'strategy_choice')).toEqual({ total: 0, good: 0 })
    expect(outcomes('local/none', 'implementation_choice')).toEqual({ total: 0, good: 0 })
    if (plan) store.plans.update({ ...plan, position: 'execute/cancelled' })
    expect(outcomes('local/shop', 'implementation_choice')).toEqual({ total: 50, good: 0 })
  })

  test('are counted by what their actors stated, in tenths, as long as no person decided', () => {
    const stated = [
      [0.8, 'actor'],
      [0.89, 'actor'],
      [1, 'actor'],
      [0.85, 'human'],
      [null, 'actor'],
    ] as const
    const ids = stated.map(([confidence, decidedBy], index) => {
      const decision = aDecision({ planId, number: index + 1, confidence, decidedBy })
      store.decisions.insert(decision)
      return decision.decisionId
    })
    const status = { kind: 'superseded', supersededBy: null, correctionId: null, why: null } as const
    store.decisions.setStatus(ids.slice(0, 1), { ...status, reason: 'correction' })
    const { type } = aDecision({ planId })
    expect(store.decisions.statedBands()).toEqual([
      { type, from: 0.8, to: 0.9, passed: 2, corrected: 1 },
      { type, from: 0.9, to: 1, passed: 1, corrected: 0 },
    ])
  })

  test('and passes of a gate count alike, from before a correction as bad', () => {
    const factors = { success: 0.5, familiarity: 0, risk: 0.3, invariants: 0 }
    const confidence = {
      gate: 'autoExecute',
      effective: 0.5,
      computed: 0.5,
      stated: null,
      threshold: 0,
      factors,
      weights: factors,
    } as const
    const judge = (at: string) =>
      store.judgements.insert({ planId, about: 'go on', confidence, outcome: 'passed', at })
    judge('2026-01-01T00:00:00Z')
    store.corrections.put(aCorrection({ planId, createdAt: '2026-06-01T00:00:00Z' }))
    judge('2026-12-01T00:00:00Z')
    expect(store.judgements.outcomes('local/shop', 'autoExecute')).toEqual({ total: 1, good: 0 })
    const plan = store.plans.find(planId)
    if (plan) store.plans.update({ ...plan, position: 'apply/applied' })
    expect(store.judgements.outcomes('local/shop', 'autoExecute')).toEqual({ total: 2, good: 1 })
    expect(store.judgements.listByPlan(planId).map(each => each.confidence)).toEqual([confidence, confidence])
  })

  test('know the files that earlier plans of the project met', () => {
    const { metPaths } = store
    const other = newId<PlanId>()
    metPaths.add('local/shop', planId, paths('a', 'b'))
    metPaths.add('local/shop', planId, paths('b', 'c'))
    expect(metPaths.counts(planId)).toEqual({ paths: 3, known: 0 })
    metPaths.add('local/shop', other, paths('b', 'd'))
    metPaths.add('local/else', other, paths('a'))
    expect(metPaths.counts(other)).toEqual({ paths: 3, known: 1 })
    expect(metPaths.counts(planId)).toEqual({ paths: 3, known: 0 })
  })
})

/** Plain ones are their own text form. */
function paths(...texts: string[]): RelPath[] {
  return texts.map(text => text as RelPath)
}

describe('gates', () => {
  const answer = {
    decision: 'approve',
    optionId: 'yes',
    note: null,
    guidance: null,
    part: null,
    grant: 'once',
  } as const

  test('are closed once: the second answer loses', () => {
    const gate = aGate({ planId })
    store.gates.insert(gate)
    const status = { kind: 'resolved', answer, by: 'ada', at: 'now' } as const
    expect(store.gates.close(gate.gateId, status)).toBe(true)
    expect(store.gates.close(gate.gateId, { kind: 'void', reason: 'late', at: 'later' })).toBe(false)
    expect(store.gates.find(gate.gateId)).toEqual({ ...gate, status })
    expect(store.gates.close(newId<GateId>(), status)).toBe(false)
  })

  test('of every subject come back whole', () => {
    for (const subject of subjects) {
      const gate = aGate({ planId, subject })
      store.gates.insert(gate)
      expect(store.gates.find(gate.gateId)).toEqual(gate)
    }
    expect(store.gates.listByPlan(planId).map(gate => gate.subject)).toEqual(subjects)
  })

  test('that are open are listed for one plan or for all, oldest first', () => {
    const other = storePlan()
    const gates = [aGate({ planId }), aGate({ planId: other }), aGate({ planId })]
    for (const gate of gates) store.gates.insert(gate)
    const [first, second, third] = gates.map(gate => gate.gateId) as [GateId, GateId, GateId] // three above
    expect(store.gates.listOpen(null).map(gate => gate.gateId)).toEqual([first, second, third])
    store.gates.close(first, { kind: 'void', reason: 'x', at: 'now' })
    expect(store.gates.listOpen(planId).map(gate => gate.gateId)).toEqual([third])
    expect(store.gates.match(second)).toEqual([second])
  })
})

describe('the journal', () => {
  test('takes a step with the same key once', () => {
    const step = aStep({ planId, idempotencyKey: 'k' })
    expect(store.steps.insert(step)).toBe(true)
    expect(store.steps.insert(aStep({ planId, idempotencyKey: 'k' }))).toBe(false)
    expect(store.steps.findByKey('k')).toEqual(step)
    expect(store.steps.listByPlan(planId)).toEqual([step])
    const done: Step = { ...step, status: 'done', outcome: { kind: 'none' }, read: 'unknown', endedAt: 'x' }
    store.steps.update(done)
    expect(store.steps.find(step.stepId)).toEqual(done)
  })

  test('keeps one cursor a plan', () => {
    const cursor = aCursor({ planId })
    store.cursors.put(aCursor({ planId, turn: 1, pending: null }))
    store.cursors.put(cursor)
    expect(store.cursors.get(planId)).toEqual(cursor)
    expect(store.cursors.get(newId())).toBeNull()
  })

  test('keeps checkpoints and corrections in the order they were made', () => {
    const checkpoints = [aCheckpoint({ planId }), aCheckpoint({ planId, decisionId: newId() })]
    for (const checkpoint of checkpoints) store.checkpoints.insert(checkpoint)
    expect(store.checkpoints.listByPlan(planId)).toEqual(checkpoints)
    const [first] = checkpoints
    expect(first && store.checkpoints.find(first.checkpointId)).toEqual(first)

    const corrections = [aCorrection({ planId }), aCorrection({ planId, mode: 'append' })]
    for (const correction of corrections) store.corrections.put(correction)
    const ended = { ...corrections[0], status: 'done', endedAt: 'now' } as (typeof corrections)[number] // of two above
    store.corrections.put(ended)
    expect(store.corrections.listByPlan(planId)).toEqual([ended, corrections[1]])
    expect(store.corrections.find(ended.correctionId)).toEqual(ended)
    expect(store.corrections.match(ended.correctionId.slice(-7), planId)).toEqual([ended.correctionId])
  })
})

describe('works', () => {
  const state = (name: string) => name as SandboxState // any text is a state to the store

  test('are a line that grows at its end, and what left it stays on record', () => {
    const [first, second] = [storeDecision(planId, 1), storeDecision(planId, 2)]
    const base = null
    expect(store.works.last(planId)).toBeNull()
    store.works.add({ planId, decisionId: null, from: null, to: state('a'), base })
    store.works.add({ planId, decisionId: first, from: state('a'), to: state('b'), base })
    store.works.extend(planId, 2, { to: state('c'), base: state('user') })
    const third = store.works.add({ planId, decisionId: second, from: state('c'), to: state('d'), base })
    expect(store.works.last(planId)).toEqual(third)
    expect(line()).toEqual([
      [1, null, null, 'a', null],
      [2, first, 'a', 'c', 'user'],
      [3, second, 'c', 'd', null],
    ])
    store.works.setPresent(planId, [1])
    store.works.add({ planId, decisionId: first, from: state('a'), to: state('e'), base })
    expect(line().map(([seq]) => seq)).toEqual([1, 4])
    expect(under(first)).toEqual([4])
    expect(under(second)).toEqual([3])
    store.works.setPresent(planId, [1, 2, 3])
    expect([line().map(([seq]) => seq), under(first)]).toEqual([[1, 2, 3], [2]])
    store.works.setPresent(planId, [])
    expect([line(), under(first), under(second)]).toEqual([[], [2], [3]])
  })

  const line = () =>
    store.works.listPresent(planId).map(each => [each.seq, each.decisionId, each.from, each.to, each.base])
  const under = (decisionId: DecisionId) => store.works.listByDecision(decisionId).map(each => each.seq)
})

describe('grants', () => {
  test('reach the plan they were given for, or all plans of a profile', () => {
    const cautious = storePlan({ profile: aProfile({ name: 'cautious' }) })
    const [ofPlan, ofProfile] = [aGrant({ scope: { kind: 'plan', planId } }), aGrant()]
    store.grants.insert(ofPlan)
    store.grants.insert(ofProfile)
    expect(store.grants.list(planId)).toEqual([ofPlan])
    expect(store.grants.list(cautious)).toEqual([ofProfile])
    expect(store.grants.list(null)).toEqual([ofPlan, ofProfile])
    expect(store.grants.match(ofPlan.grantId)).toEqual([ofPlan.grantId])
  })

  test('are revoked once', () => {
    const grant = aGrant()
    store.grants.insert(grant)
    expect(store.grants.revoke(grant.grantId, 'then')).toBe(true)
    expect(store.grants.revoke(grant.grantId, 'later')).toBe(false)
    expect(store.grants.revoke(newId<GrantId>(), 'later')).toBe(false)
    expect(store.grants.find(grant.grantId)).toEqual({ ...grant, revokedAt: 'then' })
  })
})

describe('actions and projects', () => {
  test('are replaced under their names and listed by them', () => {
    const [b, a] = [
      anAction({ name: 'local/b', recipe: null, safetyProfile: null }),
      anAction({ name: 'local/a' }),
    ]
    store.actions.put(b, 'old text')
    store.actions.put(a, 'text')
    store.actions.put({ ...b, state: 'archived' }, 'text')
    expect(store.actions.list()).toEqual([a, { ...b, state: 'archived' }])
    expect(store.actions.find('local/a')).toEqual(a)
    expect(store.actions.find('local/c')).toBeNull()
  })

  test('are found by name and by folder', () => {
    const project: Project = {
      name: 'local/shop',
      root: '/home/ada/shop',
      resource: 'git-checkout',
      trusted: false,
      trustAsked: false,
      trustedList: null,
      automationProfile: null,
      setUp: null,
    }
    store.projects.put(project)
    store.projects.put({ ...project, trusted: true })
    expect(store.projects.find('local/shop')).toEqual({ ...project, trusted: true })
    expect(store.projects.findByRoot('/home/ada/shop')).toEqual({ ...project, trusted: true })
    expect(store.projects.findByRoot('/home')).toBeNull()
    expect(store.projects.list()).toEqual([{ ...project, trusted: true }])
  })
})

test('invariants are found by their scope, in the order in which they were stated', () => {
  const state = (text: string, scope: Invariant['scope']): Invariant => {
    const invariant = {
      invariantId: newId<Invariant['invariantId']>(),
      text,
      rule: null,
      scope,
      nonOverridable: false,
      statedBy: 'ada',
      createdAt: '2026-11-30T12:00:00.000Z',
    }
    store.invariants.insert(invariant)
    return invariant
  }
  const everywhere = state('b', { kind: 'global' })
  const here = state('a', { kind: 'project', project: 'local/shop' })
  const there = state('c', { kind: 'project', project: 'local/other' })
  const again = state('0', { kind: 'project', project: 'local/shop' })
  expect(store.invariants.list()).toEqual([everywhere, here, there, again])
  expect(store.invariants.listFor('global', null)).toEqual([everywhere])
  expect(store.invariants.listFor('project', 'local/shop')).toEqual([here, again])
  expect(store.invariants.listFor('action', 'local/shop')).toEqual([])
  store.invariants.remove(here.invariantId)
  expect(store.invariants.find(here.invariantId)).toBeNull()
})

describe('resources', () => {
  test('belong to as many projects as link them, each once', () => {
    const [shop, stock] = [
      aResource(),
      aResource({ name: 'stock-db', resourceId: asId('01JZZZZZZZZZZZZZZZZZZZZZST') }),
    ]
    for (const resource of [stock, shop]) store.resources.put(resource)
    for (const name of ['local/b', 'local/a']) {
      store.projects.put({ ...aProject(), name })
      for (let times = 0; times < 2; times++) store.resources.link(name, shop)
    }
    store.resources.link('local/a', stock)
    expect(store.resources.find('shop-db')).toEqual(shop)
    expect(store.resources.find('other')).toBeNull()
    expect(store.resources.list()).toEqual([shop, stock])
    expect(store.resources.listByProject('local/a')).toEqual([shop, stock])
    expect(store.resources.projectsOf(shop)).toEqual(['local/a', 'local/b'])
    store.resources.unlink('local/a', shop)
    expect(store.resources.listByProject('local/a')).toEqual([stock])
    store.resources.unlink('local/b', shop)
    store.resources.remove(shop)
    expect(store.resources.list()).toEqual([stock])
  })

  test('that are linked are not removed', () => {
    store.projects.put(aProject())
    store.resources.put(aResource())
    store.resources.link('local/shop', aResource())
    expect(() => store.resources.remove(aResource())).toThrow('FOREIGN KEY')
  })
})

function aProject(): Project {
  return {
    name: 'local/shop',
    root: '/home/ada/shop',
    resource: 'git-checkout',
    trusted: false,
    trustAsked: false,
    trustedList: null,
    automationProfile: null,
    setUp: null,
  }
}

describe('leases and requests', () => {
  test('a lease is ended by its holder only', () => {
    const lease = aLease({ planId })
    store.leases.put(lease)
    store.leases.remove(planId, { ...lease.holder, startedAt: 'boot:100' })
    expect(store.leases.get(planId)).toEqual(lease)
    store.leases.put({ ...lease, heartbeatAt: 'later' })
    expect(store.leases.list()).toEqual([{ ...lease, heartbeatAt: 'later' }])
    store.leases.remove(planId, lease.holder)
    expect(store.leases.get(planId)).toBeNull()
  })

  test('the owner of a plan hears what was asked for it, until it is taken', () => {
    const other = storePlan()
    const lease = aLease({ planId })
    const [mine, later, others] = [
      aRequest({ planId }),
      aRequest({ planId, kind: 'yield_after_step' }),
      aRequest({ planId: other }),
    ]
    for (const request of [mine, others, later]) store.requests.insert(request)
    expect(store.requests.listFor(lease.holder)).toEqual([])
    store.leases.put(lease)
    expect(store.requests.listFor(lease.holder)).toEqual([mine, later])
    store.requests.take(mine.requestId, 'now')
    expect(store.requests.listFor(lease.holder)).toEqual([later])
  })
})

describe('conversations and blobs', () => {
  test('conversations come back newest first, with their messages as they were', () => {
    const one: Conversation = {
      taskId: 't1',
      contextId: 'c',
      state: 'input-required',
      messages: [{ text: 'hi', n: [1, null] }, 'x'],
      createdAt: 'now',
    }
    store.conversations.put(one)
    store.conversations.put({ ...one, taskId: 't2' })
    store.conversations.put({ ...one, state: 'canceled' })
    expect(store.conversations.find('t1')).toEqual({ ...one, state: 'canceled' })
    expect(store.conversations.list(1).map(({ taskId }) => taskId)).toEqual(['t2'])
  })

  test('a value has one address, whatever the order of its keys', () => {
    const ref = store.blobs.put({ b: 1, a: { d: [{ y: 1, x: 2 }], c: null } })
    expect(store.blobs.put({ a: { c: null, d: [{ x: 2, y: 1 }] }, b: 1 })).toBe(ref)
    expect(ref).toMatch(/^[0-9a-f]{64}$/)
    expect(store.blobs.get(ref)).toEqual({ b: 1, a: { d: [{ y: 1, x: 2 }], c: null } })
    expect(store.blobs.put({ b: 2 })).not.toBe(ref)
    expect(store.blobs.get('0'.repeat(64))).toBeNull()
  })
})

const subjects: Gate['subject'][] = [
  { kind: 'phase', from: 'execute', to: 'apply', strategy: null, changesDigest: 'x', summary: '2 files' },
  {
    kind: 'decision',
    type: 'strategy_choice',
    proposed: { id: 'a', label: 'A', rationale: null },
    rationale: 'why',
    guidance: 'try b',
  },
  { kind: 'ask' },
  { kind: 'error', step: 'execute[1]', message: 'it broke' },
  { kind: 'resume', underWay: 'make' },
  {
    kind: 'constrained',
    conflicts: [{ path: expectOk(parseRelPath('a.ts')), kind: 'binary', reason: 'changed since' }],
    others: [expectOk(parseRelPath('b.ts'))],
  },
  {
    kind: 'unfinished_apply',
    folder: '/x',
    written: [expectOk(parseRelPath('a.ts'))],
    waiting: [expectOk(parseRelPath('b.ts'))],
  },
  { kind: 'validation', command: 'npm test', output: 'red' },
  { kind: 'trust', folder: '/x', wouldRun: ['npm test'] },
]

function storePlan(changes: Parameters<typeof aPlan>[0] = {}): PlanId {
  const plan = aPlan(changes)
  store.plans.insert(plan)
  return plan.planId
}

function storeDecision(ofPlan: PlanId, number: number): DecisionId {
  const decision = aDecision({ planId: ofPlan, number })
  store.decisions.insert(decision)
  return decision.decisionId
}
