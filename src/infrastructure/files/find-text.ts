import { createContext, Script } from 'node:vm'
import { type Result, refuse } from '../../domain/failure.ts'
import { errorCode } from '../error-code.ts'
import { lineEndAt, withLineEnd } from './line-ends.ts'
import { type FileText, isAscii } from './read-text.ts'

export interface TextPattern {
  /** Places and lengths of all matches; null when words and file have no encoding in common. */
  find(file: FileText): readonly Match[] | null
  /** The text with all matches replaced; line ends of the replacement follow those around the match. */
  replace(file: FileText, replacement: string): { readonly text: string; readonly count: number } | null
}

export interface Match {
  readonly index: number
  readonly length: number
}

/** Plain words. A line end in them matches either kind of line end, so that nobody has to know the file's. */
export function literalPattern(words: string): TextPattern {
  const source = words.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\r?\n/g, '\\r?\\n')
  const find = (file: FileText) => {
    if (!mayMeet(words, file)) return null
    return [...file.text.matchAll(new RegExp(source, 'g'))].map(toMatch)
  }
  return {
    find,
    replace: (file, replacement) => {
      const matches = mayMeet(replacement, file) ? find(file) : null
      return matches && { text: replaceMatches(file.text, matches, replacement), count: matches.length }
    },
  }
}

export function replaceMatches(text: string, matches: readonly Match[], replacement: string): string {
  let end = 0
  const pieces = matches.map(match => {
    const kept = text.slice(end, match.index)
    end = match.index + match.length
    return kept + withLineEnd(replacement, lineEndAt(text, match.index))
  })
  return pieces.join('') + text.slice(end)
}

/** A JavaScript regular expression (flags g, m, u), stopped when it takes unreasonably long on one file. */
export function regexPattern(source: string): Result<TextPattern> {
  try {
    new RegExp(source, 'gmu')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refuse('invalid_input', `The pattern is not a regular expression: ${reason}.`, { pattern: source })
  }
  const run = boundedRunner(source)
  return {
    ok: true,
    value: {
      find: file => (mayMeet(source, file) ? run(file, null).matches : null),
      replace: (file, replacement) => {
        if (!mayMeet(source, file) || !mayMeet(replacement, file)) return null
        const { matches, text } = run(file, withLineEnd(replacement, lineEndAt(file.text, 0)))
        return { text, count: matches.length }
      },
    },
  }
}

/** In a file that is not UTF-8 only ASCII words mean the same bytes. */
function mayMeet(words: string, file: FileText): boolean {
  return file.encoding === 'utf-8' || isAscii(words)
}

export class PatternTooSlow extends Error {}

/** Only a vm can stop a regular expression that backtracks without end; it has no objects of ours inside. */
function boundedRunner(source: string) {
  const script = new Script(
    `{ const found = [...text.matchAll(new RegExp(source, flags))].map(m => [m.index, m[0].length]);
       [found, replacement === null ? text : text.replace(new RegExp(source, flags), replacement)] }`,
  )
  const context = createContext({ source, text: '', flags: '', replacement: null })
  return (file: FileText, replacement: string | null) => {
    Object.assign(context, { text: file.text, flags: file.encoding === 'utf-8' ? 'gmu' : 'gm', replacement })
    try {
      const [found, text]: [[number, number][], string] = script.runInContext(context, { timeout: 2000 })
      return { matches: found.map(([index, length]) => ({ index, length })), text }
    } catch (error) {
      if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw new PatternTooSlow(`The pattern ${source} takes too long; make it simpler.`, { cause: error })
      throw error
    }
  }
}

function toMatch(match: RegExpExecArray): Match {
  return { index: match.index, length: match[0].length }
}
