import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ports } from '../../src/application/ports.ts'
import type { Actor, BriefAbove } from '../../src/domain/actor/actor.ts'
import { asId } from '../../src/domain/ids.ts'
import { type Bench, patchOf, position, startBench, whereabouts } from '../support/purpose-made.ts'

/** A child that writes one file. */
const WRITES = `
arguments:
  - {name: path, type: string, required: true}
  - {name: text, type: string, required: true}
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: write, options: [{id: write, label: Write}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.path }}", content: "\${{ args.text }}"}}
`

/** A child that fails until a file says that it may not. */
const FAILS = `
arguments:
  - {name: path, type: string, default: fails.txt}
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: missing.txt}}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.path }}", content: "after all"}}
`

const COPIES = `
arguments:
  - {name: from, type: string, required: true}
  - {name: to, type: string, required: true}
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: "\${{ args.from }}"}, as: seen}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.to }}", content: "\${{ seen.content }}"}}
`

const BOTH = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "theirs"}}
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "other"}}
`

const ASKS = `
recipe:
  execute:
    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/write_file, with: {path: asked.txt, content: "yes"}}
`

const MIDDLE = `
recipe:
  execute:
    - spawn: {action: local/asks, as: asks}
`

const CAREFUL = `
automation_profile: full-auto
safety_profile: {max_retries_per_step: 1, allow_unsafe_tools: true}
invariants: [never touch b.txt]
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "c"}}
`

describe('children of a plan', () => {
  it('run in sandboxes of their own, and what they changed is merged and applied with their parent', async () => {
    const bench = await benchWith(`
    - spawn: {as: kids, parallel: [${write('x.txt', 'x')}, ${write('y.txt', 'y')}, ${write('z.txt', 'z')}], max_parallel: 2}
    - tool: {name: builtin/write_file, with: {path: after.txt, content: "\${{ kids[0].state }} \${{ kids[2].changes.files }}"}}`)
    const plan = await bench.start('local/parent', 'trusted')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(plan.changes?.files).toBe(4)
    expect(plan.children.map(each => [each.name, `${each.phase}/${each.state}`])).toEqual([
      ['local/parent/x', 'apply/complete'],
      ['local/parent/y', 'apply/complete'],
      ['local/parent/z', 'apply/complete'],
    ])
    const [x] = plan.children
    const how = { decision_id: `${x?.name}#2`, guidance: 'otherwise', mode: 'revert' } as const
    expect((await bench.backend.refusal('_cleveragents/plan/correct', how)).message).toBe(
      'Plan local/parent/x is handed over to local/parent, which works on with it. Correct local/parent#2, which started it, or append to local/parent.',
    )
    const applied = await bench.approve(plan)
    expect(position(applied)).toBe('apply/applied')
    expect(existsSync(sandboxRoot(bench, x?.plan_id ?? ''))).toBe(false)
    const child = await bench.backend.call('_cleveragents/plan/status', { plan_id: x?.plan_id ?? '' })
    expect(child.applied).toBe('all')
    expect((await bench.backend.refusal('_cleveragents/plan/unapply', child)).message).toContain(
      'applied and taken back with local/parent',
    )
    expect(await bench.read('z.txt')).toBe('z')
    expect(await bench.read('after.txt')).toBe('complete 1')
    expect(applied.children.map(each => each.state)).toEqual(['applied', 'applied', 'applied'])
  })

  it('are told the plans above them, the decisions that their start rests on, and their own part', async () => {
    const told: BriefAbove[] = []
    const listening = (actor: Actor): Actor => ({
      ...actor,
      wantsContext: true,
      start: brief => {
        if (brief.above && brief.phase === 'execute') told.push(brief.above)
        return actor.start(brief)
      },
    })
    const ports = (around: Ports): Ports => ({
      ...around,
      actors: {
        ...around.actors,
        forAction: (...asked) => {
          const found = around.actors.forAction(...asked)
          return found.ok ? { ok: true, value: listening(found.value) } : found
        },
      },
    })
    const long = 'x'.repeat(400)
    const choice = (id: string, more = '') =>
      `- decide: {id: ${id}, type: implementation_choice, question: "${id}?", choose: "yes", options: [{id: "yes", label: "Yes"}], rationale: "${more}"}`
    const bench = await benchWith(
      `
    ${choice('unrelated')}
    ${choice('theme', long)}
    ${choice('style')}
    - spawn: {as: kids, parallel: [${write('x.txt', 'x')}, {action: local/middle, as: deep}], depends_on: [style], under: theme}`,
      undefined,
      { ports },
    )
    const plan = await bench.start('local/parent', 'trusted')
    expect(whereabouts(plan)).toBe('execute/awaiting_input ask -')
    const deepest = told.find(({ plans }) => plans.length === 2)
    expect(deepest?.plans.map(({ name }) => name)).toEqual(['local/parent', 'local/parent/deep'])
    const nearest = told.find(({ part }) => part.key === 'x')
    expect(nearest).toEqual({
      plans: [{ name: 'local/parent', action: 'local/parent', task: expect.any(String) }],
      decisions: [
        {
          plan: 'local/parent',
          question: 'theme?',
          chosen: 'Yes',
          rationale: `${'x'.repeat(299)}…`,
          decidedBy: 'actor',
        },
        { plan: 'local/parent', question: 'style?', chosen: 'Yes', rationale: '', decidedBy: 'actor' },
      ],
      part: {
        question: expect.stringContaining('child plans'),
        key: 'x',
        siblings: [{ key: 'deep', action: 'local/middle', task: expect.any(String) }],
      },
    })
  })

  it('are started in waves, and each wave begins on what the one before left', async () => {
    const bench = await benchWith(`
    - spawn: {parallel: [{action: local/copy, args: {from: x.txt, to: y.txt}, as: second, after: [first]}, {action: local/write, args: {path: x.txt, text: "x"}, as: first}]}`)
    const plan = await bench.start('local/parent', 'trusted')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await patchOf(bench, plan)).toMatch(/y\.txt[\s\S]*\+x/)
  })

  it('that conflict are a question with both sides, and the answer decides path by path', async () => {
    const bench = await benchWith(`
    - spawn: {parallel: [{action: local/write, args: {path: a.txt, text: "mine"}, as: one}, {action: local/both, as: two}]}`)
    const plan = await bench.start('local/parent', 'trusted')
    expect(whereabouts(plan)).toBe('execute/awaiting_input merge_conflict -')
    const [gate] = plan.gates
    expect(gate?.question).toContain('local/parent/two and the work before it changed the same places: a.txt')
    expect(gate?.subject).toMatchObject({
      child: { name: 'local/parent/two' },
      sides: [
        { path: 'a.txt', ours: expect.stringContaining('+mine'), theirs: expect.stringContaining('+theirs') },
      ],
    })
    const kept = await bench.approve(plan, { option_id: 'keep_ours' })
    expect(whereabouts(kept)).toBe('execute/awaiting_input phase select_tool')
    const patch = await patchOf(bench, kept)
    expect([patch.includes('+mine'), patch.includes('+theirs'), patch.includes('+other')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('take the later one last, or none at all, where the merge rule says so', async () => {
    const bench = await benchWith(`
    - spawn: {merge: last_wins, parallel: [{action: local/write, args: {path: a.txt, text: "mine"}, as: one}, {action: local/both, as: two}]}
    - spawn: {merge: fail_on_conflict, parallel: [{action: local/write, args: {path: b.txt, text: "mine"}, as: three}, {action: local/write, args: {path: b.txt, text: "theirs"}, as: four}]}`)
    const plan = await bench.start('local/parent', 'trusted')
    expect(whereabouts(plan)).toBe('execute/awaiting_input error -')
    expect(plan.gates[0]?.question).toContain(
      'local/parent/four conflicts with the children before it in b.txt; nothing of them was merged.',
    )
    const patch = await patchOf(bench, plan)
    expect([patch.includes('+theirs'), patch.includes('b/b.txt')]).toEqual([true, false])
    expect(plan.children.map(each => each.state)).toEqual(['complete', 'complete', 'cancelled', 'cancelled'])
    expect(plan.notices).toContain(
      'The child two and the work before it changed the same places of a.txt; what two made of them was taken.',
    )
  })

  it('that fail hold up nobody, and are asked about when the others have ended', async () => {
    const bench = await benchWith(`
    - spawn: {parallel: [{action: local/fail, as: bad}, ${write('x.txt', 'x')}]}`)
    const asked = await bench.start('local/parent', 'trusted')
    // The child's own question comes first; once it is given up the plan above asks what to do without it.
    expect(asked.gates.map(gate => [gate.kind, gate.path])).toEqual([
      ['error', ['local/parent', 'local/parent/bad']],
    ])
    expect(asked.reason).toContain('waits for local/parent/bad')
    expect(asked.waits_for?.name).toBe('local/parent/bad')
    const failed = await bench.reject(asked)
    expect(failed.gates.map(gate => [gate.kind, gate.path, gate.options.map(({ id }) => id)])).toEqual([
      ['error', ['local/parent'], ['again', 'go_on', 'stop']],
    ])
    const without = await bench.approve(failed, { option_id: 'go_on' })
    expect(whereabouts(without)).toBe('execute/awaiting_input phase select_tool')
    expect(without.children.map(each => each.state)).toEqual(['cancelled', 'complete'])
    expect(without.changes?.files).toBe(1)
  })

  it('run one after the other until one fails, and go on from there when it is tried again', async () => {
    const bench = await benchWith(`
    - spawn: {sequential: [${write('x.txt', 'x')}, {action: local/fail, as: bad}, {action: local/copy, args: {from: fails.txt, to: z.txt}, as: last}]}`)
    const asked = await bench.start('local/parent', 'trusted')
    expect(asked.children.map(each => `${each.phase}/${each.state}`)).toEqual([
      'apply/complete',
      'execute/awaiting_input',
      'action/queued',
    ])
    const failed = await bench.reject(asked)
    const root = sandboxRoot(bench, failed.children[1]?.plan_id ?? '')
    await writeFile(join(root, 'missing.txt'), 'found')
    const again = await bench.approve(failed, { option_id: 'again' })
    expect(whereabouts(again)).toBe('execute/awaiting_input phase select_tool')
    expect(again.changes?.files).toBe(4)
  })

  it('ask in the name of the plans above, and one answer at the root lets everything go on', async () => {
    const bench = await benchWith(`
    - spawn: {parallel: [{action: local/middle, as: m}, ${write('x.txt', 'x')}]}`)
    const asked = await bench.start('local/parent', 'trusted')
    expect([position(asked), asked.task_state, asked.waits_for?.name]).toEqual([
      'execute/awaiting_input',
      'input-required',
      'local/parent/m',
    ])
    expect(asked.gates.map(gate => [gate.kind, gate.path])).toEqual([
      ['ask', ['local/parent', 'local/parent/m', 'local/parent/m/asks']],
    ])
    const listed = await bench.backend.call('_cleveragents/gate/list', { plan_id: asked.plan_id })
    expect(listed.gates.map(gate => gate.gate_id)).toEqual(asked.gates.map(gate => gate.gate_id))
    const answered = await bench.approve(asked, { option_id: 'yes' })
    expect(whereabouts(answered)).toBe('execute/awaiting_input phase select_tool')
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: asked.plan_id })
    const names = new Map(tree.plans.map(each => [each.plan_id, each.name]))
    expect([...names.values()]).toEqual(['local/parent/m', 'local/parent/m/asks', 'local/parent/x'])
    for (const each of tree.plans)
      expect(tree.decisions.some(({ decision_id }) => decision_id === each.spawn_decision_id)).toBe(true)
  })

  it('never run more at once than may, and all of them run', async () => {
    const many = Array.from({ length: 6 }, (_, at) => write(`f${at}.txt`, String(at)))
    const bench = await benchWith(`
    - spawn: {parallel: [${many.join(', ')}], max_parallel: 2}`)
    const plan = await bench.start('local/parent', 'trusted')
    expect(plan.changes?.files).toBe(6)
    const running = new Map<string, boolean>()
    let most = 0
    for (const { planId, body } of bench.backend.ports.store.events.read(0, 10_000)) {
      if (planId === plan.plan_id || !('plan' in body)) continue
      running.set(planId, !['action/queued', 'apply/complete'].includes(body.plan.position))
      most = Math.max(most, [...running.values()].filter(Boolean).length)
    }
    expect([running.size, most]).toEqual([6, 2])
  })

  it('are asked about before they start where the profile says so, and a refusal is heard', async () => {
    const bench = await benchWith(`
    - spawn: {action: local/write, args: {path: x.txt, text: "x"}, as: x}`)
    const atDecision = await bench.start('local/parent', 'supervised')
    const atPhase = await bench.approve(atDecision)
    const atChild = await bench.approve(atPhase)
    expect([atDecision, atPhase, atChild].map(whereabouts)).toEqual([
      'strategize/awaiting_input phase create_tool',
      'execute/awaiting_input decision execute_command',
      'execute/awaiting_input child install_dependency',
    ])
    expect(atChild.gates[0]?.subject).toMatchObject({
      profile: 'supervised',
      children: [{ key: 'x', action: 'local/write', args: { path: 'x.txt', text: 'x' } }],
    })
    expect(atChild.children).toEqual([])
    const refused = await bench.reject(atChild, 'not now')
    expect(whereabouts(refused)).toBe('execute/awaiting_input error -')
    expect(refused.gates[0]?.question).toContain('A person refused to start child plans: not now.')
  })

  it('have the rights of their parent, or less', async () => {
    const bench = await benchWith(`
    - spawn: {action: local/careful, as: careful}`)
    const plan = await bench.backend.use({
      action_name: 'local/parent',
      automation_profile: 'trusted',
      folder: bench.repository.root,
      invariants: ['keep it small'],
    })
    const id = plan.children[0]?.plan_id ?? ''
    const child = bench.backend.ports.store.plans.find(asId(id))
    const parent = bench.backend.ports.store.plans.find(asId(plan.plan_id))
    expect([child?.profile.name, child?.profileSource, child?.sandbox]).toEqual([
      'trusted',
      'parent',
      parent?.sandbox,
    ])
    expect([child?.profile.safety.maxRetriesPerStep, parent?.profile.safety.maxRetriesPerStep]).toEqual([
      1, 3,
    ])
    expect(child?.invariants.map(({ text }) => text)).toEqual(['keep it small', 'never touch b.txt'])
  })

  it('end with a correction of the decision that started them; their work leaves, and comes back', async () => {
    const bench = await benchWith(`
    - spawn: {as: kids, parallel: [${write('x.txt', 'x')}, ${write('y.txt', 'y')}]}
    - tool: {name: builtin/write_file, with: {path: end.txt, content: "end"}}`)
    const plan = await bench.start('local/parent', 'trusted')
    const without = await bench.correct(plan, 'kids', 'none')
    expect([whereabouts(without), without.changes?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      1,
    ])
    expect(without.children.map(each => each.state)).toEqual(['cancelled', 'cancelled'])
    const { plan: back } = await bench.backend.call('_cleveragents/plan/undo', { plan_id: plan.plan_id })
    expect(back.changes?.files).toBe(3)
    expect(back.children.map(each => each.reason)).toEqual(
      Array(2).fill('cancelled, but what it made is in local/parent again'),
    )
  })

  it('lie at most five deep', async () => {
    const bench = await benchWith(`
    - spawn: {action: local/write, args: {path: x.txt, text: "x"}, as: x}`)
    await bench.action('local/deep', `recipe:\n  execute:\n    - spawn: {action: local/deep, as: d}\n`)
    const plan = await bench.start('local/deep', 'trusted')
    expect(plan.gates.map(gate => gate.path.length)).toEqual([6])
    expect(plan.gates[0]?.question).toContain('lies 5 plans deep; deeper ones are not started.')
  })
})

function sandboxRoot(bench: Bench, planId: string): string {
  const name = bench.repository.root.slice(bench.repository.root.lastIndexOf('/') + 1)
  return join(bench.backend.dataDir, 'plans', planId, 'root', name)
}

function write(path: string, text: string): string {
  const [name] = path.split('.')
  return `{action: local/write, args: {path: ${path}, text: "${text}"}, as: ${name}}`
}

async function benchWith(steps: string, ...surroundings: Parameters<typeof startBench>): Promise<Bench> {
  const bench = await startBench(...surroundings)
  await bench.action('local/write', WRITES)
  await bench.action('local/fail', FAILS)
  await bench.action('local/copy', COPIES)
  await bench.action('local/both', BOTH)
  await bench.action('local/asks', ASKS)
  await bench.action('local/middle', MIDDLE)
  await bench.action('local/careful', CAREFUL)
  await bench.action('local/parent', `recipe:\n  execute:${steps}\n`)
  return bench
}
