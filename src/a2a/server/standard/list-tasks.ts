import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk'
import type { TaskStateName } from '../../protocol/views/plan.ts'
import { taskStateOf } from '../to-view/plan.ts'
import { conversationTask } from './conversation-task.ts'
import { planTask, taskState } from './plan-task.ts'
import type { StandardCall } from './request-handler.ts'

/** Plans and conversations, latest change first. A page token is the place of the last task, so new tasks move nothing. */
export async function listTasks(request: ListTasksRequest, call: StandardCall): Promise<ListTasksResponse> {
  const pageSize = request.pageSize || DEFAULT_PAGE
  const entries = entriesOf(call).filter(each => fits(each, request, call))
  const rest = request.pageToken ? entries.filter(each => keyOf(each) < request.pageToken) : entries
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  const tasks = await Promise.all(page.map(each => each.task()))
  return {
    tasks: tasks.map(task => trimmed(task, request)),
    nextPageToken: last && rest.length > page.length ? keyOf(last) : '',
    pageSize,
    totalSize: entries.length,
  }
}

const DEFAULT_PAGE = 50
const MOST = 1_000

interface Entry {
  readonly id: string
  readonly contextId: string
  readonly at: string
  readonly state: TaskStateName
  task(): Promise<Task>
}

function entriesOf(call: StandardCall): Entry[] {
  const plans = call.backend.plans({ phase: null, state: null, project: null, limit: MOST }).map(
    (details): Entry => ({
      id: details.plan.planId,
      contextId: details.plan.contextId,
      at: details.plan.updatedAt,
      state: taskStateOf(details),
      task: () => planTask(details, call, null),
    }),
  )
  const planIds = new Set(plans.map(each => each.id))
  const conversations = call.backend
    .conversations(MOST)
    .filter(each => !planIds.has(each.taskId))
    .map(
      (each): Entry => ({
        id: each.taskId,
        contextId: each.contextId,
        at: each.createdAt,
        state: each.state,
        task: async () => conversationTask(each, call),
      }),
    )
  return [...plans, ...conversations].sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

function fits(entry: Entry, request: ListTasksRequest, { sdk }: StandardCall): boolean {
  if (request.contextId && entry.contextId !== request.contextId) return false
  if (request.statusTimestampAfter && entry.at < request.statusTimestampAfter) return false
  const wanted = request.status ?? sdk.TaskState.TASK_STATE_UNSPECIFIED
  return wanted === sdk.TaskState.TASK_STATE_UNSPECIFIED || taskState(sdk, entry.state) === wanted
}

function keyOf({ at, id }: Pick<Entry, 'at' | 'id'>): string {
  return `${at} ${id}`
}

function trimmed(task: Task, { historyLength, includeArtifacts }: ListTasksRequest): Task {
  const length = historyLength ?? 0
  return {
    ...task,
    history: length === 0 ? [] : task.history.slice(-length),
    artifacts: includeArtifacts ? task.artifacts : [],
  }
}
