/**
 * Child plans of one spawn step: what its row keeps, and what is to be done next. Pure; begin with `nextMove`.
 * Children run in waves. A wave begins on what the waves before left, so the result does not depend on who ends first.
 */
import * as z from 'zod'
import type { ChildRequest, SpawnRequest } from '../actor/actor.ts'
import { type Result, refuse } from '../failure.ts'
import { asId, type PlanId } from '../ids.ts'
import type { SandboxState } from '../sandbox/strategy.ts'
import type { Step } from './journal.ts'
import { type Position, stateOf } from './lifecycle.ts'

/** Requirements GAP-24. A top-level plan has the depth 0. */
export const MAX_DEPTH = 5

/** The path of a spawn step that a person asked for by appending. It is no request of the actor. */
export const APPEND_PATH = 'append'

const sandboxState = z.custom<SandboxState>(value => typeof value === 'string')

const spawnSchema = z.object({
  mode: z.enum(['sequential', 'parallel']),
  maxParallel: z.number(),
  merge: z.enum(['three_way', 'last_wins', 'fail_on_conflict']),
  children: z.array(
    z.object({
      key: z.string(),
      planId: z.string().transform(text => asId<PlanId>(text)),
      action: z.string(),
      args: z.record(z.string(), z.unknown()),
      guidance: z.string().nullable(),
      after: z.array(z.string()),
      wave: z.number(),
      /** merging: its changes may be half way into the sandbox. */
      part: z.enum(['open', 'merging', 'merged', 'left_out']),
    }),
  ),
  /** The wave that runs; -1 before the first. */
  wave: z.number(),
  /** The state of the sandbox that its children begin with. */
  from: sandboxState.nullable(),
  /** The sandbox before any child was merged. */
  before: sandboxState.nullable(),
})

/** Kept in the row of the step, which is rewritten as it goes on. */
export type Spawn = Readonly<z.infer<typeof spawnSchema>>
export type SpawnedChild = Spawn['children'][number]

export function readSpawn({ input }: Pick<Step, 'input'>): Spawn {
  return spawnSchema.parse(input)
}

/** The row's input for a request, before anything began. `planIds` are those of the children, in their order. */
export function beginSpawn(
  request: Pick<SpawnRequest, 'children' | 'mode' | 'maxParallel' | 'merge'>,
  waves: readonly number[],
  planIds: readonly PlanId[],
): Spawn {
  const { mode, maxParallel, merge } = request
  const children = request.children.flatMap((child, at): SpawnedChild[] => {
    const [planId, wave] = [planIds[at], waves[at]]
    if (planId === undefined || wave === undefined) throw new Error(`child ${child.key} has no plan or wave`)
    return [{ ...child, args: { ...child.args }, after: [...child.after], planId, wave, part: 'open' }]
  })
  return { mode, maxParallel, merge, children, wave: -1, from: null, before: null }
}

export function withPart(spawn: Spawn, key: string, part: SpawnedChild['part']): Spawn {
  return { ...spawn, children: spawn.children.map(each => (each.key === key ? { ...each, part } : each)) }
}

/** The wave of every child, in the order in which they are named. Refuses names that lead nowhere or in a circle. */
export function wavesOf({ children, mode }: Pick<SpawnRequest, 'children' | 'mode'>): Result<number[]> {
  const keys = children.map(child => child.key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return refuse('invalid_input', `Two children are called ${twice}.`, { key: twice })
  for (const { key, after } of children) {
    const unknown = after.find(name => !keys.includes(name))
    if (unknown !== undefined)
      return refuse('invalid_input', `Child ${key} waits for ${unknown}, and there is no such child.`, {
        key,
      })
  }
  const waves = layered(children)
  if (!waves.ok || mode === 'parallel') return waves
  const inTurn = waves.value.map((wave, at) => ({ wave, at })).sort((a, b) => a.wave - b.wave || a.at - b.at)
  return { ok: true, value: keys.map((_, at) => inTurn.findIndex(each => each.at === at)) }
}

/** Each round takes the children whose predecessors are placed; what is left when nobody can be placed is a circle. */
function layered(children: readonly ChildRequest[]): Result<number[]> {
  const waveOf = new Map<string, number>()
  for (let wave = 0; waveOf.size < children.length; wave++) {
    const ready = children.filter(
      ({ key, after }) => !waveOf.has(key) && after.every(name => (waveOf.get(name) ?? wave) < wave),
    )
    if (ready.length === 0) {
      const left = children.filter(({ key }) => !waveOf.has(key)).map(({ key }) => key)
      return refuse('invalid_input', `These children wait for each other: ${left.join(', ')}.`, {
        keys: left,
      })
    }
    for (const { key } of ready) waveOf.set(key, wave)
  }
  return { ok: true, value: children.map(({ key }) => waveOf.get(key) ?? 0) }
}

/** Where a child stands, as its parent sees it. */
export type ChildStanding =
  | 'not_begun'
  | 'running'
  /** It goes on when a person answers or resumes it. */
  | 'waits'
  | 'handed_over'
  | 'errored'
  | 'cancelled'

export function standingOf(position: Position): ChildStanding {
  if (position === 'action/queued') return 'not_begun'
  if (position === 'apply/complete' || position === 'apply/applied') return 'handed_over'
  switch (stateOf(position)) {
    case 'awaiting_input':
    case 'paused':
    case 'constrained':
      return 'waits'
    case 'errored':
      return 'errored'
    case 'cancelled':
      return 'cancelled'
    default:
      return 'running'
  }
}

export type SpawnMove =
  | { readonly kind: 'leave_out'; readonly child: SpawnedChild; readonly why: string }
  | { readonly kind: 'merge'; readonly child: SpawnedChild }
  | { readonly kind: 'next_wave'; readonly wave: number }
  | { readonly kind: 'begin'; readonly children: readonly SpawnedChild[] }
  | { readonly kind: 'watch' }
  | { readonly kind: 'ask_about_failed'; readonly child: SpawnedChild }
  | { readonly kind: 'wait_for'; readonly child: SpawnedChild }
  | { readonly kind: 'done' }

/**
 * What comes next. Merges come in the order in which the children are named, whoever ended first. A failure is asked
 * about when nothing else can go on, so that the others are not held up.
 */
export function nextMove(spawn: Spawn, standing: (child: SpawnedChild) => ChildStanding): SpawnMove {
  const unsettled = spawn.children.filter(each => each.part === 'open' || each.part === 'merging')
  const present = unsettled.filter(each => each.wave === spawn.wave)
  const [first] = present
  if (!first) {
    const waves = unsettled.map(each => each.wave)
    return waves.length === 0 ? { kind: 'done' } : { kind: 'next_wave', wave: Math.min(...waves) }
  }
  const leftOut = firstLeftOut(spawn, present, standing)
  if (leftOut) return leftOut
  if (standing(first) === 'handed_over') return { kind: 'merge', child: first }
  const underWay = present.filter(each => ['running', 'waits'].includes(standing(each)))
  const queued = present.filter(each => standing(each) === 'not_begun')
  const room = spawn.maxParallel - underWay.length
  if (queued.length > 0 && room > 0) return { kind: 'begin', children: queued.slice(0, room) }
  if (underWay.some(each => standing(each) === 'running')) return { kind: 'watch' }
  const failed = present.find(each => standing(each) === 'errored')
  if (failed) return { kind: 'ask_about_failed', child: failed }
  const [waiting] = underWay
  return waiting ? { kind: 'wait_for', child: waiting } : { kind: 'watch' }
}

function firstLeftOut(
  { children }: Spawn,
  present: readonly SpawnedChild[],
  standing: (child: SpawnedChild) => ChildStanding,
): SpawnMove | null {
  for (const child of present) {
    if (standing(child) === 'cancelled') return { kind: 'leave_out', child, why: 'it was cancelled' }
    const missing = child.after.find(key => children.find(each => each.key === key)?.part === 'left_out')
    if (missing !== undefined && standing(child) === 'not_begun')
      return { kind: 'leave_out', child, why: `${missing}, which it waits for, was left out` }
  }
  return null
}
