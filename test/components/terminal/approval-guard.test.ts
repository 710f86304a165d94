import { describe, expect, test } from 'vitest'
import {
  type ApprovalGuard,
  type GuardResult,
  guardHidden,
  guardInput,
  guardShown,
  guardStatus,
  startGuard,
} from '../../../components/terminal/approval-guard.ts'
import { createInputParser } from '../../../components/terminal/input-parser.ts'
import { createFakeClock } from '../../support/clock.ts'

/** A gate card under test: what was typed when, and what the guard made of it. */
function openCard(question: { word?: string; isEndVisible?: boolean } = {}) {
  const clock = createFakeClock(0)
  const outcomes: GuardResult['outcome'][] = []
  let guard = startGuard({ digest: 'd1', optionCount: 3, word: question.word, at: clock.now() })
  guard = guardShown(guard, { at: clock.now(), isEndVisible: question.isEndVisible ?? true })
  const parser = createInputParser(clock, event => {
    const result = guardInput(guard, event)
    guard = result.guard
    outcomes.push(result.outcome)
  })
  const card = {
    wait(ms: number) {
      clock.advance(ms)
      return card
    },
    send(bytes: string) {
      parser.push(new TextEncoder().encode(bytes))
      return card
    },
    change(change: (guard: ApprovalGuard, now: number) => ApprovalGuard) {
      guard = change(guard, clock.now())
      return card
    },
    outcomes: () => outcomes.map(outcome => outcome.kind),
    answers: () => outcomes.flatMap(outcome => (outcome.kind === 'answered' ? [outcome.answer] : [])),
    status: () => guardStatus(guard, clock.now()),
  }
  return card
}

describe('a deliberate answer', () => {
  test('a, then Enter, approves once the card was visible and the keyboard quiet', () => {
    expect(openCard().wait(600).send('a').wait(60).send('\r').answers()).toEqual([{ kind: 'approve' }])
  })

  test('x, then Enter, rejects', () => {
    expect(openCard().wait(600).send('x').wait(80).send('\r').answers()).toEqual([{ kind: 'reject' }])
  })

  test('a number, then Enter, takes that option', () => {
    expect(openCard().wait(600).send('2').wait(80).send('\r').answers()).toEqual([
      { kind: 'option', number: 2 },
    ])
  })

  test('r opens the request for changes at once', () => {
    expect(openCard().wait(600).send('r').answers()).toEqual([{ kind: 'requestChanges' }])
  })

  test('a destructive act takes the whole word and Enter', () => {
    const card = openCard({ word: 'drop' }).wait(600)
    for (const letter of 'drop') card.send(letter).wait(130)
    expect(card.send('\r').answers()).toEqual([{ kind: 'approve' }])
  })
})

describe('what never answers', () => {
  const early = (ms: number) => openCard().wait(ms).send('a').wait(80).send('\r')

  test.each([0, 100, 300, 599])('a and Enter when the card was visible for %i ms', ms => {
    expect(early(ms).answers()).toEqual([])
  })

  test('keys that come less than 250 ms after another', () => {
    const card = openCard().wait(700).send('j').wait(249).send('a').wait(80).send('\r')
    expect(card.answers()).toEqual([])
  })

  test.each([20, 80, 120, 240])('typing with a pause of %i ms between keys for three seconds', pause => {
    const card = openCard()
    const typed = 'a\rx\r1\rya\r'
    for (let index = 0; index * pause < 3000; index++) {
      card.send(typed[index % typed.length] ?? '').wait(pause)
    }
    expect(card.answers()).toEqual([])
  })

  test('a paste of the exact keys', () => {
    expect(openCard().wait(600).send('\u001b[200~a\r\u001b[201~').wait(80).send('\r').answers()).toEqual([])
  })

  test('both keys in one chunk', () => {
    expect(openCard().wait(600).send('a\r').answers()).toEqual([])
  })

  test('both keys in one chunk and Enter again', () => {
    expect(openCard().wait(600).send('a\r').wait(80).send('\r').answers()).toEqual([])
  })

  test('Enter less than 60 ms after the choice', () => {
    expect(openCard().wait(600).send('a').wait(59).send('\r').answers()).toEqual([])
  })

  test('a held key that repeats, and Enter after it', () => {
    const card = openCard().wait(600).send('a')
    for (let index = 0; index < 20; index++) card.wait(33).send('a')
    expect(card.wait(80).send('\r').answers()).toEqual([])
  })

  test('repeats the terminal marks as such', () => {
    expect(openCard().wait(600).send('\u001b[97;1:2u').wait(80).send('\r').answers()).toEqual([])
  })

  test('a repeated Enter the terminal marks as such', () => {
    expect(openCard().wait(600).send('a').wait(80).send('\u001b[13;1:2u').answers()).toEqual([])
  })

  test.each([
    ['Enter alone', '\r'],
    ['y and Enter', 'y|\r'],
    ['space and Enter', ' |\r'],
    ['ctrl+a and Enter', '\u0001|\r'],
    ['alt+a and Enter', '\u001ba|\r'],
    ['an option that does not exist', '7|\r'],
    ['mouse clicks', '\u001b[<0;5;5M|\u001b[<0;5;5m|\r'],
    ['Esc', '\u001b|\r'],
    ['q', 'q|\r'],
    ['a choice taken back by another key', 'a|j|\r'],
    ['a choice after which the window lost focus', 'a|\u001b[O|\r'],
  ])('%s', (_what, keys) => {
    const card = openCard().wait(600)
    for (const key of keys.split('|')) card.send(key).wait(300)
    expect(card.answers()).toEqual([])
  })

  test('keys before the end of the card was shown', () => {
    const card = openCard({ isEndVisible: false }).wait(5000)
    expect(card.status()).toEqual({ kind: 'unseen' })
    expect(card.send('a').wait(80).send('\r').answers()).toEqual([])
  })

  test('keys after the card was covered and shown again, until it was visible long enough', () => {
    const card = openCard().wait(600).send('a').wait(80)
    card.change(guardHidden).change((guard, now) => guardShown(guard, { at: now, isEndVisible: true }))
    expect(card.send('\r').wait(300).send('a').wait(80).send('\r').answers()).toEqual([])
  })

  test.each(['a', 'dorp', 'dro'])('%j where the word is drop', typed => {
    const card = openCard({ word: 'drop' }).wait(600)
    for (const letter of typed) card.send(letter).wait(130)
    expect(card.send('\r').answers()).toEqual([])
  })

  test('the word in one chunk', () => {
    expect(openCard({ word: 'drop' }).wait(600).send('drop').wait(300).send('\r').answers()).toEqual([])
  })
})

describe('what the card shows about it', () => {
  test('a thin mark settles until the guard is armed', () => {
    const card = openCard().wait(100)
    expect(card.status()).toEqual({ kind: 'settling', armedAt: 600 })
    expect(card.wait(500).status()).toEqual({ kind: 'armed' })
  })

  test('the choice stands until it is confirmed', () => {
    expect(openCard().wait(600).send('x').status()).toEqual({ kind: 'chosen', answer: { kind: 'reject' } })
  })

  test('a half-typed word is shown', () => {
    expect(openCard({ word: 'drop' }).wait(600).send('d').wait(130).send('r').status()).toEqual({
      kind: 'typing',
      typed: 'dr',
    })
  })

  test('keys for moving, closing and the diff pass through, answering keys do not', () => {
    const card = openCard()
    for (const key of ['j', 'd', 'q', 'a', 'x', '\r']) card.send(key).wait(10)
    expect(card.outcomes()).toEqual(['ignored', 'ignored', 'ignored', 'swallowed', 'swallowed', 'swallowed'])
  })
})
