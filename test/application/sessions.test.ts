import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../src/a2a/client/channel.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { startModelServer } from '../support/model-server.ts'
import { makeRepository } from '../support/repository.ts'

describe('a session', () => {
  it('is made once for an id, listed, closed and deleted, and its plans stay', async () => {
    const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
    const { call, refusal, use } = await startBackend()
    const made = await call('session.create', { session_id: 'desk 7', name: 'shop', folder: root })
    expect(await call('session.create', { session_id: 'desk 7', name: 'another' })).toEqual(made)
    const args = { find: 'colour', replace: 'color' }
    const plan = await use({ action_name: 'builtin/replace-text', args, folder: root, session_id: 'desk 7' })

    const { sessions } = await call('_cleveragents/session/list', {})
    expect(sessions).toEqual([
      {
        ...made,
        plans: [{ plan_id: plan.plan_id, name: plan.name, phase: plan.phase, state: plan.state }],
      },
    ])
    expect(await call('session.close', { session_id: 'shop' })).toMatchObject({ state: 'closed' })
    expect(await call('_cleveragents/session/delete', { session_id: '@latest' })).toMatchObject({
      name: 'shop',
    })
    expect((await call('_cleveragents/plan/status', { plan_id: plan.plan_id })).plan_id).toBe(plan.plan_id)
    expect(await refusal('_cleveragents/session/show', { session_id: 'shop' })).toMatchObject({
      errorType: 'not_found',
      message: 'There is no session shop. There are no sessions yet.',
    })
    expect(await refusal('session.create', { session_id: 'a\u202eb' })).toMatchObject({
      errorType: 'invalid_input',
    })
  })

  it('understands commands and the answers to what it showed, without a model', async () => {
    const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
    const backend = await startBackend()
    const { call } = backend
    await call('session.create', { session_id: 'talk', folder: root })
    const say = (text: string) => sayIn(backend, text)
    const args = { find: 'colour', replace: 'color' }
    const plan = await backend.use({
      action_name: 'builtin/replace-text',
      args,
      folder: root,
      session_id: 'talk',
      automation_profile: 'manual',
    })

    expect(await say('1')).toMatch(/Commands and the answers to gates are understood/)
    expect(await say('help')).toMatch(/^use ACTION[\s\S]*Still waits: /)
    expect(await say('yes please')).toMatch(/is none of the answers, so nothing was decided/)
    expect(await say('1')).toMatch(/^Approved: /)
    const after = await call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true })
    expect(after.gates[0]?.gate_id).not.toBe(plan.gates[0]?.gate_id)
    const { said } = await call('_cleveragents/session/show', { session_id: 'talk' })
    expect(said.map(({ who }) => who)).toEqual(Array.from({ length: 4 }, () => ['person', 'actor']).flat())
  })

  it('starts the plans of its commands in its folder, and none once it is closed', async () => {
    const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
    const backend = await startBackend()
    await backend.call('session.create', { session_id: 'talk', folder: root })
    await sayIn(backend, 'help')

    await sayIn(backend, 'use builtin/replace-text find=colour replace=color')
    const { plans } = await backend.call('_cleveragents/session/show', { session_id: 'talk' })
    const plan_id = plans[0]?.plan_id ?? ''
    expect(await backend.call('_cleveragents/plan/status', { plan_id, wait: true })).toMatchObject({
      project: { root },
    })

    await backend.call('session.close', { session_id: 'talk' })
    for (const text of ['help', 'use builtin/replace-text find=a replace=b'])
      await expect(sayIn(backend, text)).rejects.toThrow('Session talk is closed')
    expect((await backend.call('_cleveragents/plan/list', {})).plans).toHaveLength(1)
  })

  it('takes a message once that is sent again while it is being answered', async () => {
    const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
    const backend = await startBackend()
    await backend.call('session.create', { session_id: 'talk', folder: root })
    const message = messageOf('use builtin/replace-text find=colour replace=color')
    const sent = await Promise.all([1, 2, 3].map(() => backend.client.raw.unary('message/send', { message })))

    expect(sent.map(answer => answer.ok)).toEqual([true, true, true])
    const { plans } = await backend.call('_cleveragents/session/show', { session_id: 'talk' })
    expect(plans).toHaveLength(1)
  })

  it('exported and imported is the same again; a changed file is refused', async () => {
    const backend = await startBackend()
    const { call, refusal } = backend
    await call('session.create', { session_id: 'talk', name: 'words' })
    await sayIn(backend, 'help')
    await sayIn(backend, 'red \u001b[31m')
    const exported = await call('_cleveragents/session/export', { session_id: 'talk' })
    expect(await refusal('_cleveragents/session/import', { text: exported.text })).toMatchObject({
      errorType: 'already_exists',
    })
    await call('_cleveragents/session/delete', { session_id: 'talk' })
    await call('_cleveragents/session/import', { text: exported.text })

    expect(await call('_cleveragents/session/export', { session_id: 'talk' })).toEqual(exported)
    const changed = exported.text.replace('"help"', '"hell"')
    expect(changed).not.toBe(exported.text)
    expect(
      await refusal('_cleveragents/session/import', { text: changed, session_id: 'other' }),
    ).toMatchObject({
      errorType: 'invalid_input',
      message: 'The checksum of the file does not fit: it was changed or cut after its export.',
    })
    const { text } = await call('_cleveragents/session/export', { session_id: 'talk', format: 'md' })
    expect(text).toMatch(/^# words\n[\s\S]*## You\n\nhelp\n\n## Answer\n\nuse ACTION/)
    expect(text).toContain('red <U+001B>[31m')
    expect(text).not.toContain('\u001b')
  })
})

describe('the model of a session', () => {
  const usage = { input: 1_000_000, output: 0 }
  const environment = (url: string) => ({ OPENAI_API_KEY: 'k-0815', OPENAI_BASE_URL: url })

  it('looks, starts a plan in the folder of the session, and reports; what it says costs the session', async () => {
    const { root } = await makeRepository({ files: { 'a.txt': 'colour\n' } })
    const args = { find: 'colour', replace: 'color' }
    const server = await startModelServer({
      models: ['gpt-test'],
      replies: [
        { tools: [{ name: 'list_actions', arguments: {} }], usage },
        {
          when: { contains: 'builtin/replace-text(' },
          tools: [
            { name: 'start_plan', arguments: { action: 'builtin/replace-text', args, name: 'spelling' } },
            { name: 'approve', arguments: {} },
            { name: 'show_plan', arguments: '{"plan": "spell' },
          ],
          usage,
        },
        { when: { contains: 'Started local/spelling' }, text: 'It is under way.', usage },
        { when: { contains: 'And?' }, text: 'Never asked.', usage },
      ],
    })
    const flags = {
      'actor.default': 'openai/gpt-test',
      'model.assumed-price': '2',
      'budget.session.max-cost': '6.001',
    }
    const backend = await startBackend({ environment: environment(server.urls.openai), flags })
    await backend.call('session.create', { session_id: 'talk', folder: root })

    const heard = await streamIn(backend, 'Spell colour the American way')
    expect(heard.at(-1)).toMatchObject({ status: { state: 'input-required' } })
    expect(textIn(heard.at(-1))).toMatch(/^It is under way\./)
    const artifacts = heard.map(each => each.artifact?.parts[0]?.text ?? '')
    expect(artifacts.join('')).toBe('It is under way.')
    const { said, plans } = await backend.call('_cleveragents/session/show', { session_id: 'talk' })
    expect(plans.map(({ name }) => name)).toEqual(['local/spelling'])
    expect(said.map(({ who, text }) => [who, text.split('\n')[0]])).toEqual([
      ['person', 'Spell colour the American way'],
      ['actor', 'list_actions {}'],
      ['tool', expect.stringMatching(/^list_actions: ~~~~ data: actions/)],
      ['actor', expect.stringMatching(/^start_plan /)],
      ['tool', expect.stringMatching(/^start_plan: Started local\/spelling/)],
      ['tool', expect.stringMatching(/^approve: There is no tool approve/)],
      ['tool', expect.stringMatching(/^show_plan: The arguments of show_plan are no JSON/)],
      ['actor', 'It is under way.'],
    ])
    const spent = backend.ports.store.ledger.spentInSession('talk')
    expect([spent.spentUsd, spent.reservedUsd, spent.spentTokens]).toEqual([6, 0, 3_000_000])

    const refused = await sayIn(backend, 'And?')
    expect(refused).toMatch(/The budget of session .* has .* left of .*Nothing was asked of openai\/gpt-test/)
    expect(server.requests()).toHaveLength(3)
  })

  it('goes on after a lost connection with what had arrived, and after calls that nobody answered', async () => {
    const server = await startModelServer({
      models: ['gpt-test'],
      replies: [
        { text: 'Half of this answer', fault: { cut_after: 4, slow_ms: 5 } },
        { when: { anywhere: 'Half' }, text: 'Whole.' },
        { when: { anywhere: 'Not done: the program ended' }, text: 'I see.' },
      ],
    })
    const flags = { 'actor.default': 'openai/gpt-test' }
    const backend = await startBackend({ environment: environment(server.urls.openai), flags })
    const { sessions, messages } = backend.ports.store
    expect(await sayIn(backend, 'Tell me')).not.toMatch(/Whole/)
    expect(await sayIn(backend, 'Go on')).toBe('Whole.')
    const session = sessions.find('talk')
    if (!session) throw new Error('there is no session')
    const call = { kind: 'tool_call', callId: 'c9', tool: 'list_plans', input: '{}', opaque: null } as const
    const head = messages.append('talk', session.head, [{ role: 'assistant', parts: [call], isCut: false }])
    sessions.put({ ...session, head })

    expect(await sayIn(backend, 'Well?')).toBe('I see.')
  })
})

interface Frame {
  readonly status?: { readonly state: string; readonly message?: { readonly parts: { text?: string }[] } }
  readonly artifact?: { readonly parts: { text?: string }[] }
}

function textIn(frame: Frame | undefined): string {
  return (frame?.status?.message?.parts ?? []).flatMap(part => part.text ?? []).join('\n')
}

function messageOf(text: string) {
  const parts = [{ kind: 'text', text }]
  return { kind: 'message', role: 'user', messageId: crypto.randomUUID(), contextId: 'talk', parts }
}

async function streamIn({ client }: TestBackend, text: string): Promise<Frame[]> {
  const frames: Frame[] = []
  const take = (item: StreamItem) =>
    void frames.push((item.kind === 'result' ? item.result : item.params) as Frame)
  const ended = await client.raw.stream('message/stream', { message: messageOf(text) }, take)
  if (!ended.ok) throw new Error(ended.failure.message)
  return frames
}

async function sayIn({ client }: TestBackend, text: string): Promise<string> {
  const answer = await client.raw.unary('message/send', { message: messageOf(text) })
  if (!answer.ok) throw new Error(answer.failure.message)
  return textIn(answer.value as Frame)
}
