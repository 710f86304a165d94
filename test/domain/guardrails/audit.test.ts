import { expect, test } from 'vitest'
import {
  type AuditCounters,
  auditEventTypes,
  countEntry,
  MAX_AUDIT_ENTRIES,
  noCounters,
  resultOf,
} from '../../../src/domain/guardrails/audit.ts'

test('the twelve types of entries are those of the requirement, each allowed or denied', () => {
  expect(auditEventTypes.map(type => `${type} ${resultOf(type)}`)).toEqual([
    'step_allowed allowed',
    'step_blocked denied',
    'budget_allowed allowed',
    'budget_blocked denied',
    'time_allowed allowed',
    'time_blocked denied',
    'actor_limit_allowed allowed',
    'actor_limit_blocked denied',
    'retry_allowed allowed',
    'retry_blocked denied',
    'confirmation_granted allowed',
    'confirmation_required denied',
  ])
})

test('a full trail lets the oldest go, and its counters stay those of the whole life', () => {
  let counters: AuditCounters = noCounters
  let kept = 0
  for (let entry = 0; entry < MAX_AUDIT_ENTRIES + 5; entry++) {
    const after = countEntry(counters, entry % 2 === 0 ? 'allowed' : 'denied', kept)
    kept += 1 - after.leave
    counters = after.counters
  }
  expect(kept).toBe(MAX_AUDIT_ENTRIES)
  expect(counters).toEqual({ allowed: 5_003, denied: 5_002, evicted: 5 })
})
