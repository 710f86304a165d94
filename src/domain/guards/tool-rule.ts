import { type Result, refuse } from '../failure.ts'

/**
 * One entry of an allow or deny list: the name of a tool, or of a tool and, in parentheses, of the commands it is for:
 * `builtin/write_file`, `builtin/run_command(npm test *)`. A name without a folder is one of the built-in tools.
 */
export interface ToolRule {
  /** As a person wrote it. */
  readonly entry: string
  readonly tool: Glob
  /** Null: every call of the tool. */
  readonly command: CommandPattern | null
}

export interface CommandPattern {
  /** Of a redirection: whether the file is read or written. Null for a command. */
  readonly opens: 'read' | 'write' | null
  readonly words: readonly PatternWord[]
}

export type PatternWord = { readonly kind: 'rest' } | { readonly kind: 'word'; readonly glob: Glob }

/** Texts between which anything may stand; one text alone is exact. */
export type Glob = readonly string[]

export function parseToolRule(entry: string): Result<ToolRule> {
  const trimmed = entry.trim()
  const open = trimmed.indexOf('(')
  const name = open < 0 ? trimmed : trimmed.slice(0, open).trim()
  if (name === '' || /[\s()]/.test(name))
    return unreadable(entry, 'it names no tool; write builtin/write_file or builtin/run_command(npm test *)')
  const tool = globOf(fullName(name))
  if (open < 0) return { ok: true, value: { entry: trimmed, tool, command: null } }
  if (!trimmed.endsWith(')')) return unreadable(entry, 'its parenthesis is not closed at the end')
  const words = patternWords(trimmed.slice(open + 1, -1))
  if (words === null) return unreadable(entry, 'a quotation mark in it is not closed')
  if (words.length === 0) return unreadable(entry, 'it names no command; leave the parentheses out')
  return { ok: true, value: { entry: trimmed, tool, command: commandPattern(words) } }
}

function unreadable(entry: string, why: string) {
  return refuse('invalid_input', `"${entry}" is no rule for tools: ${why}.`, { entry })
}

/** A denied tool is the one tool, however it is named. */
function fullName(name: string): string {
  return name.includes('/') || name === '*' ? name : `builtin/${name}`
}

export function namesTool(rule: ToolRule, tool: string): boolean {
  return globMatches(rule.tool, fullName(tool))
}

/** Words as a shell has them. `*` alone stands for any words, at the very end also glued: `npm test*`. */
function patternWords(pattern: string): PatternWord[] | null {
  const text = pattern.trim().replace(/:\*$/, ' *')
  const words: PatternWord[] = []
  let glob: string[] | null = null
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote === '' && /\s/.test(letter)) {
      if (glob) words.push(wordOf(glob))
      glob = null
      continue
    }
    glob ??= ['']
    if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    else if (quote === '' && letter === '*') glob.push('')
    else {
      const escapes = letter === '\\' && quote !== "'" && at + 1 < text.length
      glob[glob.length - 1] += escapes ? text.charAt(++at) : letter
    }
  }
  if (quote !== '') return null
  if (glob) words.push(wordOf(glob))
  const isGlued = text.endsWith('*') && !/(\s|\\)\*$/.test(text) && text !== '*'
  return isGlued ? [...words, { kind: 'rest' }] : words
}

function wordOf(glob: string[]): PatternWord {
  return glob.length > 1 && glob.every(text => text === '') ? { kind: 'rest' } : { kind: 'word', glob }
}

const opening: Readonly<Record<string, CommandPattern['opens']>> = {
  '>': 'write',
  '>>': 'write',
  '<': 'read',
}

function commandPattern(words: readonly PatternWord[]): CommandPattern {
  const [first, ...rest] = words
  const opens = first?.kind === 'word' && first.glob.length === 1 ? opening[first.glob[0] ?? ''] : undefined
  return opens ? { opens, words: rest } : { opens: null, words }
}

function globOf(text: string): Glob {
  return text.split('*')
}

export function globMatches(glob: Glob, text: string): boolean {
  const [first = '', ...rest] = glob
  if (rest.length === 0) return text === first
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.endsWith(last) && text.length - last.length >= at
}
