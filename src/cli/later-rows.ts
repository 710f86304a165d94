import type { MethodName } from '../a2a/protocol/methods.ts'
import type { CommandRow } from './command-row.ts'

/** Commands that have a place and a meaning but no work behind them yet. They are shown, and say so. */
export const laterRows: readonly CommandRow[] = [
  later('resource tree', 'show resources by project'),
  later('resource type add', 'register a type of resource'),
  later('resource type list', 'list types of resources'),
  later('resource type show', 'show a type of resource'),
  later('actor add', 'register an actor'),
  later('skill list', 'list skills', ['_cleveragents/skill/list']),
  later('skill show', 'show a skill'),
  later('skill add', 'register a skill'),
  later('token create', 'make a token for a client over HTTP'),
  later('token list', 'list tokens'),
  later('token revoke', 'take a token back'),
]

function later(words: string, summary: string, methods: readonly MethodName[] = []): CommandRow {
  return { words, summary, arguments: [], flags: [], example: '', methods, load: 'later' }
}
