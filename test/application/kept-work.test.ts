import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'

/** Three choices in files of their own; the last one reads what the first one wrote. */
const APART = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {one: x}}, {id: y, label: Y, set: {one: y}}]}
    - tool: {name: builtin/write_file, with: {path: one.txt, content: "\${{ vars.one }}"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X, set: {two: x}}, {id: y, label: Y, set: {two: y}}]}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "\${{ vars.two }}"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/read_file, with: {path: one.txt}, as: seen}
    - tool: {name: builtin/write_file, with: {path: three.txt, content: "saw \${{ seen.content }}"}}
    - decide: {id: four, type: implementation_choice, question: Four?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: four.txt, content: four}}
`

describe('work that does not rest on the corrected decision', () => {
  it('stays as it is: no step of it runs again, and nobody is asked', async () => {
    const bench = await startBench()
    await bench.action('local/apart', APART)
    let plan = await bench.start('local/apart', 'auto')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    const before = await stepsOf(bench, plan)

    plan = await bench.correct(plan, 'one', 'y')

    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    const again = (await stepsOf(bench, plan)).slice(before.length).filter(step => step.kind !== 'restore')
    expect(again.map(step => step.path)).toEqual(['execute[1]', 'execute[5]', 'execute[6]'])
    expect(await keys(bench, plan)).toEqual([
      ['two', 1, 'active'],
      ['four', 1, 'active'],
      ['one', 2, 'active'],
      ['three', 2, 'active'],
    ])
    expect(await fileOf(bench, plan, 'three.txt')).toBe('saw y')
    expect(await filesUnder(bench, plan)).toEqual({
      one: ['one.txt'],
      two: ['two.txt'],
      three: ['three.txt'],
      four: ['four.txt'],
    })
  })

  it('is asked about again where the files changed that a person saw, and stays where the answer does', async () => {
    const bench = await startBench()
    await bench.action('local/seen', SEEN)
    let plan = await bench.approve(await bench.start('local/seen', 'auto'))
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    const { plan_id } = plan
    const correct = async (key: string, dry_run: boolean) =>
      bench.backend.call('_cleveragents/plan/correct', {
        decision_id: await bench.decision(plan, key),
        mode: 'revert',
        guidance: 'y',
        dry_run,
        wait: true,
      })

    const nothingWritten = await correct('said', true)
    const preview = await correct('one', true)
    expect([nothingWritten.impact.gates_again, preview.impact.gates_again]).toEqual([[], ['Is it good?']])
    await correct('one', false)
    plan = await bench.backend.call('_cleveragents/plan/status', { plan_id, wait: true })
    expect(plan.gates[0]?.question).toBe('Is it good?')
    plan = await bench.approve(plan, { option_id: 'good' })

    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    const wrote = (await stepsOf(bench, plan)).filter(step => step.path === 'execute[5]')
    expect(wrote).toHaveLength(1)
  })

  it('can be corrected only once the actor has come to it again', async () => {
    const bench = await startBench()
    await bench.action('local/apart', APART)
    let plan = await bench.start('local/apart', 'auto')
    plan = await bench.correct(plan, 'one', 'make it nicer')
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    expect(await patchOf(bench, plan)).toContain('four.txt')
    const refused = await bench.backend.refusal('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'two'),
      mode: 'revert',
      guidance: 'y',
    })
    expect(refused.message).toContain('has not been reached again')
    const { checkpoints } = await bench.backend.call('_cleveragents/plan/checkpoint/list', {
      plan_id: plan.plan_id,
    })
    const four = await bench.decision(plan, 'four')
    const checkpoint_id = checkpoints.find(each => each.decision_id === four)?.checkpoint_id ?? ''
    const back = { plan_id: plan.plan_id, checkpoint_id }
    const stays = await bench.backend.refusal('_cleveragents/plan/rollback', back)
    expect(stays.message).toContain('has not been reached again; the plan cannot go on from there')
  })
})

/** What a person is asked names no file; it is about those that were written before. */
const SEEN = `
recipe:
  execute:
    - decide: {id: said, type: implementation_choice, question: Said?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {one: x}}, {id: y, label: Y, set: {one: y}}]}
    - tool: {name: builtin/write_file, with: {path: one.txt, content: "\${{ vars.one }}"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - ask: {question: Is it good?, as: answer, options: [{id: good, label: Good}, {id: bad, label: Bad}]}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "\${{ answer.option_id }}"}}
`

describe('undo', () => {
  it('takes a correction back with all that it kept, and once more brings it again', async () => {
    const bench = await startBench()
    await bench.action('local/apart', APART)
    const plan = await bench.start('local/apart', 'auto')
    const { plan_id } = plan
    const none = await bench.backend.refusal('_cleveragents/plan/undo', { plan_id })
    expect(none.message).toContain('there is nothing to undo')
    const before = await standOf(bench, plan)
    const corrected = await bench.correct(plan, 'one', 'y')
    const after = await standOf(bench, corrected)

    const preview = await bench.backend.call('_cleveragents/plan/undo', { plan_id, dry_run: true })
    const undone = await bench.backend.call('_cleveragents/plan/undo', {
      plan_id,
      digest: preview.impact.digest,
    })

    expect([preview.status, undone.status, undone.impact]).toEqual(['preview', 'done', preview.impact])
    expect(preview.impact.restored.map(({ path }) => path)).toEqual(['one.txt', 'three.txt'])
    expect([whereabouts(undone.plan), await standOf(bench, plan)]).toEqual([
      'execute/awaiting_input resume -',
      before,
    ])
    expect(await bench.correct(plan, 'four', 'y').then(whereabouts)).toBe(BEFORE_APPLY)
    await bench.backend.call('_cleveragents/plan/undo', { plan_id })
    expect(await standOf(bench, plan)).toEqual(before)
    expect(after).not.toEqual(before)
  })
})

describe('undo of a correction', () => {
  it('is refused in words once everything was planned anew', async () => {
    const bench = await startBench()
    await bench.action('local/words', WORDS)
    const plan = await bench.start('local/words', 'auto')
    const corrected = await bench.correct(plan, 'one', 'y')
    const anew = await bench.change(corrected, 'word=two')
    expect(whereabouts(anew)).toBe(BEFORE_APPLY)
    const refused = await bench.backend.refusal('_cleveragents/plan/undo', { plan_id: plan.plan_id })
    expect(refused.message).toBe(
      'Plan local/words cannot go back there: that state went with an earlier sandbox, when everything was planned anew.',
    )
  })
})

const WORDS = `
arguments: [{name: word, type: string, default: one}]
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: one.txt, content: "\${{ args.word }}"}}
`

describe('kept work that turns out to rest on what is done again', () => {
  it('is let go of where it is asked for differently, with what rests on it', async () => {
    const bench = await startBench()
    await bench.action(
      'local/asked',
      `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {n: 1}}, {id: y, label: Y, set: {n: 2}}]}
    - decide: {id: two, type: implementation_choice, question: "Two of \${{ args.of }}?", choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "two"}}
    - decide: {id: three, type: implementation_choice, question: Three?, depends_on: [two], choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: three.txt, content: "three"}}
arguments:
  - {name: of, type: string, required: true, description: of what}
`,
    )
    let plan = await bench.start('local/asked', 'auto', { of: 'a' })
    plan = await bench.correct(plan, 'one', 'of=b')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    const all = await keys(bench, plan, 'superseded')
    expect(all).toEqual([
      ['one', 1, 'superseded'],
      ['two', 1, 'superseded'],
      ['three', 1, 'superseded'],
      ['one', 2, 'active'],
      ['two', 2, 'active'],
      ['three', 2, 'active'],
    ])
    expect((await patchOf(bench, plan)).match(/^\+.*[a-z]/gm)).toEqual([
      '+++ b/three.txt',
      '+three',
      '+++ b/two.txt',
      '+two',
    ])
  })

  it('makes way where a step before it needs a file of it, and is done again after that step', async () => {
    const bench = await startBench()
    await bench.action(
      'local/way',
      `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {path: one.txt}}, {id: y, label: Y, set: {path: two.txt}}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.path }}", content: "one"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "two"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: three.txt, content: "three"}}
`,
    )
    let plan = await bench.start('local/way', 'auto')
    plan = await bench.correct(plan, 'one', 'y')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    expect(await keys(bench, plan)).toEqual([
      ['three', 1, 'active'],
      ['one', 2, 'active'],
      ['two', 2, 'active'],
    ])
    expect((await patchOf(bench, plan)).match(/^\+.*[a-z]/gm)).toEqual([
      '+++ b/three.txt',
      '+three',
      '+++ b/two.txt',
      '+two',
    ])
  })

  it('is let go of where a command before it writes what it read, and the reason is told', async () => {
    const bench = await startBench()
    await bench.action('local/command', COMMAND)
    let plan = await bench.start('local/command', 'auto')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    plan = await bench.correct(plan, 'one', 'y')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    expect(await keys(bench, plan)).toEqual([
      ['three', 1, 'active'],
      ['one', 2, 'active'],
      ['two', 2, 'active'],
    ])
    expect(await fileOf(bench, plan, 'two.txt')).toBe('saw anew')
    const { decisions } = await bench.backend.call('_cleveragents/plan/tree', {
      plan_id: plan.plan_id,
      show_superseded: true,
    })
    expect(decisions.find(each => each.key === 'two' && each.status === 'superseded')?.superseded_why).toBe(
      'it rests on a.txt, which the work before it changes',
    )
    const ran = (await stepsOf(bench, plan)).filter(step => step.path === 'execute[1]')
    expect(ran.map(step => step.status)).toEqual(['done', 'done'])
  })

  it('is let go of where the work before it makes a file that it had looked for in vain', async () => {
    const bench = await startBench()
    await bench.action('local/missing', MISSING)
    let plan = await bench.start('local/missing', 'auto')
    expect(plan.gates[0]?.question).toContain('extra.txt')
    plan = await bench.change(plan, 'from=b.txt')
    expect(await fileOf(bench, plan, 'two.txt')).toBe('saw two')
    plan = await bench.correct(plan, 'one', 'y')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    expect(await fileOf(bench, plan, 'two.txt')).toBe('saw one')
  })

  it('is let go of where the work before it makes a file in a place that it had searched without a hit', async () => {
    const bench = await startBench()
    await bench.action('local/nowhere', NOWHERE)
    let plan = await bench.start('local/nowhere', 'auto')
    expect(await fileOf(bench, plan, 'two.txt')).toBe('found 0')
    plan = await bench.correct(plan, 'one', 'y')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    expect(await fileOf(bench, plan, 'two.txt')).toBe('found 1')
    expect(await keys(bench, plan)).toEqual([
      ['three', 1, 'active'],
      ['one', 2, 'active'],
      ['two', 2, 'active'],
    ])
  })

  it('is let go of at the end where the actor does not come to it any more', async () => {
    const bench = await startBench()
    await bench.action(
      'local/loop',
      `
recipe:
  execute:
    - decide: {id: list, type: implementation_choice, question: Which?, choose: ab, options: [{id: ab, label: AB, set: {names: [a, b]}}, {id: b, label: B, set: {names: [b]}}]}
    - for_each: {over: "\${{ vars.names }}", as: name, steps: [
        {decide: {id: each, type: implementation_choice, question: "Write \${{ name }}?", choose: x, options: [{id: x, label: X}]}},
        {tool: {name: builtin/write_file, with: {path: "\${{ name }}.out", content: "\${{ name }}"}}}]}
    - decide: {id: last, type: implementation_choice, question: Last?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: last.txt, content: last}}
`,
    )
    let plan = await bench.start('local/loop', 'auto')
    plan = await bench.correct(plan, 'list', 'b')
    expect(whereabouts(plan)).toBe(BEFORE_APPLY)
    expect((await patchOf(bench, plan)).match(/^\+.*[a-z]/gm)).toEqual([
      '+++ b/b.out',
      '+b',
      '+++ b/last.txt',
      '+last',
    ])
    expect((await keys(bench, plan)).map(([key]) => key).toSorted()).toEqual(['each[0]', 'last', 'list'])
  })
})

/** The first decision makes a file where the second searched for one in vain, and the third searched elsewhere. */
const NOWHERE = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {at: one.txt}}, {id: y, label: Y, set: {at: docs/guide.txt}}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.at }}", content: needle}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/search_text, with: {pattern: needle, glob: "docs/**"}, as: hits}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "found \${{ hits.count }}"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/list_files, with: {glob: "src/**"}}
    - tool: {name: builtin/write_file, with: {path: three.txt, content: three}}
`

/** The second decision looks for a file that the first one makes in one case only. */
const MISSING = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {at: one.txt}}, {id: y, label: Y, set: {at: extra.txt}}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.at }}", content: one}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X, set: {from: extra.txt}}]}
    - tool: {name: builtin/read_file, with: {path: "\${{ vars.from }}"}, as: seen}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "saw \${{ seen.content }}"}}
`

/** What the first decision runs writes in one case only what the second one read, and never what the third one did. */
const COMMAND = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {at: one.txt}}, {id: y, label: Y, set: {at: a.txt}}]}
    - tool: {name: builtin/run_command, with: {command: "printf anew > \${{ vars.at }}"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/read_file, with: {path: a.txt}, as: seen}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "saw \${{ seen.content }}"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/read_file, with: {path: b.txt}}
    - tool: {name: builtin/write_file, with: {path: three.txt, content: three}}
`

/** Which decisions hold and what the plan has made of the files. */
async function standOf(bench: Bench, plan: PlanView) {
  const { decisions } = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
  const holding = decisions.filter(each => each.key !== null)
  return { holding: holding.map(each => each.decision_id), patch: await patchOf(bench, plan) }
}

async function stepsOf(bench: Bench, { plan_id }: PlanView) {
  return (await bench.backend.call('_cleveragents/plan/steps', { plan_id })).steps
}

async function keys(bench: Bench, { plan_id }: PlanView, show: 'active' | 'superseded' = 'active') {
  const show_superseded = show === 'superseded'
  const { decisions } = await bench.backend.call('_cleveragents/plan/tree', { plan_id, show_superseded })
  return decisions.flatMap(({ key, attempt, status }) =>
    key === null ? [] : [[key, attempt, status] as const],
  )
}

/** What a new file has of the plan's changes. */
async function fileOf(bench: Bench, plan: PlanView, path: string): Promise<string> {
  const patch = await patchOf(bench, plan)
  const [, body = ''] = patch.split(`+++ b/${path}\n`)
  const lines = body.split('\n').slice(1)
  const end = lines.findIndex(line => !line.startsWith('+'))
  return lines
    .slice(0, end)
    .map(line => line.slice(1))
    .join('\n')
}

async function filesUnder(bench: Bench, { plan_id }: PlanView): Promise<Record<string, string[]>> {
  const { decisions } = await bench.backend.call('_cleveragents/plan/tree', { plan_id })
  const found: Record<string, string[]> = {}
  for (const { key, decision_id } of decisions) {
    if (key === null) continue
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id, decision_id })
    found[key] = diff.files.map(file => file.path)
  }
  return found
}
