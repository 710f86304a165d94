/** Every part of a command line that has to answer to the rules, those inside of other commands included. */
import {
  type CommandLine,
  HOLE,
  type OpenedFile,
  type ShellParser,
  type ShellWord,
  type SimpleCommand,
  type Span,
} from './command-line.ts'
import { freeBuiltins } from './programs.ts'
import { type Unwrapped, unwrap } from './unwrap.ts'
import { effectOf } from './variables.ts'

export interface CommandPart {
  readonly kind: 'command' | 'assignment' | 'read' | 'write' | 'whole'
  /** As written. */
  readonly text: string
  readonly span: Span
  /** Of a redirection, its file; of an assignment, the whole of it as one word. */
  readonly words: readonly ShellWord[]
  /** Where it runs inside another program. */
  readonly inside: { readonly part: CommandPart; readonly at: number | null } | null
  /** It passes without a rule, as far as the allowlist is concerned. */
  readonly isFree: boolean
  /** Why it cannot be told what it would run; null when it can. */
  readonly unclear: string | null
  /** Why nothing can be said about what it would do in turn, however its words read. */
  readonly opaque: string | null
  /** Whether its words may be commands. */
  readonly runsWords: boolean
}

const DEEPEST = 8

export function partsOf(line: CommandLine, parse: ShellParser): CommandPart[] {
  const parts: CommandPart[] = []
  addLine({ text: line.text, span: null, inside: null, depth: 0 })
  return parts

  function addLine(read: Reading): void {
    const { text, span, inside } = read
    const parsed = text.includes(HOLE)
      ? ({ kind: 'unclear', reason: 'a part of it is known only when it runs' } as const)
      : read.depth > DEEPEST
        ? ({ kind: 'unclear', reason: 'commands are nested too deeply in it' } as const)
        : parse(text)
    if (parsed.kind === 'unclear') {
      const whole = span ?? { start: 0, end: text.length }
      const shown = line.text.slice(whole.start, whole.end)
      parts.push({ ...bare, kind: 'whole', text: shown, span: whole, inside, unclear: parsed.reason })
      return
    }
    for (const command of parsed.commands) addCommand(span ? moved(command, span) : command, read)
  }

  function addCommand(command: SimpleCommand, { inside, depth }: Omit<Reading, 'text' | 'span'>): void {
    for (const { name, value, span } of command.assignments) {
      const effect = effectOf(name)
      if (effect === 'none') continue
      const word = { text: textAt(span), value: `${name}=${value?.value ?? HOLE}`, splits: false, span }
      const opaque = effect === 'loads code' ? `what runs with another ${name} cannot be told` : null
      parts.push({ ...bare, kind: 'assignment', text: word.text, span, words: [word], inside, opaque })
    }
    for (const file of command.files) parts.push(filePart(file, inside))
    if (command.words.length === 0) return
    const unwrapped = unwrap(command)
    const part = commandPart(command, unwrapped, inside)
    parts.push(part)
    for (const inner of unwrapped.commands) {
      const { at, ...rest } = inner
      addCommand(rest, { inside: { part, at }, depth: depth + 1 })
    }
    for (const { text, span } of unwrapped.lines)
      addLine({ text, span, inside: { part, at: null }, depth: depth + 1 })
  }

  function commandPart(
    command: SimpleCommand,
    unwrapped: Unwrapped,
    inside: CommandPart['inside'],
  ): CommandPart {
    const { start } = command.words[0]?.span ?? command.span
    const end = Math.max(start, ...command.words.map(word => word.span.end))
    return {
      kind: 'command',
      text: textAt({ start, end }),
      span: { start, end },
      words: command.words,
      inside,
      isFree: unwrapped.isFree || isFreeBuiltin(command.words),
      unclear: unwrapped.unclear,
      opaque: unwrapped.opaque,
      runsWords: unwrapped.runsWords,
    }
  }

  function filePart({ direction, target, span }: OpenedFile, inside: CommandPart['inside']): CommandPart {
    const isFree = direction === 'read' || /^\/dev\/(null|stdout|stderr)$/.test(target.value)
    return { ...bare, kind: direction, text: textAt(span), span, words: [target], inside, isFree }
  }

  function textAt({ start, end }: Span): string {
    return line.text.slice(start, end)
  }
}

interface Reading {
  readonly text: string
  /** Its place in the whole line; null for the line itself. */
  readonly span: Span | null
  readonly inside: CommandPart['inside']
  readonly depth: number
}

const bare = { words: [], isFree: false, unclear: null, opaque: null, runsWords: false } as const

/** Positions of a line within a line count from elsewhere: it stands where its argument stands. */
function moved(command: SimpleCommand, span: Span): SimpleCommand {
  const words = command.words.map(word => ({ ...word, span }))
  const files = command.files.map(file => ({ ...file, span }))
  return { ...command, words, files, assignments: command.assignments.map(each => ({ ...each, span })), span }
}

function isFreeBuiltin([program, ...rest]: readonly ShellWord[]): boolean {
  if (!program) return false
  if (freeBuiltins.has(program.value)) return true
  const values = rest.map(word => word.value)
  if (program.value === 'printf') return !(values[0] ?? '').startsWith('-v')
  if (program.value === 'set')
    return values.every(value => /^(-[eux]+|-o|-eu?x?o|-[eux]*o|pipefail)$/.test(value))
  return program.value === 'cd' && rest.length === 1 && staysInside(values[0] ?? HOLE)
}

function staysInside(folder: string): boolean {
  return !folder.includes(HOLE) && !/^[/~-]/.test(folder) && !folder.split('/').includes('..')
}
