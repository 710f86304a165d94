import type { Task } from '@a2a-js/sdk'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { isRecord } from '../service-parameters.ts'
import type { Sdk } from './sdk.ts'

/**
 * `tasks/list` in the shapes of 0.3. That generation has no such method and the SDK keeps its translators to itself; its
 * handler translates whatever task it is given to serve, so it is given one task at a time.
 */
export async function legacyList(
  sdk: Sdk,
  handler: Pick<A2ARequestHandler, 'listTasks'>,
  body: { readonly id: string | number | null; readonly params: Readonly<Record<string, unknown>> },
  context: ServerCallContext,
): Promise<unknown> {
  const { tasks, ...page } = await handler.listTasks(sdk.ListTasksRequest.fromJSON(body.params), context)
  return {
    jsonrpc: '2.0',
    id: body.id,
    result: { ...page, tasks: await Promise.all(tasks.map(task => translated(sdk, task, context))) },
  }
}

async function translated(sdk: Sdk, task: Task, context: ServerCallContext): Promise<unknown> {
  // Only `getTask` is asked of it.
  const serving = { getTask: async () => task } as unknown as A2ARequestHandler
  const request = { jsonrpc: '2.0', id: 0, method: 'tasks/get', params: { id: task.id } }
  const answer = await new sdk.LegacyJsonRpcTransportHandler(serving).handle(request, context)
  return isRecord(answer) ? answer['result'] : null
}
