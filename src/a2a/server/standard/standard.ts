/**
 * A2A's standard methods in both generations: the SDK carries the shapes, we carry the life of a task. What the SDK
 * gets wrong in front of its handlers is put right here. Begin with `openStandard`.
 */
import type { ServerCallContext } from '@a2a-js/sdk/server'
import type { Frame } from '../../protocol/envelope.ts'
import { agentCard } from '../agent-card.ts'
import type { Call } from '../call.ts'
import type { Answer, DispatcherOptions, Frames, Request } from '../dispatcher.ts'
import { generationOf, isRecord, SUPPORTED_VERSIONS, takeServiceParameters } from '../service-parameters.ts'
import { paramsFault, repairedParams } from './check-params.ts'
import { standardError, withData } from './error-frame.ts'
import { openHistory } from './history.ts'
import { legacyList } from './legacy-list.ts'
import { type StandardMethod, standardMethods } from './names.ts'
import { createRequestHandler, findersOf, type StandardCall } from './request-handler.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { createShownGates } from './shown-gates.ts'

export const standardMethodNames: readonly string[] = [...standardMethods.keys()]

export function isStandardMethod(method: string): boolean {
  return standardMethods.has(method)
}

export interface Standard {
  answer(request: Request, call: Call): Promise<Answer>
}

export function openStandard(options: DispatcherOptions): Standard {
  const shown = createShownGates()
  let opened: Promise<Opened> | null = null
  return {
    async answer(request, call) {
      const method = standardMethods.get(request.method)
      if (!method) throw new Error(`${request.method} is no standard method`)
      const { version, params } = takeServiceParameters(request.params)
      const fault = faultOf(version ?? call.session.version, method, params)
      if (fault) return { kind: 'response', frame: { jsonrpc: '2.0', id: request.id, error: fault } }
      // Before anything is waited for: a text answers what its writer had been shown, not what is shown meanwhile.
      const standing = { shown, shownBefore: shown.last(taskIn(params)) }
      opened ??= open(options)
      const { handle } = await opened
      return handle(method, { ...request, params: repairedParams(params) }, { ...call, ...standing })
    },
  }
}

function faultOf(version: string, method: StandardMethod, params: Request['params']) {
  if (generationOf(version) === null)
    return standardError(method.generation, -32009, `A2A version ${version} is not spoken here.`, {
      supported: SUPPORTED_VERSIONS.join(', '),
    })
  const fault = paramsFault(method.name, params)
  return fault === null ? null : standardError(method.generation, -32602, fault)
}

/** Clients of our guide name the task where A2A names the context. */
function taskIn({ message }: Request['params']): string {
  return isRecord(message) ? String(message['taskId'] || message['contextId'] || '') : ''
}

type Standing = Pick<StandardCall, 'shown' | 'shownBefore'>

interface Opened {
  handle(method: StandardMethod, request: Request, call: Call & Standing): Promise<Answer>
}

async function open(options: DispatcherOptions): Promise<Opened> {
  const sdk = await loadSdk()
  const shared = {
    sdk,
    history: openHistory(sdk, options.backend),
    ...findersOf(options.backend),
  }
  const handler = createRequestHandler({
    sdk,
    card: sdk.AgentCard.fromJSON(agentCard({ binding: 'stdio', version: options.version })),
    callOf: context => callIn(context),
  })
  const current = new sdk.JsonRpcTransportHandler(handler)
  const legacy = new sdk.LegacyJsonRpcTransportHandler(handler)
  return {
    async handle({ generation, name }, { id, params }, call) {
      const context = contextFor(sdk, generation, { ...call, ...shared })
      const body = { jsonrpc: '2.0', id, method: name, params }
      if (name === 'tasks/list') return respond(await legacyList(sdk, handler, body, context), generation)
      const answer = await (generation === '1.0' ? current : legacy).handle(body, context)
      if (!(Symbol.asyncIterator in answer)) return respond(answer, generation)
      return { kind: 'stream', id, frames: framesOf(answer, generation, id, sdk) }
    },
  }
}

function contextFor(
  sdk: Sdk,
  generation: StandardMethod['generation'],
  call: StandardCall,
): ServerCallContext {
  return new sdk.ServerCallContext({ requestedVersion: generation, state: new Map([['call', call]]) })
}

function callIn(context: ServerCallContext): StandardCall {
  // Put there by `contextFor`, the only maker of contexts.
  return context.state.get('call') as StandardCall
}

function respond(frame: unknown, generation: StandardMethod['generation']): Answer {
  // The SDK's responses are JSON-RPC responses; its types leave the error's data wider.
  return { kind: 'response', frame: withData(frame, generation) } as Answer
}

async function* framesOf(
  items: AsyncGenerator<unknown>,
  generation: StandardMethod['generation'],
  id: Request['id'],
  sdk: Sdk,
): Frames {
  try {
    for (;;) {
      const next = await items.next()
      if (next.done) return 'complete'
      // What the SDK yields is a JSON-RPC response of this request.
      yield finalOnInput(next.value) as Frame
    }
  } catch (error) {
    const map =
      generation === '1.0'
        ? sdk.JsonRpcTransportHandler.mapToJSONRPCError
        : sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError
    yield withData({ jsonrpc: '2.0', id, error: map(error) }, generation) as Frame
    return 'failed'
  }
}

/** In 0.3 the last frame says so. The SDK says it only where a task ends, not where it asks. */
function finalOnInput(frame: unknown): unknown {
  const result = isRecord(frame) ? frame['result'] : null
  if (!isRecord(frame) || !isRecord(result) || result['kind'] !== 'status-update') return frame
  const status = result['status']
  if (!isRecord(status) || status['state'] !== 'input-required') return frame
  return { ...frame, result: { ...result, final: true } }
}
