import type { ModelCall, ModelHands, ModelReply } from '../../src/application/ports/model.ts'
import type { Ports } from '../../src/application/ports.ts'
import type { Actor, ActorRequest, Outcome } from '../../src/domain/actor/actor.ts'
import { ok, type Result, refuse } from '../../src/domain/failure.ts'
import { type AssistantPart, textOf, toolCallsOf } from '../../src/domain/model/message.ts'
import type { Price } from '../../src/domain/model/usage.ts'

type Answer = (call: ModelCall, hands: ModelHands) => Promise<Result<ModelReply>> | Result<ModelReply>

/** What a scripted model answers, one after the other; the last one for good. Without any, the true one is asked. */
export interface Script {
  readonly answers: readonly Answer[]
  readonly price?: Price | null
  /** What the actor says it changed when it finishes Execute. */
  readonly claims?: readonly string[]
}

/** An action of such an actor. */
export const TALK = `name: local/talk
description: Talk
definition_of_done: done
strategy_actor: test/model
execution_actor: test/model
`

export const PRICE: Price = { input: 1, output: 10, cachedInput: null, asOf: '2026-11-30', source: 'setting' }

/** Surroundings in which `test/talker` asks a scripted model; `calls` are those that were made. */
export function scripted(script: Script): { ports: (ports: Ports) => Ports; calls: ModelCall[] } {
  const calls: ModelCall[] = []
  const models: Partial<Ports['models']> = {
    resolve: name => ok(name),
    facts: () => ({ contextTokens: 10_000, maxOutputTokens: 100, price: script.price ?? null }),
    call: async (call, hands) => {
      calls.push(call)
      const answer = script.answers[calls.length - 1] ?? script.answers.at(-1)
      if (!answer) throw new Error('the script says nothing')
      return answer(call, hands)
    },
  }
  const ports = (around: Ports): Ports => ({
    ...around,
    models: script.answers.length === 0 ? around.models : { ...around.models, ...models },
    actors: { ...around.actors, forAction: (_action, phase) => ok(talker(phase, script)) },
    actions: { ...around.actions, unavailable: () => null },
  })
  return { ports, calls }
}

export function says(text: string, usage: Partial<ModelReply['usage']> = {}): Answer {
  return (_call, { onPart }) => {
    onPart({ kind: 'text', text })
    return reply([{ kind: 'text', text, opaque: null }], usage)
  }
}

/** It wants `path` written. */
export function writes(path: string): Answer {
  const input = JSON.stringify({ path, content: path })
  return () => reply([{ kind: 'tool_call', callId: path, tool: 'builtin/write_file', input, opaque: null }])
}

export function fails(...failing: Parameters<typeof refuse>): Answer {
  return () => refuse(...failing)
}

/** Begins, and never comes to an end by itself. */
export function hangsAfter(text: string, begun: () => void = () => {}): Answer {
  return (_call, { signal, onPart }) =>
    new Promise((_resolve, reject) => {
      onPart({ kind: 'text', text })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      begun()
    })
}

function reply(
  parts: readonly AssistantPart[],
  usage: Partial<ModelReply['usage']> = {},
): Result<ModelReply> {
  const message = { role: 'assistant', parts, isCut: false } as const
  return ok({ message, usage: { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: null, ...usage } })
}

/** Asks until the model calls no tool any more, and does what it calls for. */
function talker(phase: 'strategize' | 'execute', { claims }: Script): Actor {
  return {
    name: 'test/talker',
    wantsContext: false,
    start: () => ({ head: null, turn: 0 }),
    next: async (state, outcome) => {
      const head = outcome.kind === 'model_replied' ? outcome.head : state['head']
      const turn = Number(state['turn']) + 1
      return { state: { head, turn }, request: requestFor(outcome, { head, turn, phase, claims }) }
    },
  }
}

interface Standing {
  readonly head: unknown
  readonly turn: number
  readonly phase: 'strategize' | 'execute'
  readonly claims: readonly string[] | undefined
}

function requestFor(outcome: Outcome, { head, turn, phase, claims = [] }: Standing): ActorRequest {
  const step = `model[${turn}]`
  const finish = {
    kind: 'finish',
    step,
    fixesChecks: false,
    strategy: null,
    claims: phase === 'execute' && claims.length > 0 ? claims : null,
  } as const
  if (outcome.kind === 'model_refused') return { ...finish, note: `refused: ${outcome.failure.code}` }
  if (outcome.kind === 'model_replied') {
    const [called] = toolCallsOf(outcome.reply)
    if (called)
      return {
        kind: 'call_tool',
        step,
        tool: called.tool,
        input: JSON.parse(called.input),
        costUsd: 0,
        influencedBy: [],
      }
    const text = textOf(outcome.reply)
    return { ...finish, note: text, strategy: phase === 'strategize' ? text : null }
  }
  return {
    kind: 'call_model',
    step,
    model: 'test/model',
    after: typeof head === 'string' ? (head as never) : null, // it came as the id of a message
    say: [{ role: 'user', text: `${phase} ${turn}: ${outcome.kind}` }],
    tools: ['give_up'],
    maxOutputTokens: 100,
  }
}
