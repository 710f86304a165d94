import type { Generation } from '../service-parameters.ts'

export interface StandardMethod {
  /** The name decides the shapes, whatever the version header says. */
  readonly generation: Generation
  /** What the SDK calls it; differs for the names of our guide. */
  readonly name: string
}

const old = (name: string): StandardMethod => ({ generation: '0.3', name })
const current = (name: string): StandardMethod => ({ generation: '1.0', name })

export const standardMethods: ReadonlyMap<string, StandardMethod> = new Map([
  ...[
    'message/send',
    'message/stream',
    'tasks/get',
    'tasks/list',
    'tasks/cancel',
    'tasks/resubscribe',
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotificationConfig/list',
    'tasks/pushNotificationConfig/delete',
    'agent/getAuthenticatedExtendedCard',
  ].map(name => [name, old(name)] as const),
  ['tasks/subscribe', old('tasks/resubscribe')],
  ['pushNotificationConfig/set', old('tasks/pushNotificationConfig/set')],
  ['pushNotificationConfig/get', old('tasks/pushNotificationConfig/get')],
  ['pushNotificationConfig/list', old('tasks/pushNotificationConfig/list')],
  ['pushNotificationConfig/delete', old('tasks/pushNotificationConfig/delete')],
  ['getExtendedAgentCard', old('agent/getAuthenticatedExtendedCard')],
  ...[
    'SendMessage',
    'SendStreamingMessage',
    'GetTask',
    'ListTasks',
    'CancelTask',
    'SubscribeToTask',
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
    'GetExtendedAgentCard',
  ].map(name => [name, current(name)] as const),
])
