import { describe, expect, it } from 'vitest'
import {
  type FolderCommand,
  reasonNotTrusted,
  type TrustGiven,
  trustStanding,
} from '../../src/domain/trust.ts'

const check: FolderCommand = {
  kind: 'check',
  name: 'test',
  command: 'npm test',
  runs: 'node --test',
  from: 'package.json',
}
const setUp: FolderCommand = { kind: 'set_up', name: 'set-up', command: 'npm ci', runs: null, from: null }
const hook: FolderCommand = {
  kind: 'hook',
  name: 'prepare',
  command: 'npm ci',
  runs: 'make',
  from: 'package.json',
}

const unasked: TrustGiven = { trusted: false, trustAsked: false, trustedList: null }
const yes = (...trustedList: FolderCommand[]): TrustGiven => ({
  trusted: true,
  trustAsked: true,
  trustedList,
})

describe('trust in a folder', () => {
  it.each<[string, TrustGiven, FolderCommand[], string, FolderCommand[]]>([
    ['nobody was asked about', unasked, [check], 'unasked', []],
    ['a person said no to', { ...unasked, trustAsked: true }, [check], 'untrusted', []],
    ['a person said yes to, and that is as it was', yes(check, hook), [hook, check], 'trusted', []],
    ['would run less than was agreed to', yes(check, hook), [check], 'trusted', []],
    [
      'would run another text of a script',
      yes(check),
      [{ ...check, runs: 'rm -rf /' }],
      'changed',
      [{ ...check, runs: 'rm -rf /' }],
    ],
    [
      'would run it from another file',
      yes(check),
      [{ ...check, from: 'Makefile' }],
      'changed',
      [{ ...check, from: 'Makefile' }],
    ],
    ['would run a hook besides', yes(check), [check, hook], 'changed', [hook]],
    ['has another set-up step, which is the user’s own word', yes(check), [check, setUp], 'trusted', []],
    [
      'was trusted before anybody noted what it would run',
      { ...yes(), trustedList: null },
      [check],
      'changed',
      [check],
    ],
    ['declares nothing', { ...yes(), trustedList: null }, [], 'trusted', []],
  ])('that %s', (_, given, now, kind, changed) => {
    const standing = trustStanding(given, now)
    expect(standing).toEqual(kind === 'changed' ? { kind, changed } : { kind })
    const reason = reasonNotTrusted(standing, 'local/shop')
    if (kind === 'trusted') expect(reason).toBeNull()
    else expect(reason).toContain('agents project trust local/shop')
  })
})
