import type { SgNode } from '@ast-grep/napi'
import * as z from 'zod'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Match } from '../files/find-text.ts'

export const languageField = z.enum(['javascript', 'typescript', 'tsx', 'html', 'css'])
export type Language = z.infer<typeof languageField>

export const codePatternField = z
  .string()
  .min(1)
  .describe('code with holes: $NAME for one node, $$$NAME for any number of them')

/** Which grammar reads a file of a language; TypeScript's own ending tells its two grammars apart. */
const grammars: Record<
  Language,
  Readonly<Record<string, 'JavaScript' | 'TypeScript' | 'Tsx' | 'Html' | 'Css'>>
> = {
  javascript: { js: 'JavaScript', mjs: 'JavaScript', cjs: 'JavaScript', jsx: 'JavaScript' },
  typescript: { ts: 'TypeScript', mts: 'TypeScript', cts: 'TypeScript', tsx: 'Tsx' },
  tsx: { tsx: 'Tsx' },
  html: { html: 'Html', htm: 'Html' },
  css: { css: 'Css' },
}

/** Larger files are generated; parsing them would hold up everything else. */
const maxParsedLength = 4 * 1024 * 1024

export interface CodeMatch extends Match {
  /** Where a hole of the pattern was filled, for `$$$NAME` from its first node to its last; null when it is empty. */
  hole(name: string, many: boolean): Match | null
}

export interface CodePattern {
  /** Whether a file of this name is written in the pattern's language. */
  reads(path: Uint8Array): boolean
  /** All matches in the order of the text, outer before inner. */
  find(path: Uint8Array, text: string): readonly CodeMatch[]
}

export async function codePattern(pattern: string, language: Language): Promise<Result<CodePattern>> {
  const { parse } = await import('@ast-grep/napi')
  const refused = refusePattern(pattern, language, text => parse(firstGrammar(language), text).root())
  if (refused) return refused
  // Names stand in a match as they stand in the pattern: most files need not be parsed at all.
  const words = pattern.match(/(?<![$\w])[A-Za-z]\w*/g) ?? []
  const grammarOf = (path: Uint8Array) => grammars[language][extensionOf(path)]
  const find = (path: Uint8Array, text: string) => {
    const grammar = grammarOf(path)
    if (!grammar || text.length > maxParsedLength || !words.every(word => text.includes(word))) return []
    return parse(grammar, text).root().findAll(pattern).map(toCodeMatch)
  }
  return { ok: true, value: { reads: path => grammarOf(path) !== undefined, find } }
}

function refusePattern(pattern: string, language: Language, parse: (text: string) => SgNode) {
  try {
    parse('').findAll(pattern)
    // Holes are names in JavaScript, but nothing that CSS or HTML could read.
    const filled = pattern.replace(/\$\$\$[A-Z_][A-Z0-9_]*/g, '').replace(/\$[A-Z_][A-Z0-9_]*/g, 'x')
    const code = language === 'css' || language === 'html' ? filled : pattern
    if (!parse(code).find({ rule: { kind: 'ERROR' } })) return null
    return refuse('invalid_input', `The pattern is no complete ${language} code: ${pattern}`, {
      field: 'pattern',
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refuse('invalid_input', `The pattern cannot be used: ${reason}`, { field: 'pattern' })
  }
}

function firstGrammar(language: Language) {
  return Object.values(grammars[language])[0] ?? 'JavaScript'
}

function extensionOf(path: Uint8Array): string {
  const name = Buffer.from(path).toString()
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

function toCodeMatch(node: SgNode): CodeMatch {
  return {
    ...spanOf(node, node),
    hole: (name, many) => {
      const nodes = many ? node.getMultipleMatches(name) : [node.getMatch(name)]
      const [first, last] = [nodes.at(0), nodes.at(-1)]
      return first && last ? spanOf(first, last) : null
    },
  }
}

function spanOf(first: SgNode, last: SgNode): Match {
  const index = first.range().start.index
  return { index, length: last.range().end.index - index }
}
