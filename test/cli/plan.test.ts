import { describe, expect, it, test } from 'vitest'
import type { CorrectionView } from '../../src/a2a/protocol/views/correction.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { RollbackView } from '../../src/a2a/protocol/views/rollback.ts'
import { type CliAnswers, refused, runCli, stopsHere } from '../support/cli-driver.ts'
import { noGuardFields } from '../support/no-guard-fields.ts'
import { aDecision, aGate, aPlan, aStep, createEventMaker } from '../support/screen-views.ts'

const PLAN = '01JPLAN0000000000000AAAAAA'
const GATE = '01JGATE0000000000000BBBBBB'
const running = aPlan({ plan_id: PLAN })
const applied = aPlan({ plan_id: PLAN, state: 'applied', phase: 'apply', task_state: 'completed' })
const gate = aGate({
  gate_id: GATE,
  plan_id: PLAN,
  digest: '3fa9c2d41b07e6a5',
  options: [
    { id: 'go', label: 'Go on', description: null, effect: 'approve' },
    { id: 'stop', label: 'Stop here', description: null, effect: 'reject' },
  ],
})
const waiting = aPlan({ plan_id: PLAN, state: 'awaiting_input', phase: 'strategize', gates: [gate] })

/** A plan that starts as `running` and comes to rest as given. */
function endsAs(plan: PlanView, more: CliAnswers = {}): CliAnswers {
  return {
    '_cleveragents/plan/use': () => running,
    '_cleveragents/plan/approve': () => running,
    '_cleveragents/plan/reject': () => running,
    '_cleveragents/plan/request-changes': () => running,
    '_cleveragents/plan/status': () => plan,
    '_cleveragents/gate/list': () => ({ gates: [gate] }),
    ...more,
  }
}

describe('plan use', () => {
  it('sends what was typed and runs until the plan ends', async () => {
    const run = await runCli(
      [
        'plan',
        'use',
        'a',
        './sub',
        'local/other',
        '--arg',
        'x=1',
        '--arg',
        'l=a',
        '--arg',
        'l=b=c',
        '--trust',
      ].concat(['--invariant', 'tests pass', '--automation-profile', 'ci', '--name', 'n']),
      { answers: endsAs(applied) },
    )
    expect(run.code).toBe(0)
    expect(run.calls.find(call => call.method === '_cleveragents/plan/use')?.params).toEqual({
      action_name: 'a',
      projects: ['/home/mira/shop/sub', 'local/other'],
      folder: '/home/mira/shop',
      args: { x: '1', l: ['a', 'b=c'] },
      attended: false,
      invariants: ['tests pass'],
      trust: true,
      automation_profile: 'ci',
      name: 'n',
    })
  })

  it('refuses an argument without a value before anything is opened', async () => {
    const run = await runCli(['plan', 'use', 'a', '--arg', 'x'])
    expect({ code: run.code, backends: run.backends, err: run.err }).toEqual({
      code: 2,
      backends: [],
      err: '✗ --arg x is no NAME=VALUE. Write --arg NAME=VALUE.\n',
    })
  })

  it('tells the progress of its own plan on stderr, and the plan on stdout', async () => {
    const anEvent = createEventMaker()
    const other = aDecision({ decision_id: 'o', question: 'somebody else' })
    const events = [
      anEvent('_cleveragents/decision/recorded', { decision: other, edges: [] }, 'another-plan'),
      anEvent(
        '_cleveragents/decision/recorded',
        { decision: aDecision({ decision_id: 'd', number: 3, confidence: 0.81 }), edges: [] },
        PLAN,
      ),
      anEvent('_cleveragents/step/finished', { step: aStep({ step_id: 's', status: 'done' }) }, PLAN),
      anEvent('_cleveragents/step/output', { step_id: 's', text: 'noise' }, PLAN),
      anEvent('_cleveragents/gate/opened', { gate }, PLAN),
    ]
    const run = await runCli(['plan', 'use', 'a', '--format', 'json'], { answers: endsAs(applied), events })
    expect(run.err).toBe(
      [
        '● #3 implementation_choice  How? → extract requireSession  .81',
        '· replace_text oldName -> newName',
        '⏸ waits: Go from Strategize to Execute?',
        '',
      ].join('\n'),
    )
    expect(JSON.parse(run.out).data).toEqual(applied)
  })

  it('prints the gate that waits, with the commands that answer it, and ends with 3', async () => {
    const run = await runCli(['plan', 'use', 'a'], { answers: endsAs(waiting) })
    expect(run.code).toBe(3)
    expect(run.out).toBe(`⏸ rename-auth  strategize awaiting_input
  plan     ${PLAN}
  action   local/rename-auth
  project  local/shop-api (/home/mira/shop-api)
  profile  cautious (plan)
  sandbox  git_worktree
  cost     0.00 USD
⏸ Go from Strategize to Execute?
  gate     BBBBBB (phase, create_tool)
  plan     rename-auth
  why      Profile cautious needs .80 and the confidence is .54.
  from     strategize
  to       execute
  summary  3 decisions
  options  go: Go on
           stop: Stop here [stops]
  digest   3fa9c2d41b07
  Answer with one of
    agents plan approve AAAAAA BBBBBB --digest 3fa9c2d41b07
    agents plan reject AAAAAA BBBBBB --digest 3fa9c2d41b07
    agents plan request-changes AAAAAA BBBBBB --digest 3fa9c2d41b07 --guidance TEXT
`)
  })

  it('ends with 3 where only a child waits, and names the child that asks', async () => {
    const asks = { ...gate, plan_id: '01JPLAN0000000000000CCCCCC', plan_name: 'rename-auth/docs' }
    const gates = [{ ...asks, path: ['rename-auth', 'rename-auth/docs'] }]
    const run = await runCli(['plan', 'use', 'a'], { answers: endsAs({ ...waiting, gates }) })
    expect(run.code).toBe(3)
    expect(run.out).toContain('rename-auth/docs')
  })

  it('names no command for changes where the gate takes none', async () => {
    const gates = [{ ...gate, takes_changes: false }]
    const run = await runCli(['plan', 'use', 'a'], { answers: endsAs({ ...waiting, gates }) })
    expect(run.out).toContain('agents plan reject AAAAAA BBBBBB')
    expect(run.out).not.toContain('request-changes')
  })

  test.each<[PlanView['state'], number, string, string | null]>([
    ['applied', 0, 'ok', null],
    ['awaiting_input', 3, 'warn', null],
    ['constrained', 6, 'error', 'conflict'],
    ['errored', 1, 'error', 'step_failed'],
    ['cancelled', 1, 'error', 'interrupted'],
    ['paused', 1, 'error', 'interrupted'],
  ])('ends a plan that is %s with %i, and the record says the same', async (state, code, status, type) => {
    const answers = endsAs(aPlan({ plan_id: PLAN, state }))
    const run = await runCli(['plan', 'use', 'a', '--format', 'json'], { answers })
    const record = JSON.parse(run.out)
    expect({
      code: run.code,
      exit: record.exit_code,
      status: record.status,
      type: record.error?.type ?? null,
    }).toEqual({ code, exit: code, status, type })
    expect(record.data.state).toBe(state)
  })

  it('prints the refusal of the backend', async () => {
    const answers = {
      '_cleveragents/plan/use': () => refused('not_found', 'There is no action a. Did you mean b?'),
    }
    const run = await runCli(['plan', 'use', 'a'], { answers })
    expect({ code: run.code, out: run.out, err: run.err }).toEqual({
      code: 4,
      out: '',
      err: '✗ There is no action a. Did you mean b?\n',
    })
  })

  it('ends with 130 when it is interrupted, closes its backend and says how to go on', async () => {
    let asked = 0
    const status = () => (asked++ === 0 ? (stopsHere as unknown as PlanView) : running)
    const run = await runCli(['plan', 'use', 'a'], {
      answers: endsAs(applied, { '_cleveragents/plan/status': status }),
    })
    expect({ code: run.code, closed: run.closed, err: run.err }).toEqual({
      code: 130,
      closed: 1,
      err: '✗ Interrupted: rename-auth pauses. Go on with: agents plan resume AAAAAA\n',
    })
  })
})

describe('plan approve', () => {
  const sent = (run: Awaited<ReturnType<typeof runCli>>) =>
    run.calls.find(call => call.method === '_cleveragents/plan/approve')?.params

  it('binds the answer to the gate it has just printed', async () => {
    const run = await runCli(['plan', 'approve', 'p', '--option', 'go', '--note', 'fine'], {
      answers: endsAs(applied),
    })
    expect(sent(run)).toEqual({
      plan_id: 'p',
      gate_id: GATE,
      digest: gate.digest,
      option_id: 'go',
      note: 'fine',
      grant: 'once',
    })
    expect(run.err).toContain('⏸ Go from Strategize to Execute?')
    expect(run.code).toBe(0)
  })

  it('takes the short digest that was printed for the whole', async () => {
    const run = await runCli(['plan', 'approve', 'p', 'bbbbbb', '--digest', '3fa9c2d41b07'], {
      answers: endsAs(applied),
    })
    expect(sent(run)).toMatchObject({ gate_id: GATE, digest: gate.digest })
  })

  it('passes a digest of something else on, to be refused as stale', async () => {
    const answers = endsAs(applied, {
      '_cleveragents/plan/approve': () => refused('stale_answer', 'The gate shows something else by now.'),
    })
    const run = await runCli(['plan', 'approve', 'p', '--digest', 'feedfeedfeed'], { answers })
    expect(sent(run)).toMatchObject({ digest: 'feedfeedfeed' })
    expect(run.code).toBe(6)
  })

  it('lets the backend choose, or refuse, where several gates wait and none is named', async () => {
    const two = [gate, aGate({ gate_id: '01JGATE0000000000000CCCCCC', plan_id: PLAN })]
    const answers = endsAs(applied, {
      '_cleveragents/gate/list': () => ({ gates: two }),
      '_cleveragents/plan/approve': () => refused('ambiguous', 'Two gates wait.'),
    })
    const run = await runCli(['plan', 'approve', 'p'], { answers })
    expect(sent(run)).toEqual({ plan_id: 'p', grant: 'once' })
    expect(run.code).toBe(2)
  })

  describe('of a destructive act', () => {
    const answers = endsAs(applied, {
      '_cleveragents/gate/list': () => ({ gates: [{ ...gate, confirm_word: 'delete' } as GateView] }),
    })

    test.each([
      ['delete\n', true],
      ['yes\n', false],
      ['', false],
    ])('takes the typed word %j: %s', async (typed, isApproved) => {
      const run = await runCli(['plan', 'approve', 'p'], { answers, terminal: { columns: 100, typed } })
      expect(sent(run) !== undefined).toBe(isApproved)
      expect(run.code).toBe(isApproved ? 0 : 2)
    })

    it('needs --yes where nobody can type', async () => {
      const refusedRun = await runCli(['plan', 'approve', 'p'], { answers })
      expect({ code: refusedRun.code, sent: sent(refusedRun) }).toEqual({ code: 2, sent: undefined })
      expect(sent(await runCli(['plan', 'approve', 'p', '--yes'], { answers }))).toBeDefined()
    })
  })
})

test('plan reject ends with 0 when the answer was taken, wherever the plan stands then', async () => {
  const paused = aPlan({ plan_id: PLAN, state: 'paused' })
  const run = await runCli(['plan', 'reject', 'p', '--note', 'too broad'], { answers: endsAs(paused) })
  expect({ code: run.code, last: run.out.includes('agents plan resume AAAAAA') }).toEqual({
    code: 0,
    last: true,
  })
})

test('plan pause ends with 0 and says so when there was nothing left to pause', async () => {
  const answers = endsAs(applied, { '_cleveragents/plan/pause': () => running })
  const run = await runCli(['plan', 'pause', 'p'], { answers })
  expect({ code: run.code, err: run.err }).toEqual({
    code: 0,
    err: 'warn: Nothing is left to pause: rename-auth is applied.\n',
  })
})

describe('plan rollback', () => {
  const checkpoint = {
    checkpoint_id: '01JCHECK0000000000000CCCCC',
    plan_id: PLAN,
    decision_id: 'd',
    kind: 'decision' as const,
    label: 'before #3 How?',
    resources: ['local/shop-api'],
    created_at: '2026-01-02T03:04:05Z',
  }
  const preview: RollbackView = {
    status: 'preview',
    plan: waiting,
    checkpoint,
    impact: {
      restored: [
        { path: 'src/app.ts', how: 'rewritten' },
        { path: 'gone.ts', how: 'brought_back' },
        { path: 'new.ts', how: 'removed' },
      ],
      left_alone: [
        { what: 'node_modules', why: 'changed under #3; it is ignored, so no checkpoint holds it' },
      ],
      cannot_restore: [{ what: 'npm publish', why: 'ran under #3 and may have reached the network' }],
      decisions: [{ decision_id: 'e', number: 4, question: 'And then?', why: 'recorded after that state' }],
      decisions_again: [],
      plans: [{ plan_id: 'f', name: 'local/shop-1/docs', state: 'running', becomes: 'cancelled' }],
      gates_again: ['May it run?'],
      digest: 'abcdef0123456789',
    },
    safety_checkpoint: null,
  }
  const safety = {
    ...checkpoint,
    checkpoint_id: '01JCHECK0000000000000DDDDD',
    kind: 'safety' as const,
    label: 'before the rollback to #3 How?',
  }
  const answers = endsAs(waiting, {
    '_cleveragents/plan/rollback': params =>
      params.dry_run ? preview : { ...preview, status: 'done', safety_checkpoint: safety },
  })
  const sent = (run: Awaited<ReturnType<typeof runCli>>) =>
    run.calls.filter(call => call.method === '_cleveragents/plan/rollback').map(call => call.params)
  const groups = `  Restored in the sandbox
    src/app.ts: put back as it was
    gone.ts: brought back
    new.ts: removed, it was not there then
  Left alone
    node_modules: changed under #3; it is ignored, so no checkpoint holds it
  Cannot be restored
    npm publish: ran under #3 and may have reached the network
  Decisions superseded
    #4 And then?: recorded after that state
  Child plans cancelled
    local/shop-1/docs (running): cancelled
  Gates asked again
    May it run?
`

  it('only shows the three groups with --dry-run', async () => {
    const run = await runCli(['plan', 'rollback', 'p', '--dry-run'], { answers })
    expect({ code: run.code, out: run.out, calls: sent(run) }).toEqual({
      code: 0,
      calls: [{ plan_id: 'p', dry_run: true }],
      out: `This rollback would return to: before #3 How?
  checkpoint  0CCCCC
  digest      abcdef012345
${groups}`,
    })
  })

  it('shows them before it asks, and goes back to exactly what was shown', async () => {
    const run = await runCli(['plan', 'rollback', 'p', '--no-color'], {
      answers,
      terminal: { columns: 100, typed: 'y\n' },
    })
    expect(run.err).toContain(groups)
    expect(sent(run)[1]).toEqual({
      plan_id: 'p',
      checkpoint_id: checkpoint.checkpoint_id,
      digest: 'abcdef0123456789',
    })
    expect([run.code, run.out]).toEqual([
      3,
      expect.stringContaining('  Take it back with\n    agents plan rollback AAAAAA 0DDDDD\n'),
    ])
  })

  it('does nothing without a yes', async () => {
    const run = await runCli(['plan', 'rollback', 'p'], { answers, terminal: { columns: 100, typed: 'n\n' } })
    expect([run.code === 0, sent(run).length]).toEqual([false, 1])
    const silent = await runCli(['plan', 'rollback', 'p'], { answers })
    expect([silent.code, silent.err]).toEqual([2, expect.stringContaining('repeat it with --yes')])
  })
})

describe('plan correct', () => {
  const preview: CorrectionView = {
    correction_id: null,
    plan_id: PLAN,
    decision_id: 'd',
    mode: 'revert',
    status: 'preview',
    guidance: 'use middleware',
    impact: {
      decisions: [{ decision_id: 'd', number: 3, question: 'How?', why: 'the target' }],
      plans: [],
      restored: [{ path: 'src/app.ts', how: 'rewritten' }],
      left_alone: [
        { what: 'node_modules', why: 'changed under #3; it is ignored, so no checkpoint holds it' },
      ],
      cannot_restore: [{ what: 'npm publish', why: 'ran under #3 and may have reached the network' }],
      kept: ['k'],
      tier: 'full',
      warnings: ['the tests run again'],
      gates_again: ['May it run?'],
      irreversible: [],
      digest: 'abcdef0123456789',
    },
    attempt: 1,
    child_plan_id: null,
  }
  const answers = endsAs(applied, {
    '_cleveragents/plan/correct': params =>
      params.dry_run ? preview : { ...preview, correction_id: 'c', status: 'running', attempt: 2 },
  })
  const typed = ['plan', 'correct', 'p#3', '--mode', 'revert', '--guidance', 'use middleware']
  const corrections = (run: Awaited<ReturnType<typeof runCli>>) =>
    run.calls.filter(call => call.method === '_cleveragents/plan/correct').map(call => call.params)

  it('only shows the impact with --dry-run', async () => {
    const run = await runCli([...typed, '--dry-run'], { answers })
    expect({ code: run.code, out: run.out, calls: corrections(run).length }).toEqual({
      code: 0,
      calls: 1,
      out: `This revert would
  guidance  use middleware
  redone    what rests on this decision
  kept      1 decision
  digest    abcdef012345
  Decisions taken again
    #3 How?: the target
  Restored in the sandbox
    src/app.ts: put back as it was
  Left alone
    node_modules: changed under #3; it is ignored, so no checkpoint holds it
  Cannot be restored
    npm publish: ran under #3 and may have reached the network
  Gates asked again
    May it run?
  Mind
    the tests run again
`,
    })
  })

  it('needs --yes where nobody can be asked, and changes nothing before', async () => {
    const run = await runCli(typed, { answers })
    expect({ code: run.code, calls: corrections(run).length }).toEqual({ code: 2, calls: 1 })
    expect(run.err).toContain('--yes')
  })

  it('is bound to the impact that was shown', async () => {
    const run = await runCli([...typed, '--yes'], { answers })
    expect(run.code).toBe(0)
    expect(corrections(run)).toEqual([
      { decision_id: 'p#3', guidance: 'use middleware', mode: 'revert', dry_run: true },
      { decision_id: 'p#3', guidance: 'use middleware', mode: 'revert', digest: 'abcdef0123456789' },
    ])
  })

  test.each([
    ['y\n', 2],
    ['n\n', 1],
    ['\n', 1],
  ])('asked in a terminal and answered %j, it makes %i calls', async (answer, calls) => {
    const run = await runCli(typed, { answers, terminal: { columns: 100, typed: answer } })
    expect(corrections(run)).toHaveLength(calls)
  })
})

describe('plan correct of a decision without a mode', () => {
  const ask = (typed: string) =>
    runCli(['plan', 'correct', 'p#3', '--guidance', 'use middleware'], {
      answers: {
        '_cleveragents/plan/correct': ({ mode }) => {
          const failure = {
            errorType: 'invalid_input',
            message: 'Say how',
            facts: { missing: 'mode' },
            code: -32602,
          }
          if (mode === undefined) return { ok: false, failure }
          return { ok: false, failure: { ...failure, message: `asked for ${mode}`, facts: {} } }
        },
      },
      terminal: { columns: 100, typed },
    })

  test.each([
    ['revert\n', 'asked for revert'],
    ['append\n', 'asked for append'],
    ['\n', 'Say how'],
  ])('asks for it in a terminal: answered %j it says %s', async (typed, message) => {
    expect((await ask(typed)).err).toContain(message)
  })
})

describe('project trust', () => {
  const project = {
    name: 'local/shop',
    root: '/home/mira/shop',
    trusted: false,
    trust_asked: false,
    trust: 'unasked' as const,
    trust_digest: 'd1',
    would_run: [
      {
        ...{ kind: 'check' as const, name: 'test', command: 'npm test', from: 'package.json' },
        ...{ runs: 'rm -rf /\u001b[1K', is_new: false },
      },
      {
        ...{ kind: 'hook' as const, name: 'postinstall', command: 'npm ci', from: 'package.json' },
        ...{ runs: 'node spy.js', is_new: true },
      },
    ],
    resource: 'git-checkout' as const,
    resources: [],
    branch: 'main',
    automation_profile: null,
    set_up: null,
    languages: [],
    checks: [{ name: 'test', command: 'npm test', kind: 'test' }],
  }
  const answers: CliAnswers = {
    '_cleveragents/project/show': () => project,
    '_cleveragents/project/trust': () => ({ ...project, trusted: true }),
  }
  const isTrusted = (run: Awaited<ReturnType<typeof runCli>>) =>
    run.calls.some(call => call.method === '_cleveragents/project/trust')

  it('shows what would run before it asks', async () => {
    const run = await runCli(['project', 'trust'], { answers, terminal: { columns: 100, typed: 'y\n' } })
    expect(run.err).toContain('  test (check): npm test → rm -rf /␛[1K  [package.json]')
    expect(run.err).toContain(
      '  new since you trusted it: postinstall (hook): npm ci → node spy.js  [package.json]',
    )
    const trust = run.calls.find(call => call.method === '_cleveragents/project/trust')
    expect(trust?.params).toEqual({ project: 'local/shop', digest: 'd1' })
  })

  it('does nothing without a yes', async () => {
    const run = await runCli(['project', 'trust'], { answers })
    expect({ code: run.code, isTrusted: isTrusted(run) }).toEqual({ code: 2, isTrusted: false })
    expect(isTrusted(await runCli(['project', 'trust', '--yes'], { answers }))).toBe(true)
  })
})

describe('project set-up', () => {
  const method = '_cleveragents/project/set-up'
  const view = {
    name: 'local/shop',
    root: '/home/mira/shop',
    trusted: true,
    trust_asked: true,
    trust: 'trusted' as const,
    trust_digest: '',
    would_run: [],
    resource: 'git-checkout' as const,
    resources: [],
    branch: 'main',
    automation_profile: null,
    languages: [],
    checks: [],
  }
  const answers: CliAnswers = {
    [method]: ({ command, network }) => ({
      ...view,
      set_up: command === null ? null : { command, network: network ?? false },
    }),
  }
  const sent = (run: Awaited<ReturnType<typeof runCli>>) =>
    run.calls.filter(call => call.method === method).map(call => call.params)

  it('keeps a command or none, and wants to be told which', async () => {
    const set = await runCli(['project', 'set-up', '--command', 'npm ci'], { answers })
    expect(set.out).toContain('npm ci (without the network)')
    const none = await runCli(['project', 'set-up', '--none'], { answers })
    expect(sent(none)).toEqual([{ project: '/home/mira/shop', command: null, network: false }])
    const neither = await runCli(['project', 'set-up'], { answers })
    expect({ code: neither.code, calls: sent(neither) }).toEqual({ code: 2, calls: [] })
  })

  it('allows the network only with a yes', async () => {
    const line = ['project', 'set-up', '--command', 'npm ci', '--network']
    expect(sent(await runCli(line, { answers }))).toEqual([])
    const refused = await runCli(line, { answers, terminal: { columns: 100, typed: 'n\n' } })
    expect(sent(refused)).toEqual([])
    const allowed = await runCli([...line, '--yes'], { answers })
    expect(sent(allowed)).toEqual([{ project: '/home/mira/shop', command: 'npm ci', network: true }])
  })
})

describe('demo', () => {
  const made: CliAnswers = {
    '_cleveragents/demo/create': () => ({ folder: '/tmp/demo', action_name: 'builtin/demo' }),
  }

  it('leaves everything to the screen in a terminal, which draws before any work is done', async () => {
    const run = await runCli(['demo'], { answers: made, terminal: { columns: 80 } })
    expect({ backends: run.backends, screens: run.screens.map(each => each.startWith) }).toEqual({
      backends: [],
      screens: ['demo'],
    })
  })

  it('runs under the profile ci without one, and prints tree, gates with thresholds and diff', async () => {
    const decision = aDecision({
      decision_id: 'd',
      plan_id: PLAN,
      gate_confidence: {
        flag: 'execute_command',
        effective: 0.62,
        computed: 0.62,
        stated: null,
        threshold: 0,
        factors: { success: 1, familiarity: 1, risk: 1, invariants: 1 },
        weights: { success: 1, familiarity: 1, risk: 1, invariants: 1 },
      },
    })
    const profile = {
      name: 'ci',
      description: '',
      built_in: true,
      thresholds: [
        { flag: 'select_tool', gate: 'autoApply', what: 'go from Execute to Apply', threshold: 0 },
        { flag: 'execute_command', gate: 'decideInExecute', what: 'take decisions', threshold: 0 },
      ],
      safety: {},
      guards: null,
      child_thresholds: {},
    }
    const run = await runCli(['demo'], {
      answers: endsAs(applied, {
        ...made,
        '_cleveragents/plan/tree': () => ({ plan_id: PLAN, decisions: [decision], edges: [], plans: [] }),
        '_cleveragents/plan/steps': () => ({
          steps: [
            aStep({ step_id: 's1', kind: 'validate', status: 'done', summary: 'node --test passed' }),
            aStep({ step_id: 's2' }),
          ],
        }),
        '_cleveragents/plan/profile/show': () => ({
          profile,
          source: 'plan',
          sources: {},
          guards: noGuardFields,
        }),
        '_cleveragents/plan/diff': () => ({
          plan_id: PLAN,
          digest: 'd',
          part: 'all',
          old: { title: 'before the plan' },
          new: { title: 'now' },
          files: [
            { path: 'a', old_path: null, status: 'modified', additions: 1, deletions: 1, binary: false },
          ],
          patch: '-a\n+b\n',
          patch_encoding: 'utf8',
        }),
      }),
    })
    expect(run.calls.find(call => call.method === '_cleveragents/plan/use')?.params).toMatchObject({
      automation_profile: 'ci',
      folder: '/tmp/demo',
    })
    expect({ code: run.code, out: run.out.split('\n\n').slice(1).join('\n\n') }).toEqual({
      code: 0,
      out: `● #1 implementation_choice  How? → extract requireSession

  Gates passed
    select_tool: go from Execute to Apply, threshold .00
    #1 execute_command: confidence .62 against threshold .00 (How?)

  Validations
    node --test passed

modified  a  +1 -1
1 file, +1 -1

-a
+b
`,
    })
  })
})

describe('plan use --detach', () => {
  it('leaves the plan to a backend of its own and says which plan it is', async () => {
    const run = await runCli(['plan', 'use', 'a', '--detach', '--format', 'json'], {
      answers: {
        '_cleveragents/plan/use': () => running,
        '_cleveragents/backend/keep-running': () => ({ running: 1 }),
      },
    })
    expect({ code: run.code, left: run.left, closed: run.closed }).toEqual({ code: 0, left: 1, closed: 0 })
    expect(run.calls.map(call => call.method)).toEqual([
      '_cleveragents/automation-profile/preview',
      '_cleveragents/plan/use',
      '_cleveragents/backend/keep-running',
    ])
    expect(JSON.parse(run.out)).toMatchObject({ status: 'ok', data: { plan_id: PLAN } })
  })

  it('ends that backend when the plan is refused', async () => {
    const run = await runCli(['plan', 'use', 'a', '--detach'], {
      answers: { '_cleveragents/plan/use': () => refused('not_found', 'There is no action a.') },
    })
    expect({ code: run.code, left: run.left, closed: run.closed }).toEqual({ code: 4, left: 0, closed: 1 })
  })
})

describe('plan use where nobody can be asked', () => {
  const gate = (flag: string, asks: 'always' | 'below' | 'never') => ({
    ...{
      flag,
      gate: flag,
      what: `do ${flag}`,
      threshold: asks === 'always' ? 1 : asks === 'never' ? 0 : 0.7,
    },
    ...{ asks, reached: 'on_the_way' as const },
  })
  const preview = (name: string, gates: ReturnType<typeof gate>[]) => ({
    action: 'a',
    source: 'default',
    sources: {},
    guards: noGuardFields,
    profile: {
      ...{ name, description: '', built_in: true, thresholds: [], safety: {}, guards: null },
      child_thresholds: {},
    },
    gates,
    also: [],
  })
  const asking = () => preview('manual', [gate('x', 'always'), gate('y', 'below'), gate('z', 'never')])
  const answers = {
    '_cleveragents/plan/use': () => running,
    '_cleveragents/automation-profile/preview': asking,
  }
  const warning =
    'Under manual (as nothing else is named) this plan waits for a person to: do x (x); where it is not sure enough also to: do y (y).'

  it('says beforehand what will wait, unless a yes was given', async () => {
    const run = await runCli(['plan', 'use', 'a', '--detach'], { answers })
    expect(run.err).toContain(warning)
    expect(run.err).toContain('ends with exit code 3')
    const sure = await runCli(['plan', 'use', 'a', '--detach', '--yes'], { answers })
    expect(sure.err).not.toContain('waits for a person')
  })

  it('starts nothing that could wait with --unattended, and starts what cannot', async () => {
    const run = await runCli(['plan', 'use', 'a', '--detach', '--unattended', '--format', 'json'], {
      answers,
    })
    expect(JSON.parse(run.out)).toMatchObject({
      exit_code: 3,
      error: { type: 'gate_waits', data: { gates: ['x', 'y'], profile: 'manual' } },
    })
    expect(run.calls.map(call => call.method)).toEqual(['_cleveragents/automation-profile/preview'])
    const passes = {
      ...answers,
      '_cleveragents/automation-profile/preview': () => preview('ci', [gate('z', 'never')]),
    }
    const started = await runCli(['plan', 'use', 'a', '--detach', '--unattended'], { answers: passes })
    expect(started.calls.map(call => call.method)).toContain('_cleveragents/plan/use')
  })
})
