import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probeConfinement } from '../../src/infrastructure/confinement/probe-confinement.ts'
import { patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

const probe = await probeConfinement(process.env['PATH'] ?? '')

/** A service of this machine, and a command that says in a file whether it reached it. */
async function service() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo in > seen || echo out > seen`
}

const fetches = (command: string, network: boolean) => `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/run_command, with: {command: ${JSON.stringify(command)}, network: ${network}}, as: got}
    - tool: {name: builtin/read_file, with: {path: seen}, as: seen}
    - finish: {note: '\${{ seen.content }} \${{ got.network }}'}
`

describe.runIf(probe.ok)('the network of a command', () => {
  it('is withheld unless the call asks for it', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), false))
    const plan = await bench.start('local/fetch', 'auto')
    expect(whereabouts(plan)).toContain('phase select_tool')
    expect(await patchOf(bench, plan)).toContain('+out')
  })

  it('is kept from a command that a guard stopped, unless the answer names it', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), true))
    let plan = await bench.start('local/fetch', 'manual')
    const { plan_id } = plan
    await bench.backend.call('_cleveragents/plan/guard/denylist/add', { plan_id, entries: ['run_command'] })
    while (plan.gates[0]?.kind !== 'guard') plan = await bench.approve(plan)
    plan = await bench.approve(plan)
    expect(await patchOf(bench, plan)).toContain('+out')
  })

  it('is asked for with the whole command, and given to this command alone', async () => {
    const bench = await startBench()
    const command = await service()
    await bench.action('local/fetch', fetches(command, true))
    const asked = await bench.start('local/fetch', 'auto')
    expect(whereabouts(asked)).toBe('execute/awaiting_input tool -')
    expect(asked.gates[0]).toMatchObject({
      question: 'This command wants the network. Run it?',
      subject: { kind: 'tool', input: { command, network: true } },
      reason: 'profile auto lets nothing reach outside of the sandbox by itself',
    })
    const plan = await bench.approve(asked)
    expect(await patchOf(bench, plan)).toContain('+in')
    const preview = await bench.backend.call('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'how'),
      mode: 'revert',
      guidance: 'y',
      dry_run: true,
    })
    // What was sent is not taken back with the files.
    expect([preview.impact.irreversible, preview.impact.gates_again]).toEqual([
      [`${command}: ran under #2 and may have reached the network`],
      ['This command wants the network. Run it?'],
    ])
  })

  it('takes no standing approval', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), true))
    const { plan_id } = await bench.start('local/fetch', 'auto')
    const refusal = await bench.backend.refusal('_cleveragents/plan/approve', { plan_id, grant: 'plan' })
    expect(refusal.message).toContain('takes no standing approval')
  })

  it('can be left out by the person who is asked', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), true))
    const plan = await bench.approve(await bench.start('local/fetch', 'auto'), { option_id: 'without' })
    expect(await patchOf(bench, plan)).toContain('+out')
  })

  it('is refused with the command when a person rejects it', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), true))
    const plan = await bench.reject(await bench.start('local/fetch', 'auto'), 'not today')
    expect(whereabouts(plan)).toContain('error')
    expect(JSON.stringify(plan.gates)).toContain(
      'A person refused the network to builtin/run_command: not today.',
    )
  })

  it('passes by itself only where the profile allows unsafe tools', async () => {
    const bench = await startBench()
    await bench.action('local/fetch', fetches(await service(), true))
    const plan = await bench.start('local/fetch', 'full-auto')
    expect([plan.phase, plan.state, await bench.read('seen')]).toEqual(['apply', 'applied', 'in\n'])
  })

  it('is asked for by a check too', async () => {
    const bench = await startBench()
    const command = (await service()).replace(/ && .*/, '')
    await bench.action(
      'local/check',
      `recipe:\n  execute:\n    - validate: {command: ${JSON.stringify(command)}, network: true}\n`,
    )
    const asked = await bench.start('local/check', 'auto')
    expect(whereabouts(asked)).toBe('execute/awaiting_input tool -')
    const plan = await bench.approve(asked)
    expect(plan.state).toBe('applied')
  })
})
