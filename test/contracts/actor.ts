import { describe, expect, it } from 'vitest'
import type { Actor, Brief, Outcome, Turn } from '../../src/domain/actor/actor.ts'

export interface ActorUnderTest {
  readonly actor: Actor
  readonly brief: Brief
  /** What the run loop would answer to the requests, in order; the last one ends the phase. */
  readonly outcomes: readonly Outcome[]
}

/** What the run loop relies on, whatever the kind of actor. */
export function describeActor(name: string, open: () => ActorUnderTest): void {
  describe(`${name} as an actor`, () => {
    it('starts from plain JSON, the same each time', () => {
      const { actor, brief } = open()
      expect(throughJson(actor.start(brief))).toEqual(actor.start(brief))
    })

    it('has a state that survives the store at every step', async () => {
      for (const { state } of await play(open())) expect(throughJson(state)).toEqual(state)
    })

    it('asks for the same thing again from any stored state', async () => {
      const { actor, brief } = open()
      for (const { state, request } of await play(open())) {
        const again = await actor.next(throughJson(state), { kind: 'none' }, context(brief))
        expect(again.request).toEqual(request)
      }
    })

    it('goes on from a stored state as if it had never stopped', async () => {
      const turns = await play(open())
      const { actor, brief, outcomes } = open()
      for (const [index, { state }] of turns.entries()) {
        const outcome = outcomes[index]
        const following = turns[index + 1]
        if (!outcome || !following) continue
        const turn = await actor.next(throughJson(state), outcome, context(brief))
        expect(turn).toEqual(following)
      }
    })

    it('ends at once when it is stopped', async () => {
      const { actor, brief } = open()
      const stopped = { ...context(brief), signal: AbortSignal.abort() }
      await expect(actor.next(actor.start(brief), { kind: 'none' }, stopped)).rejects.toMatchObject({
        name: 'AbortError',
      })
    })

    it('ends its phase by saying so', async () => {
      const last = (await play(open())).at(-1)
      expect(last?.request.kind).toBe('finish')
    })
  })
}

async function play({ actor, brief, outcomes }: ActorUnderTest): Promise<Turn[]> {
  const turns = [await actor.next(actor.start(brief), { kind: 'none' }, context(brief))]
  for (const outcome of outcomes) {
    const state = turns.at(-1)?.state ?? {}
    turns.push(await actor.next(state, outcome, context(brief)))
  }
  return turns
}

function context(brief: Brief) {
  return { brief, signal: new AbortController().signal, emit: () => {} }
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
