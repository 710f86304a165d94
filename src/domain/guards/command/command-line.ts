/**
 * A command line as the guards see it: what programs it would start, with which words. The parser stands outside of the
 * domain and is handed in; this folder says what its results mean for a list of rules. Begin with judge-command.ts.
 */
export interface CommandLine {
  /** As the actor gave it. */
  readonly text: string
  /** Absolute path of the project, which commands see as their own. */
  readonly root: string
  /** Where it runs, relative to the root; empty for the root itself. */
  readonly folder: string
}

/** Half open, in UTF-16 units of the whole command line. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Stands in the value of a word for what is known only when it runs; no argument can contain it. */
export const HOLE = '\0'

export interface ShellWord {
  /** As written. */
  readonly text: string
  /** Without its quotes. */
  readonly value: string
  /** It may become several words, or none. */
  readonly splits: boolean
  readonly span: Span
}

/** One program with its words, wherever in the line it stands. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly Assignment[]
  readonly files: readonly OpenedFile[]
  readonly input: CommandInput
  readonly span: Span
}

export interface Assignment {
  readonly name: string
  readonly value: ShellWord | null
  readonly span: Span
}

/** A redirection to or from a file. */
export interface OpenedFile {
  readonly direction: 'read' | 'write'
  readonly target: ShellWord
  readonly span: Span
}

export type CommandInput =
  | { readonly kind: 'none' }
  /** What comes is known only when it runs. */
  | { readonly kind: 'piped' }
  | { readonly kind: 'text'; readonly text: ShellWord }

export type ParsedLine =
  | { readonly kind: 'parsed'; readonly commands: readonly SimpleCommand[] }
  /** It cannot be told for certain what would run. */
  | { readonly kind: 'unclear'; readonly reason: string }

export type ShellParser = (text: string) => ParsedLine
