/**
 * Whether a command is one that a rule denies, in any form of it: with its program named by another path, with its
 * options in another order or spelling, with its files named by another path. What cannot be told is a maybe.
 */
import type { CommandPattern, Glob, PatternWord, ToolRule } from '../tool-rule.ts'
import { HOLE, type ShellWord } from './command-line.ts'
import { best, least, type Match, matchWords, mayBe } from './match-words.ts'
import type { CommandPart } from './parts.ts'
import { sameOptions } from './programs.ts'
import { programName } from './unwrap.ts'

/** Folders that relative paths of a line may count from, as absolute paths; the first is where it begins. */
export interface Surroundings {
  readonly root: string
  readonly folders: readonly string[]
}

export function isDenied(rule: ToolRule, part: CommandPart, around: Surroundings): Match {
  const { command } = rule
  if (command === null) return 'yes'
  if (part.kind === 'whole') return 'maybe'
  if (part.kind === 'read' || part.kind === 'write') {
    if (command.opens === part.kind) return best([...wordMatches(command.words, part.words, around)])
    return 'no'
  }
  return command.opens === null ? wordsDenied(command, part.words, around) : 'no'
}

/** The rule that means it for certain, else one that may. */
export function firstMatch(
  rules: readonly ToolRule[],
  matchOf: (rule: ToolRule) => Match,
): { readonly rule: ToolRule; readonly match: Match } | undefined {
  const found = rules.map(rule => ({ rule, match: matchOf(rule) }))
  return found.find(({ match }) => match === 'yes') ?? found.find(({ match }) => match === 'maybe')
}

/** Every form of the words against every form of the rule. */
export function wordsDenied(
  { words: pattern }: Pick<CommandPattern, 'words'>,
  words: readonly ShellWord[],
  around: Surroundings,
): Match {
  return best(forms(pattern, words, around))
}

function* forms(pattern: readonly PatternWord[], words: readonly ShellWord[], around: Surroundings) {
  yield* wordMatches(pattern, words, around)
  const [program, ...operands] = words
  const [wanted, ...rest] = pattern
  if (!program || wanted?.kind !== 'word') return
  const named = programMatch(wanted.glob, program)
  if (named === 'no') return
  yield least(named, matchWords(rest, operands, matcher(around)))
  yield least(named, optionsApart(wanted.glob, rest, operands, around))
}

function* wordMatches(pattern: readonly PatternWord[], words: readonly ShellWord[], around: Surroundings) {
  yield matchWords(pattern, words, matcher(around))
}

function programMatch(glob: Glob, program: ShellWord): Match {
  const name = programName(program)
  const wanted = glob.join('*')
  const base = wanted.slice(wanted.lastIndexOf('/') + 1).toLowerCase()
  if (name !== null) return mayBe(base.split('*'), name)
  const { value } = program
  return mayBe(base.split('*'), value.slice(value.lastIndexOf('/') + 1).toLowerCase())
}

/** Whether the word is the program that the pattern is about, whatever would follow it. */
export function isProgramOf({ words: [wanted] }: Pick<CommandPattern, 'words'>, word: ShellWord): boolean {
  return wanted?.kind === 'word' && wanted.glob.join('') !== '' && programMatch(wanted.glob, word) === 'yes'
}

function matcher(around: Surroundings) {
  return { word: (glob: Glob, word: ShellWord) => wordMatch(glob, word, around), skips: () => false }
}

function wordMatch(glob: Glob, { value }: ShellWord, around: Surroundings): Match {
  return best(wordForms(glob, value, around))
}

function* wordForms(glob: Glob, value: string, around: Surroundings): Generator<Match> {
  yield mayBe(glob, value)
  if (value.startsWith('-')) return
  for (const folder of around.folders)
    yield mayBe(absolute(glob.join('*'), around.root).split('*'), absolute(value, folder))
}

/** As if links did not exist; the sandbox is what holds where they do. */
export function absolute(path: string, folder: string): string {
  const whole = path.startsWith('/') ? path : `${folder}/${path}`
  const names: string[] = []
  for (const name of whole.split('/')) {
    if (name === '..' && names.at(-1)?.includes(HOLE)) return HOLE
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** Options of the rule may stand anywhere in the command, together, apart, short or long; other words keep their order. */
function optionsApart(
  program: Glob,
  pattern: readonly PatternWord[],
  words: readonly ShellWord[],
  around: Surroundings,
): Match {
  const isOption = (word: PatternWord) => word.kind === 'word' && /^-./.test(word.glob[0] ?? '')
  const wanted = pattern.filter(isOption).flatMap(word => (word.kind === 'word' ? [word.glob] : []))
  const same = sameOptions[program.join('*').replace(/^.*\//, '')] ?? {}
  const { options, operands } = apart(words)
  const hasHoles = words.some(({ splits }) => splits) || options.some(({ value }) => value.includes(HOLE))
  const given = wanted.map(glob => (hasOption(glob, options, same) ? 'yes' : hasHoles ? 'maybe' : 'no'))
  if (given.includes('no')) return 'no'
  const found = matchWords(
    pattern.filter(word => !isOption(word)),
    operands.map(({ word }) => word),
    { ...matcher(around), skips: at => operands[at]?.followsOption === true },
  )
  return given.includes('maybe') ? least('maybe', found) : found
}

interface Operand {
  readonly word: ShellWord
  /** It may be the value of that option. */
  readonly followsOption: boolean
}

function apart(words: readonly ShellWord[]): { options: ShellWord[]; operands: Operand[] } {
  const options: ShellWord[] = []
  const operands: Operand[] = []
  let followsOption = false
  let optionsEnded = false
  for (const word of words) {
    if (word.value === '--' && !optionsEnded) {
      optionsEnded = true
      followsOption = false
    } else if (!optionsEnded && /^-./.test(word.value)) {
      options.push(word)
      followsOption = !word.value.includes('=')
    } else {
      operands.push({ word, followsOption })
      followsOption = false
    }
  }
  return { options, operands }
}

function hasOption(
  glob: Glob,
  options: readonly ShellWord[],
  same: Readonly<Record<string, readonly string[]>>,
): boolean {
  if (glob.length > 1) return options.some(({ value }) => mayBe(glob, value) !== 'no')
  const [wanted = ''] = glob
  const letters = options.flatMap(({ value }) =>
    /^-[^-]/.test(value) ? [...value.slice(1)].map(letter => `-${letter}`) : [],
  )
  if (options.some(({ value }) => isOption(wanted, value))) return true
  if (wanted.startsWith('--')) {
    const short = Object.entries(same).filter(([, long]) => long.includes(wanted))
    return short.some(([letter]) => letters.includes(letter))
  }
  return [...wanted.slice(1)].every(letter => {
    const spellings = [`-${letter}`, ...(same[`-${letter}`] ?? [])]
    const other = Object.entries(same).filter(([, names]) => names.includes(`-${letter}`))
    for (const [name, names] of other) spellings.push(name, ...names)
    return spellings.some(
      spelling => letters.includes(spelling) || options.some(({ value }) => isOption(spelling, value)),
    )
  })
}

/** Long options may be cut short and have their value glued to them. */
function isOption(wanted: string, given: string): boolean {
  const name = given.startsWith('--') ? given.replace(/=.*$/s, '') : given
  if (name === wanted || given === wanted) return true
  return wanted.startsWith('--') && name.length > 3 && wanted.startsWith(name)
}
