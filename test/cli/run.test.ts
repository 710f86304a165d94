import { load } from 'js-yaml'
import { describe, expect, it, test } from 'vitest'
import { refused, runCli } from '../support/cli-driver.ts'
import { aPlan } from '../support/screen-views.ts'

const plan = aPlan({ plan_id: '01JPLANAAAAA', state: 'applied', phase: 'apply', task_state: 'completed' })
const status = { '_cleveragents/plan/status': () => plan }

describe('the record of json and yaml', () => {
  it('is one object on stdout, and nothing else is there', async () => {
    const run = await runCli(['plan', 'status', 'p', '--format', 'json'], { answers: status })
    expect(JSON.parse(run.out)).toEqual({
      command: 'plan status',
      status: 'ok',
      exit_code: 0,
      data: plan,
      messages: [],
      timing: { duration_ms: 0 },
    })
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: '' })
  })

  it('is the same in yaml', async () => {
    const json = await runCli(['plan', 'status', 'p', '--format', 'json'], { answers: status })
    const yaml = await runCli(['plan', 'status', 'p', '--format', 'yaml'], { answers: status })
    expect(load(yaml.out)).toEqual(JSON.parse(json.out))
  })

  it('names a refusal, its facts and the exit code', async () => {
    const answers = {
      '_cleveragents/plan/status': () =>
        refused('ambiguous', 'p could be two.', { candidates: ['p1', 'p2'] }),
    }
    const run = await runCli(['plan', 'status', 'p', '--format', 'json'], { answers })
    expect(JSON.parse(run.out)).toEqual({
      command: 'plan status',
      status: 'error',
      exit_code: 2,
      data: null,
      error: {
        type: 'ambiguous',
        code: -32000,
        message: 'p could be two.',
        data: { candidates: ['p1', 'p2'] },
      },
      messages: [{ level: 'error', text: 'p could be two.' }],
      timing: { duration_ms: 0 },
    })
    expect({ code: run.code, err: run.err }).toEqual({ code: 2, err: '' })
  })

  it('is written for a wrong command line too', async () => {
    const run = await runCli(['plan', 'usee', '--format', 'json'])
    expect(JSON.parse(run.out)).toMatchObject({ exit_code: 2, error: { type: 'invalid_input' } })
    expect(run.code).toBe(2)
  })

  it('keeps the characters that would be dangerous on a terminal, written as JSON', async () => {
    const answers = { '_cleveragents/plan/status': () => ({ ...plan, description: '\u001b[2J' }) }
    const run = await runCli(['plan', 'status', 'p', '--format', 'json'], { answers })
    expect(run.out).not.toContain('\u001b')
    expect(JSON.parse(run.out).data.description).toBe('\u001b[2J')
  })
})

describe('the choice of a format', () => {
  const setting = (value: string, source: 'file' | 'default') => ({
    '_cleveragents/config/get': () => ({ key: 'core.format', value, source, description: '' }),
  })
  const kindOf = (out: string) =>
    out.startsWith('{') ? 'json' : out.startsWith('command:') ? 'yaml' : 'text'

  test.each([
    ['the flag before everything', ['--format', 'json'], { CLEVERAGENTS_FORMAT: 'yaml' }, 'yaml', 'json'],
    ['the environment before the configuration', [], { CLEVERAGENTS_FORMAT: 'yaml' }, 'json', 'yaml'],
    ['the configuration where nothing else says', [], {}, 'json', 'json'],
  ])('takes %s', async (_, flags, env, configured, expected) => {
    const answers = { ...status, ...setting(configured, 'file') }
    const run = await runCli(['plan', 'status', 'p', ...flags], { answers, env })
    expect(kindOf(run.out)).toBe(expected)
  })

  it('leaves a default of the configuration to what the terminal can show', async () => {
    const answers = { ...status, ...setting('json', 'default') }
    expect(kindOf((await runCli(['plan', 'status', 'p'], { answers })).out)).toBe('text')
  })

  it('refuses a format of the environment that does not exist', async () => {
    const run = await runCli(['version'], { env: { CLEVERAGENTS_FORMAT: 'xml' } })
    expect({ code: run.code, out: run.out, err: run.err }).toEqual({
      code: 2,
      out: '',
      err: '✗ CLEVERAGENTS_FORMAT is xml. It may be rich, plain, json, yaml.\n',
    })
  })

  test.each([
    ['in a terminal', [], {}, true],
    ['nowhere with --no-color', ['--no-color'], {}, false],
    ['nowhere with NO_COLOR', [], { NO_COLOR: '1' }, false],
    ['nowhere in plain', ['--format', 'plain'], {}, false],
  ])('shows colours %s', async (_, flags, env, hasColours) => {
    const run = await runCli(['plan', 'status', 'p', ...flags], {
      answers: status,
      env,
      terminal: { columns: 80 },
    })
    expect(run.out.includes('\u001b[')).toBe(hasColours)
  })

  it('shows no colours where stdout is no terminal', async () => {
    const run = await runCli(['plan', 'status', 'p', '--format', 'rich'], { answers: status })
    expect(run.out).not.toContain('\u001b[')
  })
})

describe('a refusal', () => {
  it('goes to stderr with its facts as a list, and the exit code of its kind', async () => {
    const facts = { candidates: ['AAAAAA rename', 'BBBBBB rename-2'] }
    const answers = { '_cleveragents/plan/status': () => refused('ambiguous', 'Which plan?', facts) }
    const run = await runCli(['plan', 'status', 'rename'], { answers })
    expect({ code: run.code, out: run.out, err: run.err }).toEqual({
      code: 2,
      out: '',
      err: '✗ Which plan?\n  · AAAAAA rename\n  · BBBBBB rename-2\n',
    })
  })

  it('names file, line and column of every error in an action', async () => {
    const errors = [{ file: 'a.yaml', line: 3, column: 5, message: 'unknown step "edti"' }]
    const answers = {
      '_cleveragents/action/create': () => refused('invalid_input', 'The action is wrong.', { errors }),
    }
    const run = await runCli(['action', 'create', '--config', 'a.yaml'], {
      answers,
      files: { '/home/mira/shop/a.yaml': 'name: x' },
    })
    expect({ code: run.code, err: run.err }).toEqual({
      code: 2,
      err: '✗ The action is wrong.\n  · a.yaml:3:5 unknown step "edti"\n',
    })
  })

  it('does not say twice what the sentence says already', async () => {
    const answers = {
      '_cleveragents/plan/status': () =>
        refused('ambiguous', 'p could be p1 or p2.', { candidates: ['p1', 'p2'] }),
    }
    expect((await runCli(['plan', 'status', 'p'], { answers })).err).toBe('✗ p could be p1 or p2.\n')
  })

  it('is told when the backend cannot be opened', async () => {
    const connectFailure = { errorType: 'store_newer', message: 'The store is of version 9, agents knows 3.' }
    const run = await runCli(['plan', 'list'], { connectFailure })
    expect({ code: run.code, err: run.err }).toEqual({
      code: 6,
      err: '✗ The store is of version 9, agents knows 3.\n',
    })
  })
})

describe('what is not available yet', () => {
  test.each([
    [['skill', 'list'], 'agents skill list is not available yet.'],
    [['token', 'list'], 'agents token list is not available yet.'],
    [['plan', 'list', '--server', 'https://x'], '--server is not available yet.'],
    [['serve', '--http'], 'serve --http is not available yet.'],
  ])('%j says so before anything is opened', async (typed, message) => {
    const run = await runCli(typed)
    expect({ code: run.code, backends: run.backends, out: run.out }).toEqual({
      code: 1,
      backends: [],
      out: '',
    })
    expect(run.err).toContain(message)
  })
})

describe('agents without words', () => {
  it('opens the screen on the folder it was started in', async () => {
    const run = await runCli(['-C', 'sub', '--no-color'], { terminal: { columns: 80 } })
    expect({ code: run.code, screens: run.screens }).toEqual({
      code: 0,
      screens: [
        {
          folder: '/home/mira/shop/sub',
          dataDir: null,
          configPath: null,
          colour: 'never',
          startWith: 'home',
        },
      ],
    })
  })

  it('prints the help and ends with 2 where there is no terminal', async () => {
    const run = await runCli([])
    expect({ code: run.code, out: run.out, screens: run.screens }).toEqual({ code: 2, out: '', screens: [] })
    expect(run.err).toContain('Usage: agents')
    expect(run.err).toContain('The screen needs a terminal')
  })
})

it('reads paths from where it was started, and the folder from -C', async () => {
  const run = await runCli(
    ['-C', '../other', '--data-dir', 'd', '--config-path', '/c.yaml', 'health', 'check'],
    {
      answers: { '_cleveragents/health/check': () => ({ status: 'ok', checks: [] }) },
    },
  )
  expect(run.backends).toEqual([
    { folder: '/home/mira/other', dataDir: '/home/mira/shop/d', configPath: '/c.yaml' },
  ])
  expect(run.closed).toBe(1)
})

test.each([
  ['ok', 0],
  ['warn', 0],
  ['error', 1],
] as const)(
  'doctor ends a machine that is %s with %i, and shows only what is not well',
  async (found, code) => {
    const checks = [
      { name: 'git', status: 'ok' as const, message: '2.47', remedy: null },
      { name: 'bubblewrap', status: 'warn' as const, message: 'not installed', remedy: null },
    ]
    const answers = { '_cleveragents/diagnostics/run': () => ({ status: found, checks }) }
    const brief = await runCli(['doctor'], { answers })
    const whole = await runCli(['doctor', '--verbose'], { answers })
    expect({ code: brief.code, out: brief.out }).toEqual({
      code,
      out: `● warn   bubblewrap: not installed\n${found}\n`,
    })
    expect(whole.out).toContain('● ok     git: 2.47')
  },
)

describe('call', () => {
  it('sends any method and prints its result', async () => {
    const run = await runCli(['call', 'tasks/get', '{"id": "t1"}'], {
      answers: { 'tasks/get': () => ({ id: 't1' }) } as object,
    })
    expect({ code: run.code, out: run.out }).toEqual({ code: 0, out: '{\n  "id": "t1"\n}\n' })
    expect(run.calls.at(-1)).toEqual({ method: 'tasks/get', params: { id: 't1' } })
  })

  test.each(['{', '[1]', '"x"'])('refuses %s as parameters', async text => {
    const run = await runCli(['call', 'tasks/get', text])
    expect({ code: run.code, backends: run.backends }).toEqual({ code: 2, backends: [] })
  })
})

test('doctor says what to do, in lines that fit the terminal', async () => {
  const message = 'Commands run with your full rights, the network included. Reason: bwrap missing.'
  const remedy = 'Install it, e.g. with: sudo apt install bubblewrap'
  const checks = [{ name: 'confinement', status: 'warn' as const, message, remedy }]
  const answers = { '_cleveragents/diagnostics/run': () => ({ status: 'warn' as const, checks }) }
  const { out } = await runCli(['doctor', '--no-color'], { answers, terminal: { columns: 60 } })
  expect(out).toBe(`● warn   confinement: Commands run with your full rights,
         the network included. Reason: bwrap missing.
         Install it, e.g. with: sudo apt install bubblewrap
warn
`)
})
