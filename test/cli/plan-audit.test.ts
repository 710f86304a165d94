import { describe, expect, it } from 'vitest'
import type { AuditView } from '../../src/a2a/protocol/views/limits.ts'
import { runCli } from '../support/cli-driver.ts'

const audit: AuditView = {
  plan_id: '01JPLAN0000000000000AAAAAA',
  entries: [
    {
      timestamp: '2026-11-30T10:00:00.000Z',
      log: 'guardrail',
      event_type: 'budget_blocked',
      guard_name: 'tool_budget',
      result: 'denied',
      reason: 'the budget is spent',
      context: { cost_usd: 0.3 },
    },
    {
      timestamp: '2026-11-30T10:01:00.000Z',
      log: 'plan',
      event_type: 'gate_approve',
      guard_name: 'budget',
      result: 'allowed',
      reason: null,
      context: { by: 'mira', option_id: 'raise' },
    },
  ],
  metadata: {
    guardrail_audit_trail: { allowed_count: 9_990, denied_count: 20, evicted_count: 10, max_entries: 10_000 },
    autonomy_guardrails: {
      max_steps: null,
      tool_budget: 1,
      max_tokens: null,
      max_wall_clock_seconds: null,
      actor_limits: { max_tool_calls_per_invocation: null, max_retries_per_failure: null },
      required_confirmations: [],
      step_count: 4,
      budget_spent: 0.9,
      budget_assumed: 0,
      tokens_used: 0,
      start_time: '2026-11-30T09:59:00.000Z',
    },
  },
}

const answers = { '_cleveragents/plan/guard/audit': () => audit }

describe('plan guard audit', () => {
  it('prints what was checked and, marked apart, what the plan did about it', async () => {
    const run = await runCli(['plan', 'guard', 'audit', 'AAAAAA', '--result', 'denied', '--limit', '5'], {
      answers,
    })
    expect(run.calls.filter(call => call.method.includes('guard'))).toEqual([
      {
        method: '_cleveragents/plan/guard/audit',
        params: { plan_id: 'AAAAAA', result: 'denied', limit: 5 },
      },
    ])
    const lines = run.out.split('\n')
    expect(lines[1]).toMatch(/guardrail +budget_blocked +tool_budget +denied +the budget is spent/)
    expect(lines[2]).toMatch(/plan +gate_approve +budget +allowed +\(mira\)/)
    expect(lines[3]).toBe('Checks of limits so far: 9990 allowed, 20 denied, the oldest 10 no longer kept.')
  })

  it('writes all of it to a new file, a line of JSON each, and never over another file', async () => {
    const line = ['plan', 'guard', 'audit', 'AAAAAA', '--export', 'audit.jsonl']
    const run = await runCli(line, { answers })
    const written = run.written['/home/mira/shop/audit.jsonl']
      ?.trimEnd()
      .split('\n')
      .map(text => JSON.parse(text))
    expect(written).toEqual([{ plan_id: audit.plan_id, ...audit.metadata }, ...audit.entries])
    const again = await runCli(line, { answers, files: { '/home/mira/shop/audit.jsonl': 'mine' } })
    expect([again.code, again.written]).toEqual([2, {}])
  })
})
