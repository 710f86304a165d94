import { describe, expect, it } from 'vitest'
import type { DecisionId } from '../../../src/domain/ids.ts'
import { asId, type PlanId } from '../../../src/domain/ids.ts'
import { layBack } from '../../../src/domain/plan/lay-back.ts'
import type { Work } from '../../../src/domain/plan/work.ts'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import type { ReplayReport, SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { newId } from '../../support/records.ts'
import { expectOk } from '../../support/result.ts'

const planId = asId<PlanId>('01JZZZZZZZZZZZZZZZZZZZZZZZ')
const [a, b, c, d] = [newId<DecisionId>(), newId<DecisionId>(), newId<DecisionId>(), newId<DecisionId>()]
const path = expectOk(parseRelPath('src/a.ts'))

/** A state is the letters of what is in it. */
const state = (letters: string) => letters as SandboxState

describe('the line of work without some decisions', () => {
  it('keeps what comes before the first of them, and lays what comes later on that', async () => {
    const laid = await lay(line(a, b, c, d), [b])
    expect(laid.untouched).toEqual([a])
    expect(laid.laid).toEqual([
      [c, 'a', 'ac'],
      [d, 'ac', 'acd'],
    ])
    expect(laid.asked).toEqual(['a+c', 'ac+d'])
  })

  it('is as it is where none of them did anything', async () => {
    const laid = await lay(line(a, b), [c])
    expect([laid.untouched, laid.laid, laid.asked]).toEqual([[a, b], [], []])
  })

  it('loses what no longer merges, with what rests on it, told why', async () => {
    const laid = await lay(line(a, b, c, d), [a], { conflicts: 'c', dependents: new Map([[c, [d]]]) })
    expect(laid.laid).toEqual([[b, '', 'b']])
    expect(laid.why).toEqual(['its changes to src/a.ts no longer merge'])
  })

  it('is laid once more where that reaches what was laid already, or what comes before', async () => {
    const laid = await lay(line(a, b, c, d), [b], { conflicts: 'd', dependents: new Map([[d, [a, c]]]) })
    expect([laid.untouched, laid.laid]).toEqual([[], []])
  })

  it('loses edits of the user that were brought in on top of some that are lost', async () => {
    const works = line(a, b, c, d).map((work, at) => ({
      ...work,
      base: at === 0 ? null : at < 2 ? state('one') : state('two'),
    }))
    const laid = await lay(works, [b])
    expect(laid.laid).toEqual([[d, 'a', 'ad']])
    expect(laid.why).toEqual(['it rests on edits that are taken back'])
    expect(laid.bases).toEqual([null])
  })
})

function line(...decisions: (DecisionId | undefined)[]): Work[] {
  const letters = 'abcd'
  return decisions.map((decisionId = newId(), at) => ({
    seq: at + 1,
    planId,
    decisionId,
    from: at === 0 ? null : state(letters.slice(0, at)),
    to: state(letters.slice(0, at + 1)),
    base: null,
  }))
}

interface World {
  /** The letter that merges with nothing. */
  readonly conflicts?: string
  readonly dependents?: ReadonlyMap<DecisionId | undefined, readonly (DecisionId | undefined)[]>
}

async function lay(works: readonly Work[], gone: readonly (DecisionId | undefined)[], world: World = {}) {
  const spread = new Set(gone)
  const why: string[] = []
  const asked: string[] = []
  const laid = expectOk(
    await layBack({
      line: works,
      baseline: state(''),
      spread: {
        has: id => spread.has(id),
        add: (id, reason) => {
          why.push(reason)
          spread.add(id)
          for (const dependent of world.dependents?.get(id) ?? []) spread.add(dependent)
        },
      },
      replay: async (onto, { from, to }) => {
        const letter = to.slice(from.length)
        asked.push(`${onto}+${letter}`)
        const report: ReplayReport =
          letter === world.conflicts
            ? { outcome: 'constrained', conflicts: [{ path, kind: 'content', reason: 'both changed it' }] }
            : { outcome: 'merged', state: state(onto + letter) }
        return { ok: true, value: report }
      },
    }),
  )
  return {
    untouched: laid.untouched.map(({ decisionId }) => decisionId),
    laid: laid.laid.map(({ decisionId, from, to }) => [decisionId, from, to]),
    bases: laid.laid.map(({ base }) => base),
    why,
    asked,
  }
}
