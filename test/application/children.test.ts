import { describe, expect, it } from 'vitest'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

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
    const applied = await bench.approve(plan)
    expect(position(applied)).toBe('apply/applied')
    expect(await bench.read('z.txt')).toBe('z')
    expect(await bench.read('after.txt')).toBe('complete 1')
    expect(applied.children.map(each => each.state)).toEqual(['applied', 'applied', 'applied'])
  })
})

function write(path: string, text: string): string {
  const [name] = path.split('.')
  return `{action: local/write, args: {path: ${path}, text: "${text}"}, as: ${name}}`
}

async function benchWith(steps: string, files?: Parameters<typeof startBench>[0]): Promise<Bench> {
  const bench = await startBench(files)
  await bench.action('local/write', WRITES)
  await bench.action('local/fail', FAILS)
  await bench.action('local/parent', `recipe:\n  execute:${steps}\n`)
  return bench
}
