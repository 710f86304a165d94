import type { MethodName } from '../a2a/protocol/methods.ts'
import type { Command } from './command.ts'

/** One command. Parser, help, completion and docs/commands.md are made from these rows. */
export interface CommandRow {
  /** As typed: `plan checkpoint list`. */
  readonly words: string
  readonly summary: string
  readonly arguments: readonly ArgumentRow[]
  readonly flags: readonly FlagRow[]
  /** A whole command line, as one would type it. */
  readonly example: string
  /** Other spellings of the last word. */
  readonly aliases?: readonly string[]
  /** Said in the help of the command, after its example. */
  readonly note?: string
  readonly methods: readonly MethodName[]
  /** later: shown, and answers that it is not available yet. */
  readonly load: (() => Promise<Command>) | 'later'
}

export interface ArgumentRow {
  readonly name: string
  readonly how: 'required' | 'optional' | 'any number'
  readonly what: string
  readonly choices?: readonly string[]
}

export interface FlagRow {
  readonly name: string
  /** Its value in help; null for a switch. */
  readonly value: string | null
  readonly how: 'required' | 'optional' | 'repeatable'
  readonly what: string
  readonly short?: string
  /** A number of 0 or more: a whole one, or any. */
  readonly number?: 'whole' | 'any'
  readonly choices?: readonly string[]
}

export function argument(name: string, what: string, how: ArgumentRow['how'] = 'required'): ArgumentRow {
  return { name, what, how }
}

export function flag(
  name: string,
  value: string | null,
  what: string,
  how: FlagRow['how'] = 'optional',
): FlagRow {
  return { name, value, what, how }
}

/** A flag that takes one of a few words, which help, completion and the parser all know. */
export function choice(name: string, choices: readonly string[], what: string): FlagRow {
  return { name, value: choices.join('|'), what, how: 'optional', choices }
}
