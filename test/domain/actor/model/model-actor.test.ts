import { describe, expect, it } from 'vitest'
import { refuse } from '../../../../src/domain/failure.ts'
import { decisionCall, nextHead, noUsage, openModel, replyOf } from '../../../support/model-driver.ts'
import { decisionId, planId } from '../../../support/recipe-driver.ts'

const read = { tool: 'builtin/read_file', input: { path: 'a.ts' } }

describe('a model actor', () => {
  it('opens a phase with its rules and everything about the task', () => {
    const { request, said } = openModel({
      phase: 'execute',
      args: { prompt: 'Add a cache' },
      invariants: ['No new dependency'],
      guidance: ['Keep it small'],
      constraints: ['The file is generated'],
      strategy: 'First this, then that.',
      decisions: [
        { key: 'where', question: 'Where?', chosen: 'Here', rationale: 'near', decidedBy: 'human' },
      ],
      context: { instructions: [{ path: 'AGENTS.md', text: 'Obey me' }], map: 'a.ts\u202e' },
    })
    expect(request).toMatchObject({
      kind: 'call_model',
      step: 'model[1]',
      model: 'test/one',
      after: null,
      tools: expect.arrayContaining(['finish', 'spawn_plans', 'builtin/write_file']),
    })
    expect(said).toHaveLength(2)
    for (const words of [
      'Add a cache',
      'No new dependency',
      'Keep it small',
      'The file is generated',
      'First this',
      '[where] Where? -> Here',
    ])
      expect(said[1]).toContain(words)
    expect(said[1]).toContain('~~~~ data: file AGENTS.md\nObey me\n~~~~ end of data')
    expect(said[1]).toContain('a.ts<U+202E>')
  })

  it('of a child plan is told which part of the whole is its own, and what was decided above it', () => {
    const { said } = openModel({
      args: { prompt: 'Add a cache' },
      above: {
        plans: [{ name: 'local/speed', action: 'local/do', task: 'Make it fast' }],
        decisions: [
          {
            plan: 'local/speed',
            question: 'How?',
            chosen: 'Caches',
            rationale: 'measured',
            decidedBy: 'human',
          },
        ],
        part: {
          question: 'Who does it?',
          key: 'server',
          siblings: [{ key: 'client', action: 'local/do', task: 'Cache there\u202e' }],
        },
      },
    })
    expect(said[1]).toContain(`# What it is a part of
Other plans work on the whole. Yours is one part of it; do not do theirs.
- plan local/speed (local/do): Make it fast
Your part is "server", started under: Who does it?
- another part is "client" (local/do): Cache there<U+202E>

# Decisions above yours, which hold
- How? -> Caches (a person chose this). measured (local/speed)`)
  })

  it('asks for the calls of one answer one after the other and says their results together', () => {
    const first = openModel().calls(read, { tool: 'builtin/list_files', input: { glob: '**' } })
    expect(first.request).toMatchObject({
      kind: 'call_tool',
      tool: 'builtin/read_file',
      input: { path: 'a.ts' },
    })
    const second = first.result({ content: 'one\ntwo' })
    expect(second.request).toMatchObject({ kind: 'call_tool', tool: 'builtin/list_files' })
    const { request, said } = second.tell({
      kind: 'tool_refused',
      failure: refuse('denied', 'No such thing', { hunk: 'x' }).failure,
    })
    expect(request).toMatchObject({ kind: 'call_model', after: first.state.head, step: 'model[2]' })
    expect(said).toEqual([
      '~~~~ data: result of builtin/read_file\ncontent:\none\ntwo\n~~~~ end of data',
      'Refused: No such thing\n~~~~ data: details\n{"hunk":"x"}\n~~~~ end of data',
    ])
  })

  it('records decisions under keys of their own, by what the model states', () => {
    const first = openModel({ phase: 'strategize' }).calls(decisionCall())
    expect(first.request).toMatchObject({
      kind: 'record_decision',
      key: 'where',
      type: 'strategy_choice',
      confidence: 0.8,
      chosen: 'here',
      options: [
        { id: 'here', label: 'Here', rationale: 'it is near' },
        { id: 'there', label: 'There', rationale: null },
      ],
    })
    const second = first.decide('there').calls(decisionCall({ depends_on: ['where'], under: 'where' }))
    expect(second.request).toMatchObject({ key: 'where-2', dependsOn: ['where'], parentKey: 'where' })
    expect(first.decide('there').said).toEqual([
      'Recorded as where, but a person chose there (There). That holds; go on with it.',
    ])
  })

  it.each([
    ['an unknown earlier decision', { depends_on: ['nowhere'] }, 'No decision has the key nowhere'],
    ['an option that is none', { chosen: 'nowhere' }, 'chosen is nowhere, and the options are here, there'],
    ['no confidence', { confidence: undefined }, 'confidence'],
    ['a type of another phase', { type: 'strategy_choice' }, 'type is strategy_choice'],
    ['a key that it made up', { colour: 'red' }, 'colour'],
  ])('hears what is wrong with a decision: %s', (_, more, words) => {
    const { request, said } = openModel().calls(decisionCall(more))
    expect(request.kind).toBe('call_model')
    expect(said[0]).toContain(words)
  })

  it.each([
    ['cut in the middle', { tool: 'builtin/read_file', input: '{"path": "a' }, 'no JSON object'],
    ['that does not exist', { tool: 'builtin/raed_file' }, 'Did you mean builtin/read_file'],
    ['that is no object', { tool: 'finish', input: '[1]' }, 'no JSON object'],
    ['of a check that is none', { tool: 'run_check', input: { name: 'x' } }, 'no check called x'],
  ])('hears what is wrong with a call %s, and fails after too many', (_, call, words) => {
    let run = openModel().calls(call)
    expect(run.said[0]).toContain(words)
    for (let count = 0; count < 3; count++) run = run.calls(call)
    expect(run.request).toMatchObject({ kind: 'fail', failure: { code: 'step_failed' } })
    const again = run.tell({ kind: 'retry' })
    expect(again.request.kind).toBe('call_model')
    expect(again.said[0]).toContain(words)
  })

  it('may be silent three times in a row', () => {
    const third = openModel().says('Well').says('Hm').says('So')
    expect(third.said).toEqual(['You called no tool. Call one to go on, or the one that finishes.'])
    expect(third.says('?').request.kind).toBe('fail')
    expect(third.calls(read).result().says('?').request.kind).toBe('call_model')
  })

  it('is warned when it repeats itself, and stopped when it goes on', () => {
    let run = openModel()
    for (let count = 0; count < 3; count++) run = run.calls(read).result()
    expect(run.said[1]).toContain('the very same calls 3 times')
    for (let count = 0; count < 3; count++) {
      run = run.calls(read)
      if (run.request.kind === 'call_tool') run = run.result()
    }
    expect(run.request).toMatchObject({
      kind: 'fail',
      failure: { message: expect.stringContaining('6 times') },
    })
  })

  it('does not act on what it chose before a decision of it was rejected or changed', () => {
    const run = openModel().calls(decisionCall(), read)
    const rejected = run.tell({ kind: 'decision_rejected', optionId: 'here', note: 'too near' })
    expect(rejected.said).toEqual([
      'Not recorded. A person rejected here. They say: too near Decide again, for something else.',
      expect.stringContaining('Not done: a person changed what came before it'),
    ])
    const guided = run.tell({ kind: 'guided', guidance: 'nearer' })
    expect(guided.said[0]).toContain('A person wants this decided differently: nearer')
  })

  it('does not finish on results that it has not seen', () => {
    const finish = { tool: 'finish', input: { summary: 's', changed_files: [] } }
    const run = openModel().calls(read, finish)
    expect(run.result().request.kind).toBe('finish')
    const failed = run.tell({ kind: 'tool_refused', failure: refuse('not_found', 'no').failure })
    expect(failed.said[1]).toContain('a call before it in the same answer failed')
  })

  it('finishes Execute with what it claims and what is left, and hears why that is not so', () => {
    const finish = { tool: 'finish', input: { summary: 'Done', changed_files: ['a.ts'], not_done: ['docs'] } }
    const run = openModel().calls(finish)
    expect(run.request).toEqual({
      kind: 'finish',
      step: expect.any(String),
      note: 'Done\nNot done: docs',
      fixesChecks: true,
      strategy: null,
      claims: ['a.ts'],
    })
    const refused = run.tell({
      kind: 'finish_refused',
      failure: refuse('step_failed', 'a.ts is as it was').failure,
    })
    expect(refused.said).toEqual(['Refused: a.ts is as it was'])
    const failing = run.tell({
      kind: 'validated',
      result: 'failed',
      exitCode: 1,
      message: 'test failed',
      report: null,
    })
    expect(failing.said[0]).toContain('Not finished yet. Failed (exit code 1): test failed')
    expect(run.tell({ kind: 'guided', guidance: 'and docs' }).said[0]).toContain('A person says: and docs')
  })

  it('finishes Strategize with the strategy in words', () => {
    const { request } = openModel({ phase: 'strategize' }).calls({
      tool: 'finish_strategy',
      input: { strategy: 'First a, then b.' },
    })
    expect(request).toMatchObject({ kind: 'finish', strategy: 'First a, then b.', note: null, claims: null })
  })

  it('asks a person and hears the answer', () => {
    const run = openModel().calls({
      tool: 'ask_person',
      input: { question: 'Which?', options: [{ id: 'a', label: 'The first' }] },
    })
    expect(run.request).toMatchObject({ kind: 'ask', question: 'Which?' })
    expect(run.tell({ kind: 'answered', optionId: 'a', note: 'of both' }).said).toEqual([
      'The person says: The first. of both',
    ])
  })

  it('runs a check of the project and gives up when told how', () => {
    const checks = [{ name: 'test', command: 'npm test', kind: 'test' as const }]
    const project = { name: 'p', root: '/p', languages: [], checks }
    const run = openModel({ project }).calls({ tool: 'run_check', input: { name: 'test' } })
    expect(run.request).toMatchObject({
      kind: 'validate',
      command: 'npm test',
      origin: 'project',
      fixable: true,
    })
    const gaveUp = run
      .tell({ kind: 'validated', result: 'passed', exitCode: 0, message: 'npm test passed', report: null })
      .calls({ tool: 'give_up', input: { constraint: 'no room' } })
    expect(gaveUp.request).toMatchObject({ kind: 'give_up', constraint: 'no room' })
    expect(gaveUp.tell({ kind: 'retry' }).said).toEqual(['A person says: try again'])
  })

  it('records the decision about children before it asks for them', () => {
    const spawn = {
      tool: 'spawn_plans',
      input: {
        key: 'split',
        rationale: 'two parts',
        confidence: 0.7,
        mode: 'parallel',
        children: [
          { key: 'one', prompt: 'Do one' },
          { key: 'two', action: 'local/fix', args: { what: 'x' }, after: ['one'] },
        ],
      },
    }
    const run = openModel().calls(spawn)
    expect(run.request).toMatchObject({
      kind: 'record_decision',
      key: 'split',
      type: 'subplan_parallel_spawn',
      options: [{ id: 'start' }, { id: 'none' }],
    })
    const asked = run.decide()
    expect(asked.request).toMatchObject({
      kind: 'spawn_plans',
      mode: 'parallel',
      children: [
        { key: 'one', action: 'builtin/task', args: { prompt: 'Do one' } },
        { key: 'two', action: 'local/fix', args: { what: 'x' }, after: ['one'] },
      ],
    })
    const ended = asked.tell({
      kind: 'spawned',
      children: [{ key: 'one', planId, state: 'errored', changes: null }],
    })
    expect(ended.said[0]).toContain('- one: errored')
    expect(run.decide('none').said[0]).toContain('no child plan is started')
  })

  it('resumes a corrected decision with the guidance as its result, and with nothing else', () => {
    const run = openModel().calls(read, decisionCall(), read).result({ content: 'x' })
    const { request, said } = run.correct('rather there')
    expect(request).toMatchObject({ kind: 'call_model', after: run.state.head })
    expect(said).toEqual([
      expect.stringContaining('content: x'),
      'Not recorded. A person wants this decided differently: rather there\nDecide again with that.',
      expect.stringContaining('Not done: a person changed what came before it'),
    ])
  })

  it('asks for what a correction kept before it asks the model, and says so', () => {
    const options = [
      { id: 'a', label: 'A', rationale: null },
      { id: 'b', label: 'B', rationale: null },
    ]
    const kept = { type: 'implementation_choice' as const, question: 'Q?', options, done: ['wrote a.ts'] }
    const both = [
      { ...kept, key: 'first', proposed: 'a', chosen: 'b' },
      { ...kept, key: 'second', proposed: 'a', chosen: 'a' },
    ]
    const resumed = openModel().calls(decisionCall()).correct('there', { kept: both })
    expect(resumed.request).toMatchObject({ kind: 'record_decision', key: 'first', chosen: 'a', options })
    const second = resumed.decide('b')
    expect(second.request).toMatchObject({ kind: 'record_decision', key: 'second' })
    const { said, state } = second.decide()
    expect(said[0]).toContain('A person wants this decided differently: there')
    expect(said[1]).toContain('- [first] Q? -> B\n  done: wrote a.ts\n- [second] Q? -> A')
    expect(state.keys).toEqual(['first', 'second'])
    // The second one is corrected in its turn: it is not asked for again.
    const corrected = second.correct('not a', { kept: [] })
    expect(corrected.said.slice(1).join('\n')).toContain('[second] Q? does not hold any more')
    expect(corrected.said.slice(1).join('\n')).toContain('A person says: not a')
  })

  it('is told what people say meanwhile, once', () => {
    const run = openModel()
      .calls(read)
      .tell({ kind: 'tool_result', output: {} }, { guidance: ['hurry'] })
    expect(run.said[1]).toBe('A person says: hurry')
    expect(run.calls(read).result().said).toHaveLength(1)
  })

  it('has a long history summed up, and goes on from the summary and the last results', () => {
    const run = openModel({}, { contextTokens: 20_000 })
    const full = run
      .tell({
        kind: 'model_replied',
        head: nextHead(),
        reply: replyOf([read]),
        usage: { ...noUsage, inputTokens: 15_000, outputTokens: 10 },
      })
      .result({ content: 'x' })
    expect(full.request).toMatchObject({ kind: 'call_model', tools: [], after: full.state.head })
    expect(full.said[0]).toContain('Write a summary')
    const summed = full.says('All of it')
    expect(summed.request).toMatchObject({
      kind: 'call_model',
      say: [{ role: 'summary', text: 'All of it' }, { role: 'tool' }],
    })
    expect(full.says('').request.kind).toBe('fail')
  })

  it('has it summed up once where the model says that it is too long, then fails', () => {
    const tooLong = {
      kind: 'model_refused' as const,
      failure: refuse('invalid_input', 'too long', { reason: 'context_length' }).failure,
    }
    expect(openModel().tell(tooLong).request).toMatchObject({
      kind: 'fail',
      failure: { message: 'too long' },
    })
    const summing = openModel().calls(read).result().tell(tooLong)
    expect(summing.said[0]).toContain('Write a summary')
    expect(summing.tell(tooLong).request.kind).toBe('fail')
    const again = summing.says('short').tell(tooLong)
    expect(again.request.kind).toBe('fail')
    expect(again.tell({ kind: 'retry' }).request).toMatchObject({
      say: [{ role: 'summary' }, { role: 'tool' }],
    })
  })

  it('leaves out the middle of what is too long to read', () => {
    const { said } = openModel({}, { contextTokens: 6_000 })
      .calls(read)
      .result({ content: 'x\n'.repeat(9_000) })
    expect(said[0]).toMatch(/\[1\d{4} characters left out here; ask for a smaller part\]/)
    expect(said[0]?.length).toBeLessThan(2_300)
  })

  it('goes on after a decision that a rollback came back to', () => {
    const run = openModel().calls(decisionCall(), read)
    expect(run.tell({ kind: 'decided', decisionId, optionId: 'here' }).request.kind).toBe('call_tool')
  })
})
