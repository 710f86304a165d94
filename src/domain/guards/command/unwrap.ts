/** Finds the commands that a program runs because they stand in its own words. */
import { HOLE, type ShellWord, type SimpleCommand, type Span } from './command-line.ts'
import { commandsInOptions } from './options-that-run.ts'
import {
  gitQuiet,
  gitValued,
  type Interpreter,
  inputRunners,
  interpreterCalled,
  namers,
  plainGit,
  plainPrograms,
  quietShellOption,
  scriptOptions,
  scriptReaders,
  shells,
  substitutedIndex,
  type Wrapper,
  wrappers,
} from './programs.ts'
import { effectOf } from './variables.ts'

export interface Unwrapped {
  readonly commands: readonly InnerCommand[]
  readonly lines: readonly InnerLine[]
  /** The program adds nothing of its own. */
  readonly isFree: boolean
  readonly unclear: string | null
  readonly opaque: string | null
  readonly runsWords: boolean
}

export interface InnerCommand extends SimpleCommand {
  /** Which word of the outer command its program is. */
  readonly at: number
}

export interface InnerLine {
  readonly text: string
  readonly span: Span
}

const nothing: Unwrapped = {
  commands: [],
  lines: [],
  isFree: false,
  unclear: null,
  opaque: null,
  runsWords: true,
}

export function unwrap(command: SimpleCommand): Unwrapped {
  const [first, ...rest] = command.words
  const program = programName(first)
  if (program === null || first?.splits)
    return { ...nothing, unclear: 'which program it is, is known only when it runs' }
  if (namers.has(program) && rest.some(({ value }) => substitutedIndex.test(value)))
    return { ...nothing, unclear: `the shell runs what stands in the brackets that ${program} gets` }
  const wrapper = wrappers[program]
  if (wrapper) return unwrapWords(command, program, wrapper)
  if (shells.has(program)) return unwrapShell(command, program)
  if (program === 'find') return unwrapFind(command)
  if (program === 'trap') return unwrapTrap(rest)
  if (program === '.' || program === 'source') return unwrapSource(command)
  if (inputRunners.has(program)) return unwrapInput(command, program)
  if (scriptReaders.has(program)) return { ...nothing, opaque: scriptIn(command, program) }
  if (program === 'git') return unwrapGit(command)
  const interpreter = interpreterCalled(program)
  if (interpreter) return { ...nothing, opaque: codeIn(command, program, interpreter) }
  if (
    /^([gmn]?awk|original-awk)$/.test(program) &&
    rest.some(({ value }) => /system|\||getline|\0/.test(value))
  )
    return { ...nothing, opaque: `${program} may run commands from its program` }
  if (
    program === 'sed' &&
    rest.some(({ value }) => /(^|[;{}\n\d$/,])\s*e(\s|$)|[/|#,][gpiIm\d]*e[gpiIm\d]*\s*($|[;}])/.test(value))
  )
    return { ...nothing, opaque: 'sed may run commands from its script' }
  const inOptions = unwrapOptions(program, rest)
  if (assigners.has(program)) return { ...inOptions, ...assignedBy(program, rest), runsWords: false }
  return { ...inOptions, runsWords: !plainPrograms.has(program) }
}

/** `sort --compress-program=PROGRAM` */
function unwrapOptions(program: string, rest: readonly ShellWord[]): Unwrapped {
  const found = commandsInOptions(program, rest)
  const lines = found.flatMap(({ command }) =>
    command === null ? [] : [{ text: command.value, span: command.span }],
  )
  const isUnknown = found.some(({ command }) => command === null)
  return { ...nothing, lines, unclear: isUnknown ? `what ${program} runs is known only when it runs` : null }
}

/** `export PATH=.` is an assignment like `PATH=.`; `read PATH` is one as well. */
function assignedBy(program: string, rest: readonly ShellWord[]): Pick<Unwrapped, 'opaque' | 'lines'> {
  const lines: InnerLine[] = []
  let opaque: string | null = null
  for (const { value, span } of rest) {
    const [name = '', ...assigned] = value.split('=')
    const effect = effectOf(name.replace(/\+$/, ''))
    if (assigned.length === 0 && declarers.has(program)) continue
    if (effect === 'loads code' || (effect === 'runs its value' && assigned.length === 0))
      opaque = `what runs with another ${name} cannot be told`
    else if (effect === 'runs its value') lines.push({ text: assigned.join('='), span })
  }
  return { opaque, lines }
}

const declarers: ReadonlySet<string> = new Set('export readonly local declare typeset'.split(' '))
/** Builtins that give variables another value. */
const assigners: ReadonlySet<string> = new Set([
  ...declarers,
  'read',
  'printf',
  'mapfile',
  'readarray',
  'getopts',
])

/** Without its folder, as it is looked up; null when it is known only when it runs. */
export function programName(word: ShellWord | undefined): string | null {
  if (!word || word.value.includes(HOLE)) return null
  const name = word.value.slice(word.value.lastIndexOf('/') + 1)
  return name.toLowerCase().replace(/\.exe$/, '')
}

function unwrapWords(command: SimpleCommand, program: string, wrapper: Wrapper): Unwrapped {
  const { words } = command
  const lines: InnerLine[] = []
  const assigned: ShellWord[] = []
  let own = wrapper.own
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const { value } = word
    if (wrapper.asks?.includes(value)) return { ...nothing, isFree: true, runsWords: false }
    if (value === '--') {
      at += 1
      for (; own > 0; own--) at += 1
      break
    }
    const option = optionOf(wrapper, value)
    if (option === 'line') {
      const glued = value.replace(/^(-S|--split-string=?)/, '')
      const next = glued === '' ? words[at + 1] : { ...word, value: glued }
      if (next) lines.push({ text: next.value, span: next.span })
      if (glued === '') at += 1
      continue
    }
    if (option === 'flag' || option === 'glued') continue
    if (option === 'valued') {
      at += 1
      continue
    }
    if (option === 'unknown' || word.splits)
      return {
        ...nothing,
        lines,
        unclear: `it cannot be told which command ${program} runs with ${word.text}`,
      }
    if (wrapper.assigns && /^\w+=/.test(value)) {
      assigned.push(word)
      continue
    }
    if (own === 0) break
    own -= 1
  }
  const inner = words.slice(at)
  const isFree = wrapper.adds === 'nothing'
  if (wrapper.joins)
    return { ...nothing, isFree, lines: inner.length === 0 ? [] : [joined(inner)], runsWords: false }
  if (inner.length === 0 && assigned.length === 0)
    return { ...nothing, lines, isFree: isFree && lines.length > 0, runsWords: false }
  const first = inner[0]
  const last = inner.at(-1)
  if (!first || !last) return { ...nothing, lines, commands: [assignments(command, assigned, at)], isFree }
  const appended: ShellWord[] = wrapper.appends
    ? [{ text: '', value: HOLE, splits: true, span: last.span }]
    : []
  const innerCommand: InnerCommand = {
    ...assignments(command, assigned, at),
    words: [...inner, ...appended],
    input: wrapper.appends ? { kind: 'none' } : command.input,
    span: { start: first.span.start, end: last.span.end },
  }
  return { ...nothing, lines, commands: [innerCommand], isFree, runsWords: false }
}

function assignments(command: SimpleCommand, assigned: readonly ShellWord[], at: number): InnerCommand {
  return {
    words: [],
    files: [],
    assignments: assigned.map(word => ({
      name: word.value.slice(0, word.value.indexOf('=')),
      value: { ...word, value: word.value.slice(word.value.indexOf('=') + 1) },
      span: word.span,
    })),
    input: { kind: 'none' },
    span: command.span,
    at,
  }
}

function optionOf(wrapper: Wrapper, value: string): 'flag' | 'valued' | 'glued' | 'line' | 'unknown' | null {
  const { flags, valued, lines = [] } = wrapper
  const name = value.startsWith('--') ? value.replace(/=.*$/s, '') : value.slice(0, 2)
  if (lines.includes(name)) return 'line'
  if (flags.includes(value)) return 'flag'
  if (!value.startsWith('-') || value === '-') return value.startsWith(HOLE) ? 'unknown' : null
  if (value.includes(HOLE)) return 'unknown'
  if (valued.includes(value)) return 'valued'
  if (valued.includes(name)) return 'glued'
  if (/^-\d+$/.test(value)) return 'flag'
  const letters = value.startsWith('--') ? [] : [...value.slice(1)].map(letter => `-${letter}`)
  return letters.length > 1 && letters.every(letter => flags.includes(letter)) ? 'flag' : 'unknown'
}

function joined(words: readonly ShellWord[]): InnerLine {
  const text = words.map(word => (word.splits ? HOLE : word.value)).join(' ')
  return { text, span: { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 } }
}

function unwrapShell(command: SimpleCommand, program: string): Unwrapped {
  const { words, input } = command
  let isFree = true
  let takesLine = false
  let at = 1
  for (; at < words.length; at++) {
    const value = words[at]?.value ?? ''
    if (value === '--' || !/^[-+]./.test(value)) break
    if (/^-\w*c/.test(value)) takesLine = true
    const takesWord = /^[-+]\w*[oO]$|^--(rcfile|init-file)$/.test(value)
    if (takesWord) at += 1
    const isQuiet = takesWord
      ? /^-[ceuxv]*o$/.test(value) && words[at]?.value === 'pipefail'
      : quietShellOption.test(value)
    isFree &&= isQuiet
  }
  if (words[at]?.value === '--') at += 1
  const operand = words[at]
  if (operand?.splits) return { ...nothing, unclear: `what ${program} runs is known only when it runs` }
  if (takesLine)
    return operand
      ? { ...nothing, lines: [{ text: operand.value, span: operand.span }], isFree, runsWords: false }
      : { ...nothing, runsWords: false }
  if (operand && !readsInput(operand.value))
    return operand.value.includes(HOLE)
      ? { ...nothing, unclear: `what ${program} runs is known only when it runs` }
      : nothing
  return { ...readLines(input, program), isFree: isFree && input.kind === 'text' }
}

function readLines(input: SimpleCommand['input'], program: string): Unwrapped {
  if (input.kind !== 'text') return { ...nothing, unclear: `${program} runs what it reads from its input` }
  return { ...nothing, lines: [{ text: input.text.value, span: input.text.span }], runsWords: false }
}

/** `at`, `batch` and `crontab -` run the lines that they read; with a file, those in it. Some options only look. */
function unwrapInput({ words, input }: SimpleCommand, program: string): Unwrapped {
  const values = words.slice(1).map(({ value }) => value)
  if (values.some(value => /^-(l|r|d|q?[lrdV])$/.test(value))) return { ...nothing, runsWords: false }
  const hasFile = program === 'crontab' ? values.some(value => !/^-/.test(value)) : values.includes('-f')
  return hasFile
    ? { ...nothing, unclear: `${program} runs what a file says, later` }
    : readLines(input, program)
}

/** Their scripts come from the input or an option; a file that they open is only looked at. */
function scriptIn({ words, input }: SimpleCommand, program: string): string | null {
  const isScripted = words.slice(1).some(({ value }) => scriptOptions.test(value) || /^\+./.test(value))
  return input.kind !== 'none' || isScripted ? `${program} may run commands from what it reads` : null
}

function readsInput(file: string): boolean {
  return /^(-|\/dev\/(stdin|fd\/.*)|\/proc\/self\/fd\/.*)$/.test(file)
}

function unwrapSource({ words }: SimpleCommand): Unwrapped {
  const file = words[1]?.value ?? HOLE
  const isKnown = !file.includes(HOLE) && !readsInput(file)
  return {
    ...nothing,
    unclear: isKnown ? null : 'which file it reads commands from is known only when it runs',
  }
}

/** `trap COMMAND SIGNAL...` */
function unwrapTrap(rest: readonly ShellWord[]): Unwrapped {
  const [line] = rest.filter(({ value }) => value !== '--')
  if (!line || rest.length < 2 || line.value === '-' || /^-[lp]$/.test(line.value))
    return { ...nothing, runsWords: false }
  return { ...nothing, lines: [{ text: line.value, span: line.span }], runsWords: false }
}

function unwrapFind(command: SimpleCommand): Unwrapped {
  const { words } = command
  const commands: InnerCommand[] = []
  let ends = -1
  words.forEach((word, at) => {
    if (at <= ends || !/^-(exec|execdir|ok|okdir)$/.test(word.value)) return
    const stop = words.findIndex(
      ({ value }, index) =>
        index > at && (value === ';' || (value === '+' && words[index - 1]?.value === '{}')),
    )
    ends = stop < 0 ? words.length : stop
    const inner = words
      .slice(at + 1, ends)
      .map(each => ({ ...each, value: each.value.replaceAll('{}', HOLE) }))
    const [first] = inner
    const last = inner.at(-1)
    if (!first || !last) return
    const span = { start: first.span.start, end: last.span.end }
    commands.push({ ...command, words: inner, assignments: [], files: [], span, at: at + 1 })
  })
  const hides = words.slice(1).some(({ splits }) => splits)
  return {
    ...nothing,
    commands,
    unclear: hides ? 'which options find gets is known only when it runs' : null,
    runsWords: false,
  }
}

/** Where its command stands among the words; null when that cannot be told. */
export function gitCommandAt(words: readonly ShellWord[]): number | null {
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? ''
    if (gitValued.includes(value)) at += 1
    else if (!value.startsWith('-')) return value.includes(HOLE) ? null : at
  }
  return null
}

function unwrapGit({ words }: SimpleCommand): Unwrapped {
  const at = gitCommandAt(words)
  const name = at === null ? '' : `git ${words[at]?.value}`
  return { ...unwrapOptions(name, words.slice((at ?? 0) + 1)), runsWords: !isPlainGit(words) }
}

function isPlainGit(words: readonly ShellWord[]): boolean {
  const at = gitCommandAt(words)
  if (at === null) return false
  const quiet = words.slice(1, at).every(({ value }) => gitQuiet.includes(value))
  return quiet && plainGit.has(words[at]?.value ?? '')
}

/** `--import data:text/javascript,...`, `-M'x;system(...)'` */
function hidesCode(value: string): boolean {
  return /\bdata:/.test(value) || /^-[mM].*[;()\s]/.test(value)
}

function codeIn(
  { words, input }: SimpleCommand,
  program: string,
  { code, modules = [], reads }: Interpreter,
): string | null {
  const values = words.slice(1).map(({ value }) => value)
  const takesCode = values.some(
    value =>
      code.includes(value) ||
      code.includes(value.toLowerCase()) ||
      (/^-\w{2,}$/.test(value) && code.some(flag => flag.length === 2 && value.includes(flag.charAt(1)))) ||
      code.some(flag => flag.length > 2 && value.startsWith(`${flag}=`)),
  )
  const isModule = values.some((value, at) => {
    const module = /^-\w*m$/.test(value) ? values[at + 1] : /^-\w*?m(\w+)/.exec(value)?.[1]
    return module !== undefined && modules.includes(module)
  })
  if (takesCode || isModule || values.some(hidesCode))
    return `the rules cannot look into the code that ${program} gets`
  const file = values.find(value => !value.startsWith('-') || value === '-')
  if (file === undefined ? reads && input.kind !== 'none' : readsInput(file) || file.includes(HOLE))
    return `${program} runs what it reads from its input`
  return null
}
