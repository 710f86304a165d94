import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveInvariant, Candidate } from '../../../src/domain/invariant/invariant.ts'
import { conflictsResolved, isSame, problemOf, reconcile } from '../../../src/domain/invariant/reconcile.ts'
import { conflictOf, type InvariantRule, readRule } from '../../../src/domain/invariant/rule.ts'

function candidate(text: string, changes: Partial<Candidate> = {}): Candidate {
  return {
    invariantId: null,
    text,
    rule: null,
    source: { kind: 'global' },
    nonOverridable: false,
    above: 0,
    createdAt: '2026-01-01',
    ...changes,
  }
}

const sources = {
  plan: { kind: 'plan', name: null },
  action: { kind: 'action', name: 'local/rename' },
  project: { kind: 'project', name: 'local/shop' },
  global: { kind: 'global' },
} as const

const atMost = (value: number): InvariantRule => ({ key: 'changed_files', rule: 'max', value })

function held(candidates: readonly Candidate[]): readonly ActiveInvariant[] {
  const result = reconcile(candidates)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

describe('which invariants hold for a plan', () => {
  it.each([
    ['plan', 'action'],
    ['plan', 'project'],
    ['plan', 'global'],
    ['action', 'project'],
    ['action', 'global'],
    ['project', 'global'],
  ] as const)('what the %s says wins over what the %s says', (stronger, weaker) => {
    const strong = candidate('few', { rule: atMost(9), source: sources[stronger] })
    const weak = candidate('fewer', { rule: atMost(3), source: sources[weaker], createdAt: '2026-09-09' })
    const [only, ...others] = held([weak, strong])
    expect([only?.text, others]).toEqual(['few', []])
    expect(only?.over).toMatchObject([{ text: 'fewer', why: expect.stringContaining('cannot both hold') }])
  })

  it('between two of one scope the newer wins, and of actions the one farther above', () => {
    const older = candidate('older', { rule: atMost(1), source: sources.project })
    const newer = candidate('newer', { rule: atMost(2), source: sources.project, createdAt: '2026-02-02' })
    expect(held([older, newer])[0]?.text).toBe('newer')
    const parents = candidate('parents', { rule: atMost(1), source: sources.action, above: 1 })
    const own = candidate('own', { rule: atMost(2), source: sources.action, createdAt: '2026-02-02' })
    expect(held([own, parents])[0]?.text).toBe('parents')
  })

  it('one for all plans that may not be overridden wins over the plan, and the reason says so', () => {
    const firm = candidate('firm', { rule: atMost(3), nonOverridable: true })
    const [only] = held([candidate('loose', { rule: atMost(99), source: sources.plan }), firm])
    expect(only?.text).toBe('firm')
    expect(only?.over[0]?.why).toBe(
      '"changed_files max 3" and "changed_files max 99" cannot both hold; the one for all plans may not be overridden',
    )
  })

  it('two that nothing may override and that contradict each other are refused, naming both', () => {
    const result = reconcile([
      candidate('some', { rule: { key: 'changed_files', rule: 'min', value: 5 }, nonOverridable: true }),
      candidate('few', { rule: atMost(3), nonOverridable: true }),
    ])
    expect(result).toMatchObject({ ok: false, failure: { code: 'conflict' } })
    expect(result.ok || result.failure.message).toContain('"few" (changed_files max 3)')
  })

  it('words that say the same are one, told with everybody who says them; other words are all kept', () => {
    const active = held([
      candidate('No new  dependencies.', { source: sources.project }),
      candidate('no new dependencies', { source: sources.plan }),
      candidate('Dependencies may be added'),
    ])
    expect(active.map(({ text, alsoFrom }) => [text, alsoFrom])).toEqual([
      ['no new dependencies', [sources.project]],
      ['Dependencies may be added', []],
    ])
    expect(conflictsResolved(active)).toBe(0)
  })

  const someCandidate: fc.Arbitrary<Candidate> = fc.record({
    invariantId: fc.constant(null),
    text: fc.constantFrom('a', 'b', 'B ', 'c'),
    rule: fc.option(
      fc.record({
        key: fc.constantFrom('x', 'y'),
        rule: fc.constantFrom('equals', 'max', 'min', 'forbid', 'allow'),
        value: fc.integer({ min: 0, max: 3 }),
      }),
    ),
    source: fc.constantFrom(...Object.values(sources)),
    nonOverridable: fc.constant(false),
    above: fc.integer({ min: 0, max: 2 }),
    createdAt: fc.constantFrom('1', '2', '3'),
  })

  it('never depends on the order in which they were gathered, keeps or names every one, and no two contradict', () => {
    fc.assert(
      fc.property(fc.array(someCandidate, { maxLength: 8 }), fc.nat(), (candidates, seed) => {
        const active = held(candidates)
        const turned = seed % (candidates.length + 1)
        const others = held([...candidates.slice(turned), ...candidates.slice(0, turned)].toReversed())
        expect(others.map(({ text, rule }) => [text, rule])).toEqual(
          active.map(({ text, rule }) => [text, rule]),
        )
        expect(problemOf(candidates, active)).toBeNull()
        const rules = active.flatMap(({ rule }) => rule ?? [])
        for (const one of rules)
          for (const other of rules) expect(one === other || conflictOf(one, other) === null).toBe(true)
      }),
    )
  })

  it('an answer that drops one in silence, or one that nothing may override, is not taken', () => {
    const firm = candidate('firm', { rule: atMost(3), nonOverridable: true })
    const [active] = held([candidate('loose', { rule: atMost(9), source: sources.plan })])
    if (!active) throw new Error('nothing holds')
    expect(problemOf([candidate('kept'), candidate('lost')], held([candidate('kept')]))).toBe(
      'the invariant "lost" was dropped without a word',
    )
    const overridden = { ...active, over: [{ ...firm, why: 'because' }] }
    expect(problemOf([firm], [overridden])).toContain('may not be overridden')
  })
})

describe('a rule', () => {
  it.each([
    [['equals', 'node', 22], ['equals', 'node', 24], true],
    [['equals', 'node', 22], ['equals', 'node', 22], false],
    [['equals', 'node', 22], ['equals', 'deno', 24], false],
    [['equals', 'licence', 'gpl'], ['forbid', 'licence', 'gpl'], true],
    [['equals', 'licence', 'mit'], ['forbid', 'licence', 'gpl'], false],
    [['forbid', 'licence', 'gpl'], ['forbid', 'licence', 'mit'], false],
    [['allow', 'licence', 'gpl'], ['forbid', 'licence', 'gpl'], true],
    [['max', 'changed_files', 3], ['max', 'changed_files', 4], true],
    [['max', 'changed_files', 3], ['min', 'changed_files', 3], false],
    [['max', 'changed_files', 3], ['min', 'changed_files', 4], true],
    [['equals', 'changed_files', 3], ['max', 'changed_files', 3], false],
    [['equals', 'changed_files', 4], ['max', 'changed_files', 3], true],
    [['equals', 'changed_files', 2], ['min', 'changed_files', 3], true],
    [['unchanged', undefined, 'src/**'], ['allow_path', undefined, './src/**'], true],
    [['forbid_path', undefined, 'src/**'], ['allow_path', undefined, 'src/**'], true],
    [['unchanged', undefined, 'src/**'], ['allow_path', undefined, 'src/api/**'], false],
    [['unchanged', undefined, 'src/**'], ['forbid_path', undefined, 'src/**'], false],
  ] as const)('%j and %j contradict each other: %s', (left, right, expected) => {
    const [one, other] = [left, right].map(([rule, key, value]) => {
      const read = readRule({ key, rule, value })
      if (!read.ok || !read.value) throw new Error('no rule')
      return read.value
    })
    if (!one || !other) throw new Error('no rules')
    expect(conflictOf(one, other) !== null).toBe(expected)
    expect(conflictOf(other, one) !== null).toBe(expected)
    expect(isSame({ text: 'a', rule: one }, { text: 'A', rule: other })).toBe(
      JSON.stringify(one) === JSON.stringify(other),
    )
  })

  it.each([
    [{ rule: 'most', value: 3 }, 'is one of equals, max'],
    [{ rule: 'max', key: 'changed_files' }, 'needs a value'],
    [{ rule: 'max', value: 3 }, 'needs a key'],
    [{ key: 'changed_files', rule: 'max', value: 'few' }, 'needs a number, not "few"'],
    [{ rule: 'unchanged', value: '../other/**' }, 'inside the project'],
    [{ rule: 'unchanged', value: '[' }, 'never closes its ['],
    [{ rule: 'forbid_path', value: 'src/{a' }, 'never closes its {'],
    [{ rule: 'unchanged', key: 'files', value: 'a' }, 'leave its key out'],
    [{ rule: 'forbid', key: 'path', value: 'a' }, 'not forbid'],
  ])('%j is refused', (written, words) => {
    const read = readRule(written)
    expect(read.ok || read.failure.message).toContain(words)
  })

  it('is words alone when nothing of it is written, and reads numbers that come as text', () => {
    expect(readRule({})).toEqual({ ok: true, value: null })
    expect(readRule({ key: 'changed_files', rule: 'max', value: '12' })).toEqual({
      ok: true,
      value: atMost(12),
    })
    for (const value of ['src/[id]/{a,b[}]}/**', 'a]b}', '\\[a', '[[:alpha:]]*'])
      expect(readRule({ rule: 'unchanged', value })).toMatchObject({ value: { value } })
    expect(readRule({ rule: 'unchanged', value: './src/**' })).toMatchObject({ value: { value: 'src/**' } })
  })
})
