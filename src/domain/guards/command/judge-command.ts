import type { ToolRule } from '../tool-rule.ts'
import { type CommandLine, HOLE, type ShellParser, type ShellWord } from './command-line.ts'
import { absolute, firstMatch, isDenied, type Surroundings } from './deny.ts'
import { type LookInside, lookInside } from './look-inside.ts'
import { alwaysMatches } from './match-words.ts'
import { type CommandPart, partsOf } from './parts.ts'
import { gitQuiet } from './programs.ts'
import { gitCommandAt, programName } from './unwrap.ts'

/** For the tool that runs commands: those that name some of them, and in each allowlist whether one names all. */
export interface CommandRules {
  readonly deny: readonly ToolRule[]
  /** Every list must let a part pass. */
  readonly allow: readonly (readonly ToolRule[])[]
}

export interface PartVerdict {
  readonly part: CommandPart
  readonly denied: Denial | null
  /** Null where some list has no rule for it. */
  readonly allowed: { readonly rule: string | null; readonly why: string } | null
}

export interface Denial {
  /** Null: no rule means it, but none can be excluded. */
  readonly rule: string | null
  readonly why: string
}

/** What the rules say to each part of a command line, those that run inside of other programs included. */
export function judgeCommand(
  rules: CommandRules,
  line: CommandLine,
  parse: ShellParser,
): readonly PartVerdict[] {
  const parts = partsOf(line, parse)
  const around: Surroundings = { root: line.root, folders: foldersOf(line, parts) }
  const look = lookInside(rules.deny, line, parse, around)
  return parts.map(part => ({
    part,
    denied: rules.deny.length === 0 ? null : denialOf(part, rules, around, look),
    allowed: allowanceOf(part, rules.allow),
  }))
}

/** Where the line begins, and wherever a `cd` in it may lead. */
function foldersOf({ root, folder }: CommandLine, parts: readonly CommandPart[]): string[] {
  const folders = [absolute(folder, root)]
  if (folder !== '') folders.push(absolute('', root))
  for (const { words } of parts) {
    const target = words[1]
    if (!target || !['cd', 'pushd'].includes(programName(words[0]) ?? '')) continue
    const more = target.value.includes(HOLE) ? [HOLE] : folders.map(each => absolute(target.value, each))
    for (const each of more) if (!folders.includes(each) && folders.length < MOST_FOLDERS) folders.push(each)
  }
  return folders
}

const MOST_FOLDERS = 16

function denialOf(
  part: CommandPart,
  { deny, allow }: CommandRules,
  around: Surroundings,
  look: LookInside,
): Denial | null {
  const found = firstMatch(deny, rule => isDenied(rule, part, around))
  if (found?.match === 'yes') return { rule: found.rule.entry, why: `${found.rule.entry} denies it` }
  if (part.unclear !== null) return { rule: null, why: part.unclear }
  if (found) return { rule: found.rule.entry, why: `it may be one that ${found.rule.entry} denies` }
  const hidden = look(part)
  if (hidden) return hidden
  if (part.opaque === null || isNamedWhole(part, allow)) return null
  return { rule: null, why: part.opaque }
}

/** A person allowed exactly this, with every word of it. */
function isNamedWhole(part: CommandPart, allow: CommandRules['allow']): boolean {
  return allow.some(list =>
    list.some(({ command }) => {
      if (command === null || command.opens !== null) return false
      const isExact = command.words.every(word => word.kind === 'word' && word.glob.length === 1)
      return isExact && alwaysMatches(command.words, part.words)
    }),
  )
}

function allowanceOf(part: CommandPart, lists: CommandRules['allow']): PartVerdict['allowed'] {
  const found = lists.map(list => passOf(part, list))
  const missing = found.some(each => each === null)
  if (missing) return null
  return found.find(each => each?.rule != null) ?? found[0] ?? { rule: null, why: 'no list of allowed tools' }
}

function passOf(part: CommandPart, list: readonly ToolRule[]): PartVerdict['allowed'] {
  const all = list.find(rule => rule.command === null)
  if (all) return { rule: all.entry, why: `${all.entry} allows it` }
  const rule = list.find(each => allows(each, part))
  if (rule) return { rule: rule.entry, why: `${rule.entry} allows it` }
  return part.isFree && part.unclear === null ? { rule: null, why: 'it needs no rule' } : null
}

function allows(rule: ToolRule, part: CommandPart): boolean {
  const { command } = rule
  if (command === null || part.kind === 'whole') return false
  if (part.kind === 'read' || part.kind === 'write')
    return command.opens === part.kind && alwaysMatches(command.words, part.words)
  if (command.opens !== null) return false
  if (part.unclear !== null) return false
  return commandForms(part.words).some(words => alwaysMatches(command.words, words)) || namesInner(rule, part)
}

/** Forms that are the same command for certain. Deny tries all of these, and more. */
function commandForms(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const forms = [words]
  const [program, ...rest] = words
  if (program && /^\/(usr\/(local\/)?)?s?bin\/[^/\0]+$/.test(program.value))
    forms.push([{ ...program, value: program.value.slice(program.value.lastIndexOf('/') + 1) }, ...rest])
  const at = program?.value === 'git' ? gitCommandAt(words) : null
  if (program && at !== null && at > 1 && words.slice(1, at).every(({ value }) => gitQuiet.includes(value)))
    forms.push([program, ...words.slice(at)])
  return forms
}

/** A rule that spells out the wrapper together with the program in it, like `sudo apt install *`, covers both. */
function namesInner({ command }: ToolRule, part: CommandPart): boolean {
  const { inside } = part
  if (command === null || inside === null || inside.at === null) return false
  const spelled = command.words.findIndex(word => word.kind === 'rest' || word.glob.length > 1)
  const literal = spelled < 0 ? command.words.length : spelled
  return literal > inside.at && alwaysMatches(command.words, inside.part.words)
}
