import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/a2a/protocol/views/message.ts'
import { refused, runCli } from '../support/cli-driver.ts'

const strategy = {
  plan_id: '01J0000000000000000PLAN01',
  plan_name: 'local/talk',
  text: 'Write it.\nStop.',
  revision: 1,
  edited_by: null,
  digest: 'd1',
}

const answers = {
  '_cleveragents/plan/strategy/show': () => strategy,
  '_cleveragents/plan/strategy/edit': () => ({ ...strategy, text: 'Stop.', revision: 2, edited_by: 'mira' }),
}
const terminal = { columns: 80 }

function editsOf(run: Awaited<ReturnType<typeof runCli>>) {
  return run.calls.flatMap(({ method, params }) => (method.endsWith('strategy/edit') ? [params] : []))
}

describe('plan strategy', () => {
  it('prints the strategy; with --edit it opens the editor and hands back what was saved', async () => {
    const shown = await runCli(['plan', 'strategy', 'talk'], { answers })
    expect(shown.out).toBe('Strategy of local/talk, revision 1\nWrite it.\nStop.\n')
    const edit = (text: string) => ({ kind: 'text', text: text.replace('Write it.\n', '') }) as const
    const run = await runCli(['plan', 'strategy', 'talk', '--edit'], { answers, terminal, edit })
    expect(editsOf(run)).toEqual([{ plan_id: 'talk', text: 'Stop.', digest: 'd1' }])
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('asked anew, about this revision')])
  })

  it('needs a terminal for the editor, or a file; what was edited from another revision ends with 6', async () => {
    const run = await runCli(['plan', 'strategy', 'talk', '--edit'], { answers })
    expect([run.code, editsOf(run), run.err]).toEqual([2, [], expect.stringContaining('--file FILE')])
    const files = { '/home/mira/shop/new.md': 'Stop.\n' }
    const stale = {
      ...answers,
      '_cleveragents/plan/strategy/edit': () => refused('stale_answer', 'Read it.'),
    }
    const line = ['plan', 'strategy', 'talk', '--file', 'new.md']
    const taken = await runCli(line, { answers: stale, files })
    expect([taken.code, editsOf(taken)]).toEqual([6, [{ plan_id: 'talk', text: 'Stop.\n', digest: 'd1' }]])
  })
})

describe('plan messages', () => {
  it('shows each message whole, with what was cut, and what would move the cursor as text', async () => {
    const said = {
      after_id: null,
      tool_calls: [],
      tool_results: [],
      is_cut: false,
      is_present: true,
      at: 'now',
    }
    const messages: MessageView[] = [
      { ...said, message_id: 'a'.repeat(64), role: 'user', text: 'Look at \u001b[2Jit.' },
      {
        ...said,
        message_id: 'b'.repeat(64),
        role: 'assistant',
        text: 'I was',
        is_cut: true,
        is_present: false,
        tool_calls: [{ tool: 'builtin/read_file', input: '{"path":"a"}' }],
      },
    ]
    const list = { plan_id: strategy.plan_id, plan_name: 'local/talk', total: 3, messages }
    const run = await runCli(['plan', 'messages', 'talk', '--decision', '2'], {
      answers: { '_cleveragents/plan/message/list': () => list },
    })
    const params = run.calls.find(call => call.method.endsWith('message/list'))?.params
    expect(params).toEqual({ plan_id: 'talk', decision_id: '2' })
    expect(run.out).not.toContain('\u001b')
    expect(run.out.split('\n').filter(line => !line.includes('Look at'))).toEqual([
      '1 older ones are left out; --limit 3 shows all.',
      'user aaaaaaaaaaaa  now',
      '',
      'assistant bbbbbbbbbbbb  now  cut short  not in the present line',
      '  I was',
      '  calls builtin/read_file',
      '    {"path":"a"}',
      '',
    ])
  })
})
