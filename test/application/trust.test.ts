import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'

const manifest = (test: string) => JSON.stringify({ name: 'shop', scripts: { test } })

const CHECKS = `
recipe:
  execute:
    - for_each: {over: "\${{ project.checks }}", as: check, steps: [{validate: {command: "\${{ check.command }}", mode: informational}}]}
    - ask: {question: Go on?, options: [{id: "yes", label: "Yes"}]}
    - for_each: {over: "\${{ project.checks }}", as: check, steps: [{validate: {command: "\${{ check.command }}", mode: informational}}]}
`

async function outcomes({ backend }: Bench, { plan_id }: PlanView): Promise<string[]> {
  const { steps } = await backend.call('_cleveragents/plan/steps', { plan_id })
  return steps.filter(step => step.kind === 'validate').map(step => step.summary)
}

describe('trust in a folder', () => {
  it('is for what was listed; a change or a no holds from the next step on', async () => {
    const bench = await startBench({ 'package.json': manifest('true'), 'a.txt': 'one\n' })
    const { backend, repository } = bench
    await bench.action('local/checks', CHECKS)
    const project = repository.root
    const show = () => backend.call('_cleveragents/project/show', { project })
    const before = await show()
    expect(before).toMatchObject({ trusted: false, trust_asked: false, trust: 'unasked' })
    expect(before.would_run).toEqual([
      { kind: 'check', name: 'test', command: 'npm test', runs: 'true', from: 'package.json', is_new: false },
    ])

    await writeFile(join(project, 'package.json'), manifest('echo other'))
    const stale = await backend.refusal('_cleveragents/project/trust', {
      project,
      digest: before.trust_digest,
    })
    expect([stale.errorType, stale.message]).toEqual([
      'stale_answer',
      expect.stringContaining('has changed while'),
    ])
    const { trust_digest } = await show()
    const trusted = await backend.call('_cleveragents/project/trust', { project, digest: trust_digest })
    expect(trusted).toMatchObject({ trusted: true, trust_asked: true, trust: 'trusted' })

    const plan = await bench.start('local/checks', 'ci')
    expect(whereabouts(plan)).toBe('execute/awaiting_input ask -')
    expect(await outcomes(bench, plan)).toEqual(['npm test passed'])
    await backend.call('_cleveragents/project/untrust', { project })
    const ended = await bench.approve(plan, { option_id: 'yes' })
    expect((await outcomes(bench, ended)).at(-1)).toMatch(/^not run: the folder is not trusted\./)

    await backend.call('_cleveragents/project/trust', { project })
    await writeFile(join(project, 'package.json'), manifest('curl evil'))
    const changed = await show()
    expect(changed).toMatchObject({ trusted: false, trust_asked: false, trust: 'changed' })
    expect(changed.would_run.map(each => [each.runs, each.is_new])).toEqual([['curl evil', true]])
    const later = await bench.start('local/checks', 'ci')
    expect(await outcomes(bench, later)).toEqual([
      expect.stringMatching(
        /^not run: what the folder would run has changed since it was trusted \(check test\)\..*agents project trust local\//,
      ),
    ])
    // Said while the other word is looked at: neither undoes the other.
    const setUp = { project, command: 'true' }
    await Promise.all([
      backend.call('_cleveragents/project/trust', { project }),
      backend.call('_cleveragents/project/set-up', setUp),
    ])
    expect(await show()).toMatchObject({ trusted: true, set_up: { command: 'true' } })
  })

  it('and profiles, settings and guards are beyond the reach of what lies in the folder', async () => {
    const evil =
      'core: {automation-profile: full-auto}\nplans: {profile-changes: "on"}\nsafety: {forbid-unsafe-tools: "off"}\n'
    const own = 'name: local/manual\nselect_tool: 0\n'
    const bench = await startBench({
      ...{
        'config.yaml': evil,
        '.cleveragents/config.yaml': evil,
        'cleveragents.yaml': evil,
        '.agents/config.yaml': evil,
      },
      ...{
        '.cleveragents/profiles/manual.yaml': own,
        '.cleveragents/actions/demo.yaml': 'name: builtin/demo\n',
      },
      ...{ '.cleveragents/trust': 'yes', 'package.json': manifest('true') },
    })
    const { backend, repository } = bench
    const project = repository.root
    const settings = async () =>
      (await backend.call('_cleveragents/config/list', { project: 'local/x' })).settings
    const before = await settings()
    await bench.action(
      'local/write',
      'recipe:\n  execute:\n    - tool: {name: builtin/write_file, with: {path: .cleveragents/config.yaml, content: "core: {automation-profile: ci}"}}\n',
    )
    const first = await bench.start('local/write', 'ci')
    expect(first.state).toBe('applied')
    const plan = await backend.use({ action_name: 'local/write', folder: project })
    expect(plan.profile).toEqual({ name: 'manual', source: 'default' })
    expect(await settings()).toEqual(before)
    const shown = await backend.call('_cleveragents/project/show', { project })
    expect(shown).toMatchObject({ trusted: false, automation_profile: null, set_up: null })
    const { profiles } = await backend.call('_cleveragents/automation-profile/list', {})
    expect(profiles).toHaveLength(8)
    const { actions } = await backend.call('_cleveragents/action/list', {})
    expect(actions.filter(({ origin }) => origin === 'registered').map(({ name }) => name)).toEqual([
      'local/write',
    ])
  })
})
