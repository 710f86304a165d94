/**
 * The one door to the use cases, whatever way a frame came in: envelope, version, method row, schema, handler, view.
 * It must not know pipes, sockets or the screen. Begin with `createDispatcher`.
 */
import type { Backend } from '../../application/backend.ts'
import type { Result } from '../../domain/failure.ts'
import { nearest } from '../../domain/nearest.ts'
import type { ProcessIdentity } from '../../domain/plan/journal.ts'
import type {
  Frame,
  JsonRpcError,
  JsonRpcId,
  JsonRpcResponse,
  StreamEndReason,
} from '../protocol/envelope.ts'
import type { WireEvent } from '../protocol/events.ts'
import type { Call, Session } from './call.ts'
import { handlers, streams } from './handlers.ts'
import { findMethod, methodNames, type NamedMethod } from './method-names.ts'
import { readRequest } from './read-request.ts'
import { generationOf, SUPPORTED_VERSIONS, takeServiceParameters } from './service-parameters.ts'
import { isStandardMethod, openStandard, standardMethodNames } from './standard/standard.ts'
import { toError, wireError } from './to-error.ts'

export interface DispatcherOptions {
  readonly backend: Backend
  /** This process, so that views can say "runs here". */
  readonly here: ProcessIdentity
  /** In whose name gates are answered. */
  readonly user: string
  /** Of the program. */
  readonly version: string
  readonly log: (message: string, facts?: Record<string, unknown>) => void
}

export interface Dispatcher {
  /** Never rejects. The signal ends waiting and streams; it does not undo what is on record. */
  dispatch(frame: unknown, session: Session, signal: AbortSignal): Promise<Answer>
}

export type Answer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'response'; readonly frame: JsonRpcResponse }
  /** Frames are made when asked for. An error response among them ends the stream by itself. */
  | { readonly kind: 'stream'; readonly id: JsonRpcId; readonly frames: Frames }

export type Frames = AsyncGenerator<Frame, StreamEndReason | 'failed'>

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const standard = openStandard(options)
  return {
    async dispatch(frame, session, signal) {
      const request = readRequest(frame)
      if (request.kind === 'ignored') {
        options.log('ignored a frame', { reason: request.reason })
        return { kind: 'nothing' }
      }
      if (request.kind === 'refused') return failed(request.id, request.error)
      const id = request.id ?? null
      const call = { ...options, session, signal }
      try {
        const answer = isStandardMethod(request.method)
          ? await standard.answer({ ...request, id }, call)
          : await answerOurs({ ...request, id }, call, options.log)
        return request.id === undefined ? silenced(answer) : answer
      } catch (error) {
        return request.id === undefined
          ? { kind: 'nothing' }
          : failed(id, asError(error, request.method, call, options.log))
      }
    },
  }
}

export interface Request {
  readonly id: JsonRpcId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

async function answerOurs(request: Request, call: Call, log: DispatcherOptions['log']): Promise<Answer> {
  const found = findMethod(request.method)
  if (!found) return failed(request.id, unknownMethod(request.method))
  if (found.deprecated) log('a deprecated method name was used', found.deprecated)
  const { version, params } = takeServiceParameters(request.params)
  const error = versionError(version ?? call.session.version) ?? availability(found)
  if (error) return failed(request.id, error, found)
  const checked = found.row.params.safeParse(params)
  if (!checked.success) return failed(request.id, badParams(request.method, checked.error.issues), found)
  if (found.row.streaming) return openStream(found, checked.data, request.id, call)
  const result = await run(found.name, checked.data, call)
  if (!result.ok) return failed(request.id, toError(result.failure), found)
  return succeeded(request.id, result.value, found)
}

async function openStream(found: NamedMethod, params: unknown, id: JsonRpcId, call: Call): Promise<Answer> {
  const opened = await openers[found.name]?.(params, call)
  if (!opened) throw new Error(`${found.name} is said to stream, but nothing opens it`)
  if (!opened.ok) return failed(id, toError(opened.failure), found)
  return { kind: 'stream', id, frames: framesOf(id, marked(opened.value.result, found), opened.value.events) }
}

async function* framesOf(
  id: JsonRpcId,
  result: unknown,
  events: AsyncGenerator<WireEvent, StreamEndReason>,
): Frames {
  yield { jsonrpc: '2.0', id, result }
  for (;;) {
    const next = await events.next()
    if (next.done) return next.value
    const { method, ...params } = next.value
    yield { jsonrpc: '2.0', method, params }
  }
}

// The params were checked by the row of the same name; the tables are complete by type, which a lookup by a
// computed name cannot show.
type Run = (params: unknown, call: Call) => Result<unknown> | Promise<Result<unknown>>
type Open = (
  params: unknown,
  call: Call,
) => Promise<Result<{ result: unknown; events: AsyncGenerator<WireEvent, StreamEndReason> }>>
const runners = handlers as unknown as Readonly<Record<string, Run>>
const openers = streams as unknown as Readonly<Record<string, Open>>

function run(name: string, params: unknown, call: Call): Result<unknown> | Promise<Result<unknown>> {
  const runner = runners[name]
  if (!runner) throw new Error(`${name} is said to be available, but nothing handles it`)
  return runner(params, call)
}

function versionError(version: string): JsonRpcError | null {
  if (generationOf(version) !== null) return null
  return wireError('version_mismatch', `A2A version ${version} is not spoken here.`, {
    version,
    supported: SUPPORTED_VERSIONS,
  })
}

function availability({ name, row }: NamedMethod): JsonRpcError | null {
  if (row.available !== false) return null
  return wireError('not_available', `${name} is not available yet: ${row.what}`, { method: name })
}

function unknownMethod(method: string): JsonRpcError {
  const near = nearest(method, [...methodNames(), ...standardMethodNames])
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  const name = firstLine(method)
  return wireError('method_not_found', `There is no method ${name}.${hint}`, { method: name, nearest: near })
}

function badParams(
  method: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): JsonRpcError {
  const wrong = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const words = wrong.map(({ path, message }) => `${path || 'params'}: ${message}`)
  return wireError('invalid_input', `The params of ${method} are not right. ${words.join('; ')}`, {
    issues: wrong,
  })
}

/** Aborted waiting is no bug. Everything else that was thrown is one: its stack is for the log only. */
function asError(error: unknown, method: string, call: Call, log: DispatcherOptions['log']): JsonRpcError {
  if (call.signal.aborted)
    return wireError('interrupted', `${method} was waited for no longer; what it started goes on.`, {})
  log(`${method} failed`, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  const what = error instanceof Error ? error.message : String(error)
  return wireError('internal', `${method} failed inside the backend: ${firstLine(what)}`, { method })
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}...` : line
}

function succeeded(id: JsonRpcId, result: unknown, found: NamedMethod): Answer {
  return { kind: 'response', frame: { jsonrpc: '2.0', id, result: marked(result, found) } }
}

function failed(id: JsonRpcId, error: JsonRpcError, found?: NamedMethod): Answer {
  const data = found ? marked(error.data, found) : error.data
  return { kind: 'response', frame: { jsonrpc: '2.0', id, error: { ...error, data } } }
}

/** Says in the answer that an older name was used, and which one to use. */
function marked(value: unknown, { deprecated }: NamedMethod): unknown {
  return deprecated && typeof value === 'object' ? { ...value, deprecated } : value
}

/** A notification is acted on and never answered. */
function silenced(answer: Answer): Answer {
  if (answer.kind === 'stream') void answer.frames.return('cancelled')
  return { kind: 'nothing' }
}
