import { expect, onTestFinished, test } from 'vitest'
import { buildBackend } from '../../src/application/build-backend.ts'
import type { startBackend } from '../support/backend.ts'
import { startBench } from '../support/purpose-made.ts'
import { dispatcherOver, type Lines, typeLines } from '../support/wire-drivers.ts'

test('any client reads and answers the question of a child in the task of the plan above', async () => {
  const bench = await startBench()
  await bench.action(
    'local/asks',
    `recipe:\n  execute:\n    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}\n`,
  )
  await bench.action('local/parent', `recipe:\n  execute:\n    - spawn: {action: local/asks, as: kid}\n`)
  const lines = typeLines(dispatcherOver(buildBackend(bench.backend.ports)))

  const start = {
    action: 'local/parent',
    folder: bench.repository.root,
    automation_profile: 'trusted',
  }
  lines.write(said(1, { parts: [{ kind: 'data', data: start }] }))
  const asked = (await lines.next())['result'] as Task
  expect(asked.status.state).toBe('input-required')
  expect(asked.status.message.parts[0]?.text).toContain('Really?\nasked by local/parent / local/parent/kid')

  lines.write(said(2, { taskId: asked.id, parts: [{ kind: 'text', text: 'yes' }] }))
  const answered = (await lines.next())['result'] as Task
  expect([answered.id, answered.status.state]).toEqual([asked.id, 'completed'])
})

test('a stream of the plan above ends with the question of a child while another child goes on', async () => {
  const free = Promise.withResolvers<void>()
  const bench = await startBench(undefined, { tools: all => heldUntil(free.promise, all) })
  await bench.action(
    'local/asks',
    `recipe:\n  execute:\n    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}\n`,
  )
  await bench.action(
    'local/slow',
    `recipe:\n  execute:\n    - tool: {name: builtin/list_files, with: {glob: "*"}}\n`,
  )
  await bench.action(
    'local/parent',
    `recipe:\n  execute:\n    - spawn: {parallel: [{action: local/slow, as: slow}, {action: local/asks, as: kid}]}\n`,
  )
  const backend = buildBackend(bench.backend.ports)
  onTestFinished(() => backend.stop())
  const lines = typeLines(dispatcherOver(backend))
  const start = { action: 'local/parent', folder: bench.repository.root, automation_profile: 'trusted' }
  lines.write(streamed(1, { parts: [{ kind: 'data', data: start }] }))

  const asked = await untilEnd(lines)
  const [begun] = asked
  const question = asked.at(-1)
  expect([question?.final, question?.status.state]).toEqual([true, 'input-required'])
  expect(question?.status.message.parts[0]?.text).toContain('asked by local/parent / local/parent/kid')

  // The answer goes to the same task, whose stream then goes on; what was told does not end it again.
  lines.write(streamed(2, { taskId: begun?.id, parts: [{ kind: 'text', text: 'yes' }] }))
  expect((await lines.next())['result']).toMatchObject({ id: begun?.id, status: { state: 'working' } })
  free.resolve()
  expect((await untilEnd(lines)).at(-1)).toMatchObject({ final: true, status: { state: 'completed' } })
})

type Tools = ReturnType<NonNullable<NonNullable<Parameters<typeof startBackend>[0]>['tools']>>

/** Keeps every listing of files waiting. */
function heldUntil(free: Promise<void>, all: Tools): Tools {
  return {
    ...all,
    find: name => {
      const tool = all.find(name)
      if (tool?.name !== 'builtin/list_files') return tool
      return { ...tool, run: (input, context) => free.then(() => tool.run(input, context)) }
    },
  }
}

async function untilEnd(lines: Lines): Promise<Task[]> {
  const frames: Task[] = []
  for (;;) {
    const next = await lines.next()
    if (next['method'] === '$/streamEnd') return frames
    frames.push(next['result'] as Task)
  }
}

interface Task {
  readonly id: string
  readonly final?: boolean
  readonly status: {
    readonly state: string
    readonly message: { readonly parts: readonly { readonly text?: string }[] }
  }
}

function said(id: number, more: object): string {
  return call('message/send', id, { message: messageOf(id, more), configuration: { blocking: true } })
}

function streamed(id: number, more: object): string {
  return call('message/stream', id, { message: messageOf(id, more) })
}

function messageOf(id: number, more: object): object {
  return { kind: 'message', role: 'user', messageId: `m${id}`, ...more }
}

function call(method: string, id: number, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}
