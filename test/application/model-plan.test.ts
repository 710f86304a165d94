import { expect, it } from 'vitest'
import { readGuide } from '../support/markdown.ts'
import type { ScenarioInput } from '../support/model-server/scenario.ts'
import { startModelServer } from '../support/model-server.ts'
import { patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

type Reply = NonNullable<ScenarioInput['replies']>[number]

function calls(...tools: readonly [string, Record<string, unknown>][]): Reply {
  return { tools: tools.map(([name, given]) => ({ name, arguments: given })) }
}

function decide(key: string, more: Record<string, unknown> = {}): [string, Record<string, unknown>] {
  const options = [
    { id: 'short', label: 'Short' },
    { id: 'long', label: 'Long' },
  ]
  return [
    'record_decision',
    { key, question: `How ${key}?`, options, chosen: 'short', rationale: 'r', confidence: 0.9, ...more },
  ]
}

function write(path: string, content: string): [string, Record<string, unknown>] {
  return ['builtin__write_file', { path, content }]
}

const finish = (...changed_files: string[]): [string, Record<string, unknown>] => [
  'finish',
  { summary: 'Both written', changed_files },
]

it('carries a task out from words to changes, and keeps what a correction leaves alone', async () => {
  const server = await startModelServer({
    replies: [
      calls(['builtin__read_file', { path: 'a.txt' }], decide('scope')),
      calls(['finish_strategy', { strategy: 'First c, then d.' }]),
      calls(decide('c', { depends_on: ['scope'] }), write('c.txt', 'c\n')),
      calls(decide('d'), write('d.txt', 'd\n')),
      calls(finish('c.txt', 'd.txt', 'never.txt')),
      calls(finish('c.txt', 'd.txt')),
      // After the correction of c.
      calls(decide('c', { chosen: 'long' }), write('c.txt', 'c c c\n')),
      calls(finish('c.txt', 'd.txt')),
    ],
  })
  const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.urls.openai }
  const flags = { 'actor.default': 'openai/test-model' }
  const bench = await startBench(undefined, { environment, flags })

  const planned = await bench.start('builtin/task', 'auto', { prompt: 'Write c and d' })
  expect(whereabouts(planned)).toBe('execute/awaiting_input phase select_tool')
  expect(await patchOf(bench, planned)).toContain('+c\n')
  expect(JSON.stringify(server.requests()[5]?.body)).toContain('never.txt')

  const before = server.requests().length
  const corrected = await bench.correct(planned, 'c', 'rather long')
  expect(whereabouts(corrected)).toBe('execute/awaiting_input phase select_tool')
  const patch = await patchOf(bench, corrected)
  expect(patch).toContain('+c c c\n')
  expect(patch).toContain('+d\n')
  const asked = JSON.stringify(server.requests()[before]?.body)
  expect(asked).toContain('A person wants this decided differently: rather long')
  expect(asked).toContain('- [d] How d? -> Short')
  expect(asked).not.toContain('Both written')
  const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: planned.plan_id })
  expect(tree.decisions.filter(({ key }) => key === 'd')).toHaveLength(1)
  const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: planned.plan_id })
  const wrote = steps.filter(({ kind, summary }) => kind === 'tool' && summary.includes('d.txt'))
  expect(wrote.map(({ summary }) => summary)).toEqual([expect.stringContaining('d.txt')])
})

it('leads the example of the model server from words to a file', async () => {
  const server = await startModelServer(readGuide('test/support/model-server/example.yaml'))
  const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.urls.openai }
  const bench = await startBench(undefined, { environment, flags: { 'actor.default': 'openai/test-model' } })
  const planned = await bench.start('builtin/task', 'auto', { prompt: 'Say hello' })
  expect(whereabouts(planned)).toBe('execute/awaiting_input phase select_tool')
  expect(await patchOf(bench, planned)).toContain('+Hello\n')
  expect(server.requests()).toHaveLength(4)
})
