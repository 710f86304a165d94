import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ActorRequest, Outcome } from '../../../../src/domain/actor/actor.ts'
import { nextModelTurn, startModel } from '../../../../src/domain/actor/model/model-actor.ts'
import { readModelState } from '../../../../src/domain/actor/model/model-state.ts'
import { ownToolNames } from '../../../../src/domain/actor/model/own-tools.ts'
import { MOST_ANSWERS } from '../../../../src/domain/actor/model/terms.ts'
import { refuse } from '../../../../src/domain/failure.ts'
import type { AssistantMessage } from '../../../../src/domain/model/message.ts'
import { decisionCall, nextHead, noUsage, replyOf, terms } from '../../../support/model-driver.ts'
import { brief, decisionId } from '../../../support/recipe-driver.ts'

const names = [...ownToolNames.strategize, ...ownToolNames.execute, ...terms.tools.map(tool => tool.name)]

const call = fc.oneof(
  fc.record({ tool: fc.constantFrom(...names), input: fc.oneof(fc.json(), fc.string(), fc.jsonValue()) }),
  fc.record({ tool: fc.string(), input: fc.string() }),
  fc.constant(decisionCall()),
  fc.constantFrom('__proto__', 'constructor').map(key => decisionCall({ key, depends_on: [key] })),
  fc.constant({
    tool: 'spawn_plans',
    input: { key: 'k', rationale: 'r', confidence: 1, children: [{ key: 'a', prompt: 'p' }] },
  }),
)

const reply: fc.Arbitrary<AssistantMessage> = fc
  .tuple(fc.array(call, { maxLength: 20 }), fc.string(), fc.boolean())
  .map(([calls, text, isCut]) => replyOf(calls, text, isCut))

const failure = fc
  .constantFrom({}, { reason: 'context_length' })
  .map(facts => refuse('invalid_input', 'no', facts).failure)

/** Whatever the loop may answer to a request. */
function outcomeOf(
  request: ActorRequest,
  draw: (from: number) => number,
  said: AssistantMessage,
  no: Outcome,
) {
  const guided: Outcome = { kind: 'guided', guidance: 'other' }
  const among = (...all: readonly Outcome[]) => all[draw(all.length)] ?? no
  switch (request.kind) {
    case 'call_model':
      return draw(10) === 0
        ? no
        : ({ kind: 'model_replied', head: nextHead(), reply: said, usage: noUsage } satisfies Outcome)
    case 'record_decision':
      return among(
        { kind: 'decided', decisionId, optionId: request.chosen },
        { kind: 'decided', decisionId, optionId: 'something else' },
        { kind: 'decision_rejected', optionId: request.chosen, note: null },
        guided,
      )
    case 'call_tool':
      return among(
        { kind: 'tool_result', output: { text: 'a\u202e\n~~~~~', list: [1] } },
        { kind: 'tool_refused', failure: refuse('denied', 'no').failure },
        guided,
      )
    case 'ask':
      return among({ kind: 'answered', optionId: null, note: null })
    case 'spawn_plans':
      return among(
        { kind: 'spawned', children: [] },
        { kind: 'tool_refused', failure: refuse('denied', 'no').failure },
      )
    case 'validate':
      return among({ kind: 'validated', result: 'failed', exitCode: 1, message: 'm', report: null })
    default:
      return null
  }
}

it('comes to an end within its bounds, whatever a model answers', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('strategize' as const, 'execute' as const),
      fc.array(reply, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
      failure,
      (phase, replies, luck, refusal) => {
        const told = brief({ phase })
        let turn = nextModelTurn(terms, startModel(terms, told), { kind: 'none' }, told)
        for (let count = 0; ; count++) {
          const draw = (from: number) => (luck[count % luck.length] ?? 0) % from
          const said = replies[turn.state.answers % replies.length] ?? replyOf([])
          const outcome = outcomeOf(turn.request, draw, said, { kind: 'model_refused', failure: refusal })
          if (outcome === null) break
          const stored = readModelState(JSON.parse(JSON.stringify(turn.state)))
          expect(nextModelTurn(terms, stored, { kind: 'none' }, told).request).toEqual(turn.request)
          turn = nextModelTurn(terms, stored, outcome, told)
        }
        expect(['finish', 'give_up', 'fail']).toContain(turn.request.kind)
        expect(turn.state.answers).toBeLessThanOrEqual(MOST_ANSWERS)
      },
    ),
    { numRuns: 30 },
  )
})
