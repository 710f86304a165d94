import type { StreamResponse } from '@a2a-js/sdk'
import type { Session } from '../../../domain/session/session.ts'
import { artifact, textPart } from './parts.ts'
import type { StandardCall } from './request-handler.ts'

/** At most so many pieces a second: a reader can follow no more, and each is a frame. */
const PAUSE_MS = 34

/**
 * What a session's model says, while it says it: the task as it works, then pieces of its answer as an artifact that
 * grows. Returns what came of the message.
 */
export async function* whileAnswering<Value>(
  call: StandardCall,
  take: (call: StandardCall) => Promise<Value>,
): AsyncGenerator<StreamResponse, Value> {
  let said = ''
  let session: Session | null = null
  let wake = Promise.withResolvers<void>()
  const onText = (of: Session, text: string) => {
    session = of
    said += text
    wake.resolve()
  }
  let isDone = false
  const taken = take({ ...call, onText }).finally(() => {
    isDone = true
    wake.resolve()
  })
  // Whoever waits for it below hears of a failure; until then nobody does.
  taken.catch(() => {})
  for (let pieces = 0; ; ) {
    await wake.promise
    wake = Promise.withResolvers()
    if (said !== '' && session !== null) {
      const [of, text]: [Session, string] = [session, said]
      said = ''
      if (pieces++ === 0) yield working(of, call)
      yield piece(of, { text, append: pieces > 1, lastChunk: isDone })
    }
    if (isDone) break
    await pause()
    if (said !== '' || isDone) wake.resolve()
  }
  return taken
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, PAUSE_MS))
}

function working({ sessionId, createdAt }: Session, { sdk, history }: StandardCall): StreamResponse {
  const value = {
    id: sessionId,
    contextId: sessionId,
    status: { state: sdk.TaskState.TASK_STATE_WORKING, message: undefined, timestamp: createdAt },
    artifacts: [],
    history: history.of(sessionId),
    metadata: undefined,
  }
  return { payload: { $case: 'task', value } }
}

interface Piece {
  readonly text: string
  readonly append: boolean
  readonly lastChunk: boolean
}

function piece({ sessionId }: Session, { text, append, lastChunk }: Piece): StreamResponse {
  const value = {
    taskId: sessionId,
    contextId: sessionId,
    artifact: artifact('answer', 'What is said, as it is said', [textPart(text)]),
    append,
    lastChunk,
    metadata: undefined,
  }
  return { payload: { $case: 'artifactUpdate', value } }
}
