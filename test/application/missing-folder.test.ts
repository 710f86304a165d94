import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { patchOf, startBench, whereabouts } from '../support/purpose-made.ts'
import { sandboxRoot } from '../support/work-action.ts'

const WORK = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: new.txt, content: "first\\n"}}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - ask: {question: Sure?, options: [{id: go, label: Go}]}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: "second\\n"}}
`

it('a sandbox whose folder was deleted is made anew from what was recorded once a person says so', async () => {
  const bench = await startBench()
  await bench.action('local/work', WORK)
  let plan = await bench.start('local/work', 'auto')
  const root = sandboxRoot(bench.backend.dataDir, plan.plan_id, bench.repository.root)
  await rm(root, { recursive: true })

  plan = await bench.approve(plan, { option_id: 'go' })

  expect(whereabouts(plan)).toBe('execute/awaiting_input resume -')
  expect(plan.gates[0]?.question).toBe(
    `The folder ${root}, in which the plan works, is missing. Make it anew as it was last recorded?`,
  )
  plan = await bench.approve(plan)
  expect(whereabouts(plan)).toContain('execute/awaiting_input phase')
  const patch = await patchOf(bench, plan)
  expect(patch).toContain('+first')
  expect(patch).toContain('+second')
  expect(patch).not.toContain('deleted file')
})
