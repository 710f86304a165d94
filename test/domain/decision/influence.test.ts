import { describe, expect, it } from 'vitest'
import {
  closesCircle,
  type Influence,
  influencesThroughFiles,
} from '../../../src/domain/decision/influence.ts'
import { asId, type DecisionId } from '../../../src/domain/ids.ts'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import { expectOk } from '../../support/result.ts'

const [one, two, three] = [1, 2, 3].map(number => asId<DecisionId>(`0000000000000000000000000${number}`))
const numberOf = (decisionId: DecisionId) => Number(decisionId.slice(-1))

describe('influence through files', () => {
  it.each([
    [
      'the last writer of a path',
      [work(one, [], ['a']), work(two, [], ['a'])],
      ['a'],
      ['2 read a, written under #2'],
    ],
    [
      'each writer of several paths once',
      [work(one, [], ['a', 'b']), work(two, [], ['c'])],
      ['a', 'b', 'c'],
      ['1 read a, written under #1', '2 read c, written under #2'],
    ],
    ['nobody for a path that is only the user’s', [work(one, [], ['a'])], ['z'], []],
    [
      'a command that came in between, and the writer before it',
      [work(one, [], ['a']), work(two, [], 'unknown')],
      ['a'],
      ['2 read a, perhaps written by a command under #2', '1 read a, written under #1'],
    ],
    ['not the reader itself', [work(one, [], ['a']), work(three, [], ['a'])], ['a'], []],
    [
      'every writer, for a command',
      [work(one, [], ['a']), work(two, ['a'], []), work(three, [], ['b'])],
      'unknown',
      ['1 ran a command on what was written under #1'],
    ],
  ] as const)('names %s', (_, earlier, read, expected) => {
    const edges = influencesThroughFiles(work(three, read, []), earlier, numberOf)
    expect(edges.map(edge => `${numberOf(edge.upstreamDecisionId)} ${edge.why}`)).toEqual(expected)
    expect(edges.every(edge => edge.origin === 'derived')).toBe(true)
  })

  it('is nothing for work that belongs to no decision', () => {
    expect(influencesThroughFiles(work(null, 'unknown', []), [work(one, [], ['a'])], numberOf)).toEqual([])
  })
})

describe('a circle of influence', () => {
  it('is seen whether it is short or long, and a second way is none', () => {
    const known = [edge(one, two), edge(two, three)]
    expect(closesCircle(known, edge(three, one))).toBe(true)
    expect(closesCircle(known, edge(two, one))).toBe(true)
    expect(closesCircle(known, edge(one, one))).toBe(true)
    expect(closesCircle(known, edge(one, three))).toBe(false)
  })
})

function edge(upstream: DecisionId | undefined, downstream: DecisionId | undefined): Influence {
  if (!upstream || !downstream) throw new Error('an edge needs two ends')
  return {
    upstreamDecisionId: upstream,
    downstream: { kind: 'decision', decisionId: downstream },
    origin: 'derived',
    why: 'a test',
  }
}

function work(decisionId: DecisionId | null | undefined, read: Paths, written: Paths) {
  return { decisionId: decisionId ?? null, read: paths(read), written: paths(written) }
}

type Paths = readonly string[] | 'unknown'

function paths(texts: Paths) {
  return texts === 'unknown' ? texts : texts.map(text => expectOk(parseRelPath(text)))
}
