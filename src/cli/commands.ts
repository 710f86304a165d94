/**
 * The table of commands. Parser, help, completion and docs/commands.md are made from it; to add a command, write a verb in
 * the command-NOUN.ts of its family and add its row in the rows.ts beside it.
 */
import type { CommandRow } from './command-row.ts'
import { laterRows } from './later-rows.ts'
import { libraryRows } from './library/rows.ts'
import { planRows } from './plan/rows.ts'
import { surroundingRows } from './surroundings/rows.ts'

export const commands: readonly CommandRow[] = [...planRows, ...libraryRows, ...surroundingRows, ...laterRows]

/** The words that only hold other commands, and what those are about. */
export const groups: Readonly<Record<string, string>> = {
  plan: 'plans: from an action to applied changes',
  'plan checkpoint': 'checkpoints of a plan',
  'plan profile': 'the profile of a plan',
  'plan guard': 'guards of a plan',
  'plan guard denylist': 'tools that a plan may not use',
  gate: 'gates that wait for a person',
  grant: 'standing approvals',
  action: 'actions: what plans are made from',
  'automation-profile': 'profiles: what goes on without asking',
  project: 'projects: folders that plans work on',
  tool: 'tools of actions',
  actor: 'actors that take decisions',
  config: 'settings',
  health: 'the state of the backend',
  diagnostics: 'the state of this machine',
  guard: 'guards',
  resource: 'resources of projects',
  'resource type': 'types of resources',
  skill: 'skills',
  validation: 'validations',
  invariant: 'invariants: what must stay true',
  session: 'conversations',
  a2a: 'the protocol',
  'a2a session': 'sessions with actors',
  token: 'tokens of clients over HTTP',
}
