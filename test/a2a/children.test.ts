import { expect, test } from 'vitest'
import { buildBackend } from '../../src/application/build-backend.ts'
import { startBench } from '../support/purpose-made.ts'
import { dispatcherOver, typeLines } from '../support/wire-drivers.ts'

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

interface Task {
  readonly id: string
  readonly status: {
    readonly state: string
    readonly message: { readonly parts: readonly { readonly text?: string }[] }
  }
}

function said(id: number, more: object): string {
  const message = { kind: 'message', role: 'user', messageId: `m${id}`, ...more }
  const params = { message, configuration: { blocking: true } }
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'message/send', params })}\n`
}
