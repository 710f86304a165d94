import { readFileSync } from 'node:fs'

/**
 * A fenced block of a guide. The info string says how a test treats it: in `sh` blocks each line is a command that ends
 * with the code of `exit=` (0 unless said) or is not run for the reason in `skip="..."`; `file=` is written to that
 * place; `shows` must be found, line by line, in what the block before it printed.
 */
export interface Fence {
  readonly line: number
  readonly language: string
  readonly words: ReadonlyMap<string, string>
  readonly text: string
}

export function fencesIn(markdown: string): Fence[] {
  const found: Fence[] = []
  const pattern = /^(?<indent> *)```(?<info>[^\n`]+)\n(?<text>[\s\S]*?)^\k<indent>```$/gm
  for (const match of markdown.matchAll(pattern)) {
    const { indent = '', info = '', text = '' } = match.groups ?? {}
    const [language = ''] = info.split(' ', 1)
    found.push({
      line: markdown.slice(0, match.index).split('\n').length,
      language,
      words: wordsIn(info.slice(language.length)),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    })
  }
  return found
}

function wordsIn(info: string): Map<string, string> {
  const words = info.matchAll(/(?<name>[\w-]+)(?:=(?:"(?<quoted>[^"]*)"|(?<plain>\S+)))?/g)
  return new Map(
    [...words].map(({ groups }) => [groups?.['name'] ?? '', groups?.['quoted'] ?? groups?.['plain'] ?? '']),
  )
}

/** Where the text's links lead, those in blocks of code left out. */
export function linksIn(markdown: string): string[] {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(match => match.groups?.['target'] ?? '')
}

/** The names under which GitHub makes headings reachable. */
export function anchorsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (?<title>.+)$/gm)].map(match =>
    (match.groups?.['title'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

export function readGuide(file: string): string {
  return readFileSync(file, 'utf8')
}
