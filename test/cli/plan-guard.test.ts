import { describe, expect, it } from 'vitest'
import type { GuardsView, GuardTestView } from '../../src/a2a/protocol/views/guard.ts'
import { type CliAnswers, runCli } from '../support/cli-driver.ts'
import { noGuardFields } from '../support/no-guard-fields.ts'
import { aGate } from '../support/screen-views.ts'

const guards: GuardsView = {
  ...noGuardFields,
  max_total_cost: { value: 2, source: 'plan' },
  tool_denylist: [{ entry: 'builtin/run_command(curl *)', source: 'profile' }],
  ...{ plan_id: 'AAAAAA', plan_name: 'rename', scope: 'PLAN', loosened: [], warnings: ['a broad rule'] },
}

/** Guards that a change to them loosens, or only tightens. */
function answersOf(loosened: readonly string[]): CliAnswers {
  const changed = () => ({ ...guards, loosened: [...loosened] })
  return {
    '_cleveragents/plan/guard/show': () => guards,
    '_cleveragents/plan/guard/set': changed,
    '_cleveragents/plan/guard/denylist/add': changed,
    '_cleveragents/plan/guard/denylist/remove': changed,
  }
}

async function guard(words: readonly string[], loosened: readonly string[] = []) {
  const run = await runCli(['plan', 'guard', ...words], { answers: answersOf(loosened) })
  const changes = run.calls.flatMap(({ method, params }) => (method.includes('guard') ? [params] : []))
  return { ...run, changes }
}

describe('plan guard', () => {
  it('shows each guard with who set it', async () => {
    const run = await guard(['show', 'AAAAAA'])
    expect(run.code).toBe(0)
    expect(run.out).toContain('builtin/run_command(curl *)')
    expect(run.changes).toEqual([{ plan_id: 'AAAAAA' }])
  })

  it('tightens at once, after a look at what the change would do', async () => {
    const run = await guard(['set', 'AAAAAA', '--max-cost', '2', '--approve-writes', 'yes'])
    const wanted = { plan_id: 'AAAAAA', max_total_cost: 2, require_approval_for_writes: true }
    expect([run.code, run.changes]).toEqual([0, [{ ...wanted, dry_run: true }, wanted]])
    expect(run.err).toContain('a broad rule')
    const added = await guard(['denylist', 'add', 'AAAAAA', 'builtin/move_file'])
    expect(added.changes.at(-1)).toEqual({ plan_id: 'AAAAAA', entries: ['builtin/move_file'] })
  })

  it('loosens only with a reason and a yes', async () => {
    const line = ['denylist', 'remove', 'AAAAAA', 'builtin/move_file']
    const refusals = [
      await guard(line, ['move_file']),
      await guard([...line, '--reason', 'x'], ['move_file']),
    ]
    expect(refusals.map(({ code, changes }) => [code, changes.length])).toEqual([
      [2, 1],
      [2, 1],
    ])
    const said = await guard([...line, '--reason', 'x', '--yes'], ['move_file'])
    expect([said.code, said.changes.at(-1)]).toEqual([
      0,
      { plan_id: 'AAAAAA', entries: ['builtin/move_file'], reason: 'x' },
    ])
  })

  it('refuses what names no change and no number', async () => {
    const runs = [await guard(['set', 'AAAAAA']), await guard(['set', 'AAAAAA', '--max-cost', 'much'])]
    expect(runs.map(({ code, changes }) => [code, changes])).toEqual([
      [2, []],
      [2, []],
    ])
  })
})

const verdicts: [GuardTestView['verdict'], number][] = [
  ['allowed', 0],
  ['asked', 3],
  ['refused', 7],
]

it.each(verdicts)('guard test ends for a command that is %s with %i', async (verdict, code) => {
  const tested: GuardTestView = {
    ...{ command: 'curl x', verdict, reason: 'a rule says so', guard: 'denylist', parts: [], warnings: [] },
  }
  const run = await runCli(['guard', 'test', 'curl x', '--profile', 'auto'], {
    answers: { '_cleveragents/guard/test': () => tested },
  })
  expect([run.code, run.out]).toEqual([code, expect.stringContaining('a rule says so')])
  expect(run.calls.at(-1)?.params).toMatchObject({ command: 'curl x', profile: 'auto' })
})

describe('plan check', () => {
  it('ends with 7 where a rule is not kept, with 0 where all are, and takes a log from a file', async () => {
    const verdict = { plan_id: 'AAAAAA', plan_name: 'rename', rules: [], violations: [] }
    const of = (passed: boolean) => ({
      answers: { '_cleveragents/plan/check': () => ({ ...verdict, passed }) },
      files: { '/home/mira/shop/log.json': '{"a":1}', '/home/mira/shop/no.json': '{' },
    })
    const kept = await runCli(['plan', 'check', 'AAAAAA', '--max-auto-below', '0.6'], of(true))
    expect([kept.code, kept.calls.at(-1)?.params]).toMatchObject([
      0,
      { plan_id: 'AAAAAA', rules: { max_auto_below: 0.6, require_approved: [] } },
    ])
    const line = ['plan', 'check', 'log.json', '--require-approved', 'apply']
    const broken = await runCli(line, of(false))
    expect([broken.code, broken.calls.at(-1)?.params]).toMatchObject([
      7,
      { log: { a: 1 }, rules: { require_approved: ['apply'] } },
    ])
    expect(broken.err).toContain('Plan rename does not keep the rules')
    const wrong = [
      await runCli(['plan', 'check', 'no.json'], of(true)),
      await runCli(['plan', 'check', 'AAAAAA', '--require-approved', 'lunch'], of(true)),
    ]
    expect(wrong.map(({ code }) => code)).toEqual([2, 2])
  })
})

it('a gate shows how its confidence was computed, as JSON too', async () => {
  const terms = ['.30 × .50  past success', '= .54 computed']
  const gate = { ...aGate({ gate_id: 'B', plan_id: 'A' }), arithmetic: terms }
  const answers = { '_cleveragents/gate/list': () => ({ gates: [gate] }) }
  const shown = await runCli(['gate', 'list'], { answers })
  for (const term of terms) expect(shown.out).toContain(term)
  const json = await runCli(['gate', 'list', '--format', 'json'], { answers })
  expect(JSON.parse(json.out)).toMatchObject({ data: { gates: [{ arithmetic: terms }] } })
})
