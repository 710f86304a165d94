import { describe, expect, it } from 'vitest'
import { startBackend } from '../support/backend.ts'
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

  it('exported and imported is the same again; a changed file is refused', async () => {
    const backend = await startBackend()
    const { call, refusal } = backend
    await call('session.create', { session_id: 'talk', name: 'words' })
    await sayIn(backend, 'help')
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
  })
})

async function sayIn({ client }: Awaited<ReturnType<typeof startBackend>>, text: string): Promise<string> {
  const parts = [{ kind: 'text', text }]
  const message = { kind: 'message', role: 'user', messageId: crypto.randomUUID(), contextId: 'talk', parts }
  const answer = await client.raw.unary('message/send', { message })
  if (!answer.ok) throw new Error(answer.failure.message)
  const { status } = answer.value as { status: { message: { parts: { text?: string }[] } } }
  return status.message.parts.map(part => part.text ?? '').join('\n')
}
