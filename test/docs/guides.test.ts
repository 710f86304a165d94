import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { anchorsIn, fencesIn, linksIn, readGuide } from '../support/markdown.ts'

const guides = [...globSync('*.md'), ...globSync('docs/*.md')].sort()

describe.each(guides)('%s', file => {
  const text = readGuide(file)

  it('links only to what is there', () => {
    const broken = linksIn(text).filter(link => !/^https?:/.test(link) && !leadsSomewhere(file, link))
    expect(broken).toEqual([])
  })

  it('has only blocks that say what they are, and a reason for each command that no test runs', () => {
    const fences = fencesIn(text)
    expect(text.match(/^ *```/gm) ?? []).toHaveLength(2 * (fences.length + bareFences(text)))
    const silent = fences.filter(({ words }) => words.has('skip') && (words.get('skip') ?? '').length < 10)
    expect(silent.map(fence => fence.line)).toEqual([])
  })

  it('names only scripts that package.json has', () => {
    const named = [...text.matchAll(/npm (?:run (?<run>[\w-]+(?::[\w-]+)*)|(?<short>start|test)\b)/g)]
    const scripts = named.map(({ groups }) => groups?.['run'] ?? groups?.['short'])
    expect(scripts.filter(name => !Object.hasOwn(manifest.scripts, name ?? ''))).toEqual([])
  })
})

/** Blocks that are only shown, such as usage lines, have no language. */
function bareFences(text: string): number {
  const marks = text.match(/^ *```.*$/gm) ?? []
  return marks.filter((mark, index) => index % 2 === 0 && mark.trim() === '```').length
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(target)) return false
  return anchor === undefined || anchorsIn(readGuide(target)).includes(anchor)
}

const sources = ['src', 'components', 'stores', 'themes', 'scripts', 'test', 'docs', '.ci']

test('every path that ARCHITECTURE.md names is there', () => {
  const spans = [...readGuide('ARCHITECTURE.md').matchAll(/`(?<span>[^`\n]+)`/g)]
  const paths = spans
    .map(({ groups }) => groups?.['span'] ?? '')
    .filter(span => sources.includes(span.split('/')[0] ?? '') && !/[\s<>]/.test(span))
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter(path => !isThere(path))).toEqual([])
})

/** NAME and NOUN stand for any. */
function isThere(path: string): boolean {
  return globSync(path.replaceAll(/NAME|NOUN/g, '*')).length > 0
}
