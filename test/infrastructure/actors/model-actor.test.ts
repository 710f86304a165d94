import { expect, it } from 'vitest'
import type { Action } from '../../../src/domain/action.ts'
import type { Outcome } from '../../../src/domain/actor/actor.ts'
import { nextModelTurn, startModel } from '../../../src/domain/actor/model/model-actor.ts'
import { namesOffered } from '../../../src/domain/actor/model/offered-tools.ts'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'
import { createActors } from '../../../src/infrastructure/actors/index.ts'
import { builtinTools } from '../../../src/infrastructure/tools/index.ts'
import { describeActor } from '../../contracts/actor.ts'
import { decisionCall, nextHead, noUsage, replyOf, terms } from '../../support/model-driver.ts'
import { modelsOf } from '../../support/models.ts'
import { brief, decisionId } from '../../support/recipe-driver.ts'
import { anAction } from '../../support/records.ts'
import { commandSurroundings } from '../tools/command-surroundings.ts'

const tools = builtinTools(commandSurroundings())
const actors = createActors({
  expressions: createCel(),
  models: modelsOf({ OPENAI_API_KEY: 'k' }),
  tools,
  maxMalformed: () => 3,
})
const action: Action = anAction({ strategyActor: 'openai/one', executionActor: 'openai/one' })

function opened(phase: 'strategize' | 'execute') {
  const actor = actors.forAction(action, phase)
  if (!actor.ok) throw new Error(actor.failure.message)
  return actor.value
}

function replied(...calls: Parameters<typeof replyOf>[0]) {
  return { kind: 'model_replied' as const, head: nextHead(), reply: replyOf(calls), usage: noUsage }
}

const outcomes: readonly Outcome[] = [
  replied({ tool: 'builtin/read_file', input: { path: 'a' } }, decisionCall()),
  { kind: 'tool_result', output: { content: 'x' } },
  { kind: 'decision_rejected', optionId: 'here', note: null },
  replied(decisionCall({ chosen: 'there' })),
  { kind: 'decided', decisionId, optionId: 'there' },
  replied({ tool: 'no_such_tool' }),
  replied({ tool: 'finish', input: { summary: 's', changed_files: [] } }),
]

describeActor('a model', () => ({
  actor: opened('execute'),
  brief: brief({ args: { prompt: 'Do it' } }),
  outcomes,
}))

it('offers no tool that writes or runs anything while strategising, and takes no call of one', () => {
  const strategising = brief({ phase: 'strategize' })
  const offered = namesOffered('strategize', tools)
  const all = { ...terms, tools }
  for (const tool of tools) {
    const { capability, name } = tool
    const isHarmless = capability.readOnly && !capability.writes && name !== 'builtin/run_command'
    expect({ name, offered: offered.includes(name) }).toEqual({ name, offered: isHarmless })
    if (isHarmless) continue
    const asked = nextModelTurn(all, startModel(all, strategising), { kind: 'none' }, strategising)
    const { request } = nextModelTurn(all, asked.state, replied({ tool: name }), strategising)
    expect(request).toMatchObject({
      kind: 'call_model',
      say: [{ results: [{ text: expect.stringContaining('is not there while you strategise') }] }],
    })
  }
  expect(namesOffered('execute', tools)).toEqual(expect.arrayContaining(tools.map(({ name }) => name)))
})
