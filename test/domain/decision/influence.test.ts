import { describe, expect, it } from 'vitest'
import { restsThroughFiles, type Writers } from '../../../src/domain/decision/influence.ts'
import { asId, type DecisionId } from '../../../src/domain/ids.ts'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import { expectOk } from '../../support/result.ts'

const [one, two] = [1, 2].map(number => asId<DecisionId>(`0000000000000000000000000${number}`)) as [
  DecisionId,
  DecisionId,
] // two in, two out
const numberOf = (decisionId: DecisionId) => Number(decisionId.slice(-1))

describe('what work rests on through files', () => {
  it.each<[string, Partial<Writers>, string[]]>([
    ['nothing where nobody wrote', {}, []],
    ['the last writer of a file', { opened: [at('a', one)] }, ['1 read a, written under #1']],
    [
      'each writer once, with the first of its files',
      { opened: [at('a', one), at('b', two), at('c', one), at('d', one)] },
      ['1 read a and 2 more, written under #1', '2 read b, written under #2'],
    ],
    [
      'who wrote or deleted where it searched, unless it read that one too',
      { opened: [at('a', one)], searched: [at('a', one), at('b', two), at('c', two)] },
      ['1 read a, written under #1', '2 searched where b and 1 more were written under #2'],
    ],
    [
      'for a command all that was written, told from the last command on',
      { command: { last: one, since: [two, one] } },
      [
        '1 ran a command, which may read anything that was written up to #1',
        '2 ran a command, which may read anything that #2 wrote',
      ],
    ],
    [
      'for a first command every writer',
      { command: { last: null, since: [two, one] } },
      [
        '2 ran a command, which may read anything that #2 wrote',
        '1 ran a command, which may read anything that #1 wrote',
      ],
    ],
  ])('is %s', (_, writers, expected) => {
    const rests = restsThroughFiles({ opened: [], searched: [], command: null, ...writers }, numberOf)
    expect(rests.map(({ on, why }) => `${numberOf(on)} ${why}`)).toEqual(expected)
  })
})

function at(path: string, writer: DecisionId) {
  return { path: expectOk(parseRelPath(path)), writer }
}
