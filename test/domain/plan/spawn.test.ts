import { describe, expect, it } from 'vitest'
import type { ChildRequest } from '../../../src/domain/actor/actor.ts'
import { asId, type PlanId } from '../../../src/domain/ids.ts'
import { fateOf } from '../../../src/domain/plan/child-fate.ts'
import { positions } from '../../../src/domain/plan/lifecycle.ts'
import {
  beginSpawn,
  type ChildStanding,
  nextMove,
  type Spawn,
  standingOf,
  wavesOf,
  withPart,
} from '../../../src/domain/plan/spawn.ts'

describe('the waves of children', () => {
  it.each<[string, string[], 'parallel' | 'sequential', number[]]>([
    ['all at once where nobody waits', ['a', 'b', 'c'], 'parallel', [0, 0, 0]],
    ['later for those who wait', ['a', 'b<a', 'c<a,b', 'd'], 'parallel', [0, 1, 2, 0]],
    ['whatever the order in which they are named', ['b<a', 'a'], 'parallel', [1, 0]],
    ['one after the other', ['a', 'b', 'c'], 'sequential', [0, 1, 2]],
    ['one after the other, those who wait later', ['b<a', 'a', 'c'], 'sequential', [2, 0, 1]],
  ])('are %s', (_, names, mode, waves) => {
    expect(wavesOf({ children: children(names), mode })).toEqual({ ok: true, value: waves })
  })

  it.each<[string, string[]]>([
    ['These children wait for each other: a, b.', ['a<b', 'b<a', 'c']],
    ['These children wait for each other: a.', ['a<a']],
    ['Child a waits for z, and there is no such child.', ['a<z']],
    ['Two children are called a.', ['a', 'a']],
  ])('are refused: %s', (message, names) => {
    const refused = wavesOf({ children: children(names), mode: 'parallel' })
    expect(!refused.ok && refused.failure.message).toBe(message)
  })
})

describe('what comes next', () => {
  it.each<[string, string[], Record<string, ChildStanding>, string]>([
    ['as many begin as may run at once', ['a', 'b', 'c'], {}, 'begin a,b'],
    ['one that waits for a person holds its place', ['a', 'b', 'c'], { a: 'waits' }, 'begin b'],
    ['nobody begins while there is no room', ['a', 'b', 'c'], { a: 'waits', b: 'running' }, 'watch'],
    ['the first that is named is merged first', ['a', 'b'], { a: 'running', b: 'handed_over' }, 'watch'],
    ['it is merged as soon as it has ended', ['a', 'b'], { a: 'handed_over', b: 'running' }, 'merge a'],
    ['a failure is asked about last', ['a', 'b'], { a: 'errored', b: 'running' }, 'watch'],
    ['a failure is asked about', ['a', 'b'], { a: 'errored', b: 'waits' }, 'ask_about_failed a'],
    ['a cancelled one is left out', ['a', 'b'], { a: 'cancelled', b: 'running' }, 'leave_out a'],
    ['the plan waits for a person', ['a', 'b'], { a: 'waits', b: 'handed_over' }, 'wait_for a'],
  ])('%s', (_, names, standing, expected) => {
    expect(told(nextMove(spawnOf(names, 2), child => standing[child.key] ?? 'not_begun'))).toBe(expected)
  })

  it('is the next wave once one is merged, and the end after the last', () => {
    const first = withPart(spawnOf(['a', 'b<a'], 2), 'a', 'merged')
    expect(told(nextMove(first, () => 'not_begun'))).toBe('next_wave')
    expect(told(nextMove(withPart(first, 'b', 'left_out'), () => 'handed_over'))).toBe('done')
  })

  it('leaves out those who wait for one that was left out', () => {
    const spawn: Spawn = { ...withPart(spawnOf(['a', 'b<a'], 2), 'a', 'left_out'), wave: 1 }
    expect(told(nextMove(spawn, () => 'not_begun'))).toBe('leave_out b')
  })
})

describe('eight children of which three may run at once', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f<a,b', 'g<e', 'h<f']

  it('are merged in one and the same order, whoever ends first, and all of them run', () => {
    const orders = Array.from({ length: 50 }, (_, seed) => play(spawnOf(names, 3), seeded(seed)))
    for (const { merged, most } of orders) {
      expect(merged).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(most).toBe(3)
    }
  })
})

/** Lets one of those that run end at a time, by chance. */
function play(begun: Spawn, random: () => number) {
  const standings = new Map<string, ChildStanding>()
  const merged: string[] = []
  let [spawn, most] = [begun, 0]
  const running = () => [...standings].filter(([, standing]) => standing === 'running').map(([key]) => key)
  for (;;) {
    const move = nextMove(spawn, ({ key }) => standings.get(key) ?? 'not_begun')
    if (move.kind === 'done') return { merged, most }
    if (move.kind === 'begin') for (const { key } of move.children) standings.set(key, 'running')
    else if (move.kind === 'next_wave') spawn = { ...spawn, wave: move.wave }
    else if (move.kind === 'merge') {
      merged.push(move.child.key)
      spawn = withPart(spawn, move.child.key, 'merged')
    } else if (move.kind === 'watch') {
      const keys = running()
      standings.set(keys[Math.floor(random() * keys.length)] ?? '', 'handed_over')
    } else throw new Error(`${move.kind} was not expected`)
    most = Math.max(most, running().length)
  }
}

function seeded(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe('what becomes of a child that a correction reaches', () => {
  it.each(positions)('at %s follows from where it stands', position => {
    const state = position.split('/')[1]
    const expected = state === 'applied' ? 'forbids' : state === 'cancelled' ? 'ended' : 'cancelled'
    expect(fateOf({ position, appliedState: null })).toBe(expected)
  })

  it('is seen by its parent as running whenever nobody has to act', () => {
    const running = positions.filter(position => standingOf(position) === 'running')
    expect(running).toEqual([
      'strategize/queued',
      'strategize/running',
      'strategize/complete',
      'execute/queued',
      'execute/running',
      'execute/complete',
      'apply/queued',
      'apply/running',
    ])
  })
})

/** `b<a,c`: b waits for a and c. */
function children(names: readonly string[]): ChildRequest[] {
  return names.map(name => {
    const [key = '', after = ''] = name.split('<')
    const named = after === '' ? [] : after.split(',')
    return { key, action: 'local/any', args: {}, guidance: null, after: named }
  })
}

function spawnOf(names: readonly string[], maxParallel: number): Spawn {
  const request = { children: children(names), mode: 'parallel', maxParallel, merge: 'three_way' } as const
  const waves = wavesOf(request)
  if (!waves.ok) throw new Error(waves.failure.message)
  const planIds = names.map((_, at) => asId<PlanId>(`01JZZZZZZZZZZZZZZZZZZZZZ0${at}`))
  return { ...beginSpawn(request, waves.value, planIds), wave: 0 }
}

function told(move: ReturnType<typeof nextMove>): string {
  if (move.kind === 'begin') return `begin ${move.children.map(({ key }) => key).join(',')}`
  return 'child' in move ? `${move.kind} ${move.child.key}` : move.kind
}
