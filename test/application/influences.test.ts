import { expect, it } from 'vitest'
import { startBench, whereabouts } from '../support/purpose-made.ts'

/** Each decision does one thing, under a parent that does nothing. */
const decide = (id: string, more = '') =>
  `    - decide: {id: ${id}, type: implementation_choice, question: "${id}?", choose: x, options: [{id: x, label: X${more}}]}\n`
const tool = (name: string, input: string, as = '') =>
  `    - tool: {name: builtin/${name}, with: {${input}}${as && `, as: ${as}`}}\n`

async function edgesOf(execute: string): Promise<Record<string, string[]>> {
  const bench = await startBench({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'src/c.txt': 'three\n' })
  await bench.action('local/linked', `recipe:\n  execute:\n${execute}`)
  const plan = await bench.start('local/linked', 'ci')
  expect(whereabouts(plan)).toBe('apply/applied')
  const { decisions, edges } = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
  const keyOf = (id: string) => decisions.find(({ decision_id }) => decision_id === id)?.key ?? id
  const found = edges.map(edge => [
    keyOf(edge.downstream_ref),
    `${keyOf(edge.upstream_decision_id)}: ${edge.why}`,
  ])
  return Object.fromEntries(
    [...Map.groupBy(found, ([key]) => key)].map(([key, of]) => [
      key,
      of.map(([, text]) => text ?? '').sort(),
    ]),
  )
}

it('a decision rests on whoever wrote what its steps read, searched, listed, rewrote, moved or deleted', async () => {
  const edges = await edgesOf(
    [
      decide('first'),
      tool('write_file', 'path: src/new.txt, content: fresh'),
      decide('second'),
      tool('edit_file', 'path: a.txt, find: one, replace: uno'),
      decide('apart'),
      tool('read_file', 'path: b.txt'),
      decide('reads'),
      tool('read_file', 'path: a.txt'),
      decide('searches'),
      tool('search_text', 'pattern: uno'),
      decide('elsewhere'),
      tool('search_text', 'pattern: nothing, glob: "docs/**"'),
      decide('lists'),
      tool('list_files', 'glob: "src/*"'),
      decide('rewrites'),
      tool('replace_text', 'find: three, replace: drei, glob: "src/**"'),
      decide('moves'),
      tool('move_file', 'from: a.txt, to: moved.txt'),
      decide('deletes'),
      tool('delete_file', 'path: src/new.txt'),
    ].join(''),
  )
  expect(edges).toEqual({
    reads: ['second: read a.txt, written under #3'],
    searches: [
      'first: searched where src/new.txt was written under #2',
      'second: read a.txt, written under #3',
    ],
    lists: ['first: searched where src/new.txt was written under #2'],
    rewrites: ['first: searched where src/new.txt was written under #2'],
    moves: ['second: read a.txt, written under #3'],
    deletes: ['first: read src/new.txt, written under #2'],
  })
})

it('a command rests on everything before it, and what it wrote is known by path', async () => {
  const edges = await edgesOf(
    [
      decide('first'),
      tool('write_file', 'path: new.txt, content: fresh'),
      decide('runs'),
      tool('run_command', 'command: "echo done > made.txt"'),
      decide('other'),
      tool('read_file', 'path: a.txt'),
      decide('reader'),
      tool('read_file', 'path: made.txt'),
      decide('checks'),
      `    - validate: {command: "true"}\n`,
      decide('last'),
      tool('run_command', 'command: "true"'),
    ].join(''),
  )
  expect(edges).toEqual({
    runs: ['first: ran a command, which may read anything that #2 wrote'],
    reader: ['runs: read made.txt, written under #3'],
    checks: ['runs: ran a command, which may read anything that was written up to #3'],
    last: ['runs: ran a command, which may read anything that was written up to #3'],
  })
})

it('a decision rests on those whose variables and results went into its steps, however they got there', async () => {
  const edges = await edgesOf(
    [
      decide('where', ', set: {file: a.txt}'),
      tool('read_file', 'path: "${{ vars.file }}"', 'got'),
      decide('quiet'),
      decide('copies'),
      tool('write_file', 'path: copy.txt, content: "${{ got.content }}"'),
      decide('branches'),
      `    - when: {if: "\${{ got.lines == 1 }}", then: [{tool: {name: builtin/read_file, with: {path: b.txt}}}]}\n`,
      decide('checks'),
      `    - validate: {command: "test -f \${{ vars.file }}"}\n`,
    ].join(''),
  )
  const { copies, branches, checks, quiet } = edges
  expect({ copies, branches, quiet }).toEqual({
    copies: ['where: reads result got, produced under where'],
    branches: ['where: reads result got, produced under where'],
    quiet: undefined,
  })
  expect(checks).toEqual(
    expect.arrayContaining(['where: reads variable file, set by where', expect.stringContaining('#4 wrote')]),
  )
})

it('the decision that started a child rests on whoever wrote what the child read, and so does the child', async () => {
  const bench = await startBench({ 'a.txt': 'one\n' })
  const child = [
    decide('look'),
    tool('write_file', 'path: own.txt, content: mine'),
    tool('read_file', 'path: own.txt'),
    tool('read_file', 'path: a.txt'),
  ]
  await bench.action('local/reader', `recipe:\n  execute:\n${child.join('')}`)
  const parent = [
    decide('writes'),
    tool('edit_file', 'path: a.txt, find: one, replace: uno'),
    decide('apart'),
    tool('write_file', 'path: own.txt, content: theirs'),
    '    - spawn: {action: local/reader, as: reader}\n',
  ]
  await bench.action('local/parent', `recipe:\n  execute:\n${parent.join('')}`)
  const plan = await bench.start('local/parent', 'ci')
  const spawned = await bench.backend.call('_cleveragents/plan/explain', {
    decision_id: await bench.decision(plan, 'reader'),
  })
  const name = `${plan.name}/reader`
  expect(spawned.upstream.map(({ why }) => why)).toContain(`its child ${name} read a.txt, written under #2`)
  expect(new Set(spawned.upstream.map(({ number }) => number))).toEqual(new Set([2]))
  const writes = await bench.backend.call('_cleveragents/plan/explain', {
    decision_id: await bench.decision(plan, 'writes'),
  })
  expect(writes.downstream).toContainEqual({
    plan_id: plan.children[0]?.plan_id,
    decision_id: null,
    number: null,
    question: name,
    origin: 'derived',
    why: 'read a.txt, written under #2',
  })
})
