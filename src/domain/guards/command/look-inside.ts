/**
 * Looks for denied commands in what a program gets as its arguments: nobody knows every program that runs others. Found
 * there, a command is asked about, since it may as well be a word like any other.
 */
import type { ToolRule } from '../tool-rule.ts'
import { type CommandLine, HOLE, type ShellParser, type ShellWord } from './command-line.ts'
import { firstMatch, isDenied, isProgramOf, type Surroundings, wordsDenied } from './deny.ts'
import type { Denial } from './judge-command.ts'
import { type CommandPart, partsOf } from './parts.ts'
import { copiers, interpreterCalled, shells, wrappers } from './programs.ts'
import { programName } from './unwrap.ts'
import { effectOf } from './variables.ts'

export type LookInside = (part: CommandPart) => Denial | null

export function lookInside(
  deny: readonly ToolRule[],
  line: CommandLine,
  parse: ShellParser,
  around: Surroundings,
): LookInside {
  let looks = 0
  return look

  function look(part: CommandPart): Denial | null {
    if (part.kind === 'assignment') return lookIntoAssignment(part.words) ?? lookIntoTexts(part.words)
    const copied = lookAtCopies(part)
    if (copied) return copied
    if (part.kind !== 'command' || !part.runsWords) return null
    const operands = part.words.slice(1)
    for (let at = 0; at < operands.length; at++) {
      const denial = lookAtTail(operands.slice(at), part)
      if (denial) return denial
    }
    return lookIntoTexts(operands)
  }

  /** `GIT_SSH_COMMAND=...`: a program runs the value, whatever it looks like. */
  function lookIntoAssignment(words: readonly ShellWord[]): Denial | null {
    const [name = '', ...value] = words[0]?.value.split('=') ?? []
    return effectOf(name) === 'runs its value' ? lookIntoLine(value.join('='), 'is a command') : null
  }

  /** `cp /bin/rm x`, `cat < /bin/rm > x`: what was denied would run under another name. */
  function lookAtCopies(part: CommandPart): Denial | null {
    const copies = part.kind === 'command' && copiers.has(programName(part.words[0]) ?? '')
    const words = copies ? part.words.slice(1) : part.kind === 'read' ? part.words : []
    for (const word of words.filter(looksLikeProgram)) {
      const rule = deny.find(({ command }) => command?.opens === null && isProgramOf(command, word))
      if (rule) return { rule: rule.entry, why: `it copies a program that ${rule.entry} denies` }
    }
    return null
  }

  /** `some-wrapper --option rm -rf x` */
  function lookAtTail(words: readonly ShellWord[], part: CommandPart): Denial | null {
    const [first] = words
    if (!first || first.value.startsWith('-') || isAnyWord(first)) return null
    const found = firstMatch(deny, ({ command }) =>
      command?.opens === null && namesProgram(command.words) ? wordsDenied(command, words, around) : 'no',
    )
    if (found) {
      const { entry } = found.rule
      return { rule: entry, why: `${part.words[0]?.text ?? 'it'} may run what ${entry} denies` }
    }
    const program = programName(first)
    const runs = program !== null && runsOthers(program)
    return runs ? lookIntoLine(words.map(quoted).join(' '), 'is a command') : null
  }

  /** `--to-command='rm -rf x'`, `alias.x=!rm -rf x` */
  function lookIntoTexts(words: readonly ShellWord[]): Denial | null {
    for (const { value } of words) {
      for (const text of textsIn(value)) {
        const denial = lookIntoLine(text, 'may be a command')
        if (denial) return denial
      }
    }
    return null
  }

  /** A text that is no command line is no command, except where a program is sure to run it. */
  function lookIntoLine(text: string, reading: 'is a command' | 'may be a command'): Denial | null {
    if (text.trim() === '') return null
    looks += 1
    if (looks > MOST_LOOKS) return { rule: null, why: 'there is too much in it to look through' }
    const isSure = reading === 'is a command'
    for (const part of partsOf({ ...line, text }, parse)) {
      const found = part.kind === 'whole' ? undefined : firstMatch(deny, rule => isDenied(rule, part, around))
      const [first] = part.words
      const isNamed = first !== undefined && !isAnyWord(first)
      if (found && (found.match === 'yes' || isNamed || isSure))
        return { rule: found.rule.entry, why: `it may run what ${found.rule.entry} denies` }
      const unknown = part.unclear ?? part.opaque
      if (unknown !== null && (isSure || programName(first) !== null)) return { rule: null, why: unknown }
      const deeper = look(part)
      if (deeper) return deeper
    }
    return null
  }
}

/** Bounds the work on lines that are made to be slow to look through. */
const MOST_LOOKS = 300
const MOST_TEXTS = 4

function runsOthers(program: string): boolean {
  return program in wrappers || shells.has(program) || interpreterCalled(program) !== null
}

/** `"$FILE"` and the like may be anything and seldom are programs; what may be several words may be a whole command. */
function isAnyWord({ value, splits }: ShellWord): boolean {
  return !splits && value.slice(value.lastIndexOf('/') + 1).replaceAll(HOLE, '') === ''
}

/** By its folder, or by having none: files of a project seldom lie in one that is called bin. */
function looksLikeProgram({ value }: ShellWord): boolean {
  return !value.startsWith('-') && (!value.includes('/') || /(^|\/)s?bin\/[^/]+$/.test(value))
}

/** A rule for any program was tried on the whole already. */
function namesProgram([first]: NonNullable<ToolRule['command']>['words']): boolean {
  return first?.kind === 'word' && first.glob.join('') !== ''
}

/** The whole where it has more than one word, and what stands behind a sign that options use before a value. */
function textsIn(value: string): string[] {
  const whole = /[\s;|&`$(]/.test(value) ? [value] : []
  const signs = [...value.matchAll(/[=!:]/g)].slice(0, MOST_TEXTS)
  return [...whole, ...signs.map(({ index }) => value.slice(index + 1))]
}

function quoted({ value, splits }: ShellWord): string {
  return splits || value.includes(HOLE) ? HOLE : `'${value.replaceAll("'", `'\\''`)}'`
}
