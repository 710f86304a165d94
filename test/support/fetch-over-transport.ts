import type { Transport } from '../../src/a2a/client/transport.ts'
import { isRecord } from '../../src/a2a/server/service-parameters.ts'

/**
 * A `fetch` that writes to a pipe, for the SDK's own clients: a body becomes a frame, the version header a service
 * parameter, and the frames with its id become the response, as events where a stream was asked for.
 */
export function fetchOver(transport: Transport): typeof fetch {
  const waiting = new Map<unknown, (frame: Record<string, unknown> | 'end') => void>()
  transport.listen({
    onFrame(frame) {
      if (!isRecord(frame)) return
      const params = isRecord(frame['params']) ? frame['params'] : {}
      if (frame['method'] === '$/streamEnd') waiting.get(params['id'])?.('end')
      else waiting.get(frame['id'])?.(frame)
    },
    onClose: () => {
      for (const end of waiting.values()) end('end')
    },
  })

  return async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as { id: unknown; params?: Record<string, unknown> }
    const headers = new Headers(init?.headers)
    transport.send(withParameters(body, headers))
    if (headers.get('accept') === 'text/event-stream') return eventStream(body.id)
    const frame = await new Promise(resolve => waiting.set(body.id, resolve))
    return new Response(JSON.stringify(frame), { headers: { 'content-type': 'application/json' } })
  }

  function eventStream(id: unknown): Response {
    const text = new TextEncoder()
    const stream = new ReadableStream({
      start(controller) {
        waiting.set(id, frame => {
          if (frame !== 'end') controller.enqueue(text.encode(`data: ${JSON.stringify(frame)}\n\n`))
          if (frame !== 'end' && !('error' in frame)) return
          waiting.delete(id)
          controller.close()
        })
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }
}

function withParameters(body: { params?: Record<string, unknown> }, headers: Headers): unknown {
  const version = headers.get('a2a-version')
  if (version === null) return body
  const metadata = { ...(isRecord(body.params?.['metadata']) ? body.params['metadata'] : {}) }
  const parameters = { 'A2A-Version': version }
  return {
    ...body,
    params: { ...body.params, metadata: { ...metadata, 'a2a-service-parameters': parameters } },
  }
}
