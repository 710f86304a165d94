import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBackend } from '../../support/backend.ts'
import { startModelServer } from '../../support/model-server.ts'
import { modelsOf } from '../../support/models.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const anthropic = { ANTHROPIC_API_KEY: 'a' }
const openai = { OPENAI_API_KEY: 'o' }

describe('model', () => {
  it.each([
    ['nothing', {}, /^No model can be used yet/],
    ['one key', anthropic, 'anthropic/claude-sonnet-5-5'],
    [
      'two keys',
      { ...anthropic, ...openai },
      /^Which model to use is not set[\s\S]*openai\/gpt-6[\s\S]*anthropic\//,
    ],
    ['a local server', { OLLAMA_HOST: 'localhost' }, /agents config set actor.default ollama\/MODEL/],
    ['a choice', { ...anthropic, ...openai, CLEVERAGENTS_ACTOR_DEFAULT: 'openai/x/y' }, 'openai/x/y'],
    [
      'a choice without its key',
      { CLEVERAGENTS_ACTOR_DEFAULT: 'openai/x' },
      /^actor.default is openai\/x: OPENAI_API_KEY/,
    ],
  ])('is, with %s, what can be told', (_, env, expected) => {
    const found = modelsOf(env).resolve('model')
    const said = found.ok ? found.value : found.failure.message
    if (typeof expected === 'string') expect(said).toBe(expected)
    else expect(said).toMatch(expected)
  })

  it('may be another one for strategy, for execution and in one project', async () => {
    const file = join(await temporaryFolder(), 'config.yaml')
    await writeFile(
      file,
      [
        'actor: { default: openai/one, default.strategy: openai/two }',
        'projects: { local/shop: { actor: { default.execution: openai/three } } }',
      ].join('\n'),
    )
    const models = modelsOf(openai, file)
    const resolve = (role: 'strategy' | 'execution', project: string | null) =>
      models.resolve('model', { role, project })
    expect(resolve('strategy', 'local/shop')).toMatchObject({ value: 'openai/two' })
    expect(resolve('execution', 'local/shop')).toMatchObject({ value: 'openai/three' })
    expect(resolve('execution', null)).toMatchObject({ value: 'openai/one' })
  })
})

describe('a provider', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    [':8080', 'http://127.0.0.1:8080/v1'],
    ['box:1', 'http://box:1/v1'],
    ['https://box/', 'https://box/v1'],
  ])('of Ollama is where OLLAMA_HOST %s says', (host, endpoint) => {
    const provider = modelsOf({ OLLAMA_HOST: host })
      .providers()
      .find(each => each.name === 'ollama')
    expect(provider).toMatchObject({ endpoint, problem: null, keyFrom: null })
  })

  it('shows no password in an address, and asks for a key file instead', () => {
    const models = modelsOf({ OPENAI_BASE_URL: 'https://mira:hunter2@proxy.example/v1', OPENAI_API_KEY: 'k' })
    const refused = models.resolve('openai/m')
    expect(refused).toMatchObject({ failure: { message: expect.stringContaining('key-file') } })
    expect(JSON.stringify([refused, models.providers()])).not.toMatch(/hunter2|mira/)
  })

  it('takes its key from a file that only its owner can read, and says how to close another', async () => {
    const folder = await temporaryFolder()
    const [file, key] = [join(folder, 'config.yaml'), join(folder, 'studio.key')]
    await writeFile(key, 'secret-of-the-file\n', { mode: 0o644 })
    await writeFile(file, `providers: { studio: { base-url: "http://127.0.0.1:9/v1", key-file: ${key} } }`)
    const models = modelsOf({}, file)
    const open = models.resolve('studio/m')
    expect(open).toMatchObject({ failure: { message: expect.stringContaining(`chmod 600 ${key}`) } })
    await chmod(key, 0o600)
    expect(models.resolve('studio/m')).toEqual({ ok: true, value: 'studio/m' })
    await writeFile(key, 'two words')
    const broken = models.resolve('studio/m')
    expect(broken).toMatchObject({ failure: { message: expect.stringContaining('is no key') } })
    expect(JSON.stringify([open, broken, models.providers()])).not.toMatch(/secret-of-the-file|two words/)
  })

  it('is told what is wrong with its section, and the others hold', async () => {
    const file = join(await temporaryFolder(), 'config.yaml')
    await writeFile(
      file,
      [
        'providers:',
        '  good: { base-url: "http://127.0.0.1:9/v1", models: { m: { context-tokens: 5, price: { input: 1, output: 2, as-of: 2026-11-01 } } } }',
        '  Bad Name: { base-url: "http://127.0.0.1:9/v1" }',
        '  typo: { base-ulr: "http://127.0.0.1:9/v1" }',
        '  both: { base-url: "http://127.0.0.1:9/v1", key-env: A, key-file: b }',
        '  ftp: { base-url: "ftp://127.0.0.1/" }',
      ].join('\n'),
    )
    const models = modelsOf({}, file)
    expect(models.problems()).toMatchObject([
      expect.stringContaining('providers.Bad Name is no name for a provider'),
      expect.stringContaining('Did you mean base-url?'),
      expect.stringContaining('providers.both has key-env and key-file'),
      expect.stringContaining('providers.ftp.base-url'),
    ])
    expect(models.providers().map(each => each.name)).toContain('good')
    expect(models.facts('good/m')).toEqual({
      contextTokens: 5,
      maxOutputTokens: 8_192,
      price: { input: 1, output: 2, cachedInput: null, asOf: '2026-11-01', source: 'setting' },
    })
    expect(models.facts('good/n').price).toBeNull()
  })

  it('has prices at its own endpoint alone, also for a dated edition', () => {
    const price = (env: Record<string, string>, model: string) => modelsOf(env).facts(model).price
    expect(price(openai, 'openai/gpt-6-sol')).toMatchObject({ input: 2, output: 10, source: 'table' })
    expect(price(openai, 'openai/gpt-6-sol-2026-09-22')).toMatchObject({ input: 2 })
    expect(price({ ...openai, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 'openai/gpt-6-sol')).toBeNull()
  })

  it('has no default at another endpoint: what is served there, nobody told', () => {
    const moved = modelsOf({ ...openai, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }).resolve('model')
    expect(moved).toMatchObject({
      ok: false,
      failure: {
        code: 'not_available',
        message: 'Which model to use is not set. Choose one:\n  agents config set actor.default openai/MODEL',
      },
    })
  })
})

describe('what can be used', () => {
  it('is seen in the diagnostics, the list of actors, one actor, and what an action lacks', async () => {
    const server = await startModelServer({ models: ['m-one', 'm-two'], key: 'right-key-0815' })
    const backend = await startBackend({
      environment: {
        OPENAI_API_KEY: 'right-key-0815',
        OPENAI_BASE_URL: server.urls.openai,
        ANTHROPIC_API_KEY: 'wrong-key-4711',
        ANTHROPIC_BASE_URL: server.urls.anthropic,
      },
    })
    const { checks } = await backend.call('_cleveragents/diagnostics/run', {})
    const found = new Map(checks.map(check => [check.name, check]))
    expect(found.get('models openai')).toMatchObject({
      status: 'ok',
      message: `2 models at ${server.urls.openai}, key from OPENAI_API_KEY`,
    })
    expect(found.get('models anthropic')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
      remedy: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect(found.get('other models')?.message).toMatch(/^not set up: google, openrouter, ollama/)
    expect(found.get('default model')).toMatchObject({ status: 'warn' })

    const { actors } = await backend.call('_cleveragents/actor/list', {})
    const available = Object.fromEntries(actors.map(each => [each.name, each.available]))
    expect(available).toMatchObject({
      'builtin/recipe': true,
      model: false,
      'openai/MODEL': true,
      'google/MODEL': false,
    })

    const one = await backend.call('_cleveragents/actor/show', { name: 'openai/m-one' })
    expect(one).toMatchObject({
      available: true,
      provider: { endpoint: server.urls.openai, key_from: 'OPENAI_API_KEY' },
      price: null,
      models: ['m-one', 'm-two'],
    })
    expect(await backend.call('_cleveragents/actor/show', { name: 'anthropic' })).toMatchObject({
      models: null,
      models_problem: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect((await backend.refusal('_cleveragents/actor/show', { name: 'opnai' })).message).toMatch(/openai/)

    const task = await backend.call('_cleveragents/action/show', { name: 'builtin/task' })
    expect(task.unavailable).toMatch(/^Which model to use is not set/)
    expect(JSON.stringify([checks, actors, one, task])).not.toMatch(/right-key|wrong-key/)
  })
})
