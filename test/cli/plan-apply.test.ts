import { describe, expect, it } from 'vitest'
import type { CallResult } from '../../src/a2a/client/rpc-failure.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type CliAnswers, type CliWorld, runCli } from '../support/cli-driver.ts'
import { aGate, aPlan } from '../support/screen-views.ts'

const PLAN = '01JPLAN0000000000000AAAAAA'
const queued = aPlan({ plan_id: PLAN, phase: 'apply', state: 'queued' })
const applied = aPlan({
  plan_id: PLAN,
  name: 'local/rename',
  phase: 'apply',
  state: 'applied',
  applied: 'all',
})

describe('plan apply', () => {
  it('sends the paths that were chosen, as shells complete them', async () => {
    const run = await apply(['--only', './src/', '--only', 'a b.txt', '--digest', 'd1'])
    expect(run.sent).toEqual({ plan_id: 'p', only: ['src', 'a b.txt'], digest: 'd1' })
    expect(run.code).toBe(0)
    expect((await apply([])).sent).toEqual({ plan_id: 'p' })
  })

  it('sends hunks from a file or from stdin, byte for byte', async () => {
    const inFile = await apply(['--hunks', 'part.patch'], { files: { '/home/mira/shop/part.patch': '+ä\n' } })
    expect(inFile.sent).toEqual({ plan_id: 'p', hunks: base64('+ä\n'), hunks_encoding: 'base64' })
    const typed = await apply(['--hunks', '-'], { terminal: { columns: 100, typed: '+b\n' } })
    expect(typed.sent).toEqual({ plan_id: 'p', hunks: base64('+b\n'), hunks_encoding: 'base64' })
  })

  it('refuses a file that is not there, and both ways of choosing at once, before anything is sent', async () => {
    const missing = await apply(['--hunks', 'part.patch'])
    expect([missing.code, missing.sent]).toEqual([4, undefined])
    const both = await apply(['--hunks', '-', '--only', 'a'])
    expect([both.code, both.sent]).toEqual([2, undefined])
  })

  it('says that nothing was changed where the plan was applied already', async () => {
    const run = await apply([], { started: applied })
    expect(run.code).toBe(0)
    expect(run.err).toContain('local/rename is applied already; nothing was changed.')
  })

  it('says that nothing was changed where all that was chosen was applied already, and has done what was asked', async () => {
    const text = 'Applied already: a.txt. Nothing was changed.'
    const facts = { paths: ['a.txt'], applied: true }
    const failure = { errorType: 'invalid_state', message: text, facts, code: -32_000 }
    const waiting = aPlan({ plan_id: PLAN, phase: 'execute', state: 'awaiting_input', applied: 'part' })
    const run = await apply(['--only', 'a.txt'], { started: { ok: false, failure }, ends: waiting })
    expect([run.code, run.err]).toEqual([0, expect.stringContaining(text)])
    expect(run.out).toContain('in part')
  })

  it('shows what is left after a part, and each path in conflict with its kind and reason', async () => {
    const rest = aPlan({
      plan_id: PLAN,
      phase: 'execute',
      state: 'awaiting_input',
      applied: 'part',
      left: { files: 2, additions: 3, deletions: 1 },
    })
    expect((await apply(['--only', 'a'], { ends: rest })).out).toContain('in part; left: +3 -1 in 2 files')
    const subject = {
      kind: 'constrained',
      conflicts: [{ path: 'b.txt', kind: 'modify_delete', reason: 'b.txt: one side deleted it.' }],
      others: ['a.txt'],
    }
    const gates = [
      aGate({ gate_id: 'g-123456', plan_id: PLAN, kind: 'constrained', phase: 'apply', subject }),
    ]
    const met = await apply([], {
      ends: aPlan({ plan_id: PLAN, phase: 'apply', state: 'constrained', gates }),
    })
    expect(met.code).toBe(6)
    expect(met.out).toMatch(/conflicts +modify delete {2}b\.txt: one side deleted it\./)
    expect(met.out).toMatch(/others +a\.txt/)
  })
})

interface World extends Omit<CliWorld, 'answers'> {
  readonly started?: CallResult<PlanView> | PlanView
  readonly ends?: PlanView
}

async function apply(words: string[], { started = queued, ends = applied, ...world }: World = {}) {
  const answers: CliAnswers = {
    '_cleveragents/plan/apply': () => started,
    '_cleveragents/plan/status': () => ends,
  }
  const run = await runCli(['plan', 'apply', 'p', ...words], { answers, ...world })
  const sent = run.calls.find(call => call.method === '_cleveragents/plan/apply')?.params
  return { ...run, sent }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
