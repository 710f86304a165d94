import type { ModelCall, ModelHands, ModelReply } from '../../application/ports/model.ts'
import { ok, type Result } from '../../domain/failure.ts'
import { failureOfEnd, failureOfError, saidNothing } from './failures.ts'
import { type Gathering, gatherReply } from './gather-reply.ts'
import type { CallOptions, StreamPart } from './language-model.ts'
import { openModel } from './open-model.ts'
import type { Provider } from './providers.ts'
import { toPrompt } from './to-prompt.ts'
import { toolNames } from './tool-names.ts'

export interface Asking {
  readonly provider: Provider
  readonly key: string | null
  /** As the provider calls it. */
  readonly model: string
  /** A server that says nothing for so long counts as gone. */
  readonly idleMs: number
}

/** One try: the stream of one answer, put together. The loop decides about another try. */
export async function callModel(
  asking: Asking,
  call: ModelCall,
  hands: ModelHands,
): Promise<Result<ModelReply>> {
  const { provider, key, model, idleMs } = asking
  const names = toolNames(call.tools.map(tool => tool.name))
  const gathering = gatherReply(call.model, names, hands.onPart)
  const ended = watch(hands.signal, idleMs)
  try {
    const opened = await openModel(provider, model, key)
    const options = callOptions(call, names.toWire, toPrompt(call.messages, call.model, names))
    const { stream } = await ended.before(opened.doStream({ ...options, abortSignal: ended.signal }))
    await readAll(stream, gathering, ended)
  } catch (error) {
    if (hands.signal.aborted) return ok(gathering.reply(true))
    return ended.isIdle() ? saidNothing(asking, idleMs) : failureOfError(asking, error)
  } finally {
    ended.stop()
  }
  const error = gathering.error()
  if (error) return failureOfError(asking, error.cause)
  const finish = gathering.finish()
  if (finish?.unified === 'length') return ok(gathering.reply(true))
  if (finish !== null && isWhole(finish)) return ok(gathering.reply(false))
  return failureOfEnd(asking, finish, gathering.reply(true))
}

/** Many servers name the end in words of their own; only one that says nothing broke off. */
function isWhole({ unified, raw }: NonNullable<ReturnType<Gathering['finish']>>): boolean {
  return unified === 'stop' || unified === 'tool-calls' || (unified === 'other' && raw !== undefined)
}

function callOptions(
  { tools, maxOutputTokens }: ModelCall,
  toWire: (name: string) => string,
  prompt: CallOptions['prompt'],
): CallOptions {
  return {
    prompt,
    maxOutputTokens,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function' as const,
            name: toWire(name),
            description,
            inputSchema,
          })),
          toolChoice: { type: 'auto' as const },
        }),
    // What was said stays with us: nothing needs to be kept at OpenAI to go on.
    providerOptions: { openai: { store: false } },
  }
}

async function readAll(
  stream: ReadableStream<StreamPart>,
  gathering: Gathering,
  ended: Watch,
): Promise<void> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await ended.before(reader.read())
      if (done) return
      gathering.take(value)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

interface Watch {
  /** Ends when the person stops the call, or when the server says nothing for too long. */
  readonly signal: AbortSignal
  /** Waits for something the server does; rejects at once when the call ends, whatever the package does. */
  before<Value>(work: PromiseLike<Value>): Promise<Value>
  isIdle(): boolean
  stop(): void
}

function watch(person: AbortSignal, idleMs: number): Watch {
  const idle = new AbortController()
  const signal = AbortSignal.any([person, idle.signal])
  let timer: NodeJS.Timeout | null = null
  const stop = () => {
    if (timer) clearTimeout(timer)
  }
  return {
    signal,
    before: async work => {
      stop()
      timer = setTimeout(() => idle.abort(), idleMs)
      const { promise, reject } = Promise.withResolvers<never>()
      const leave = () => reject(signal.reason)
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([work, promise])
      } finally {
        signal.removeEventListener('abort', leave)
        // Whoever lost the race may still fail.
        work.then(null, () => {})
      }
    },
    isIdle: () => idle.signal.aborted,
    stop,
  }
}
