/** Names that are reserved and answer that they are not available yet. */
import { later } from './row.ts'

export const unavailableMethods = {
  '_cleveragents/context/show': later('Context.', ['context.get']),
  '_cleveragents/context/inspect': later('Context.'),
  '_cleveragents/context/simulate': later('Context.'),
  '_cleveragents/context/set': later('Context.'),
  '_cleveragents/sync/pull': later('Synchronisation.'),
  '_cleveragents/sync/push': later('Synchronisation.'),
  '_cleveragents/sync/status': later('Synchronisation.'),
  '_cleveragents/namespace/list': later('Namespaces.'),
  '_cleveragents/namespace/show': later('Namespaces.'),
  '_cleveragents/namespace/members': later('Namespaces.'),
} as const
