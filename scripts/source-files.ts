/**
 * The sources as the checks see them: a path, a text and a syntax tree. TypeScript 7 has no programming interface for
 * syntax trees, so ast-grep's parser, which the product uses anyway, makes them.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lang, parse, type SgNode } from '@ast-grep/napi'

export interface SourceFile {
  /** From the root of the project, with `/`. */
  readonly path: string
  readonly text: string
  readonly tree: SgNode
}

/** What is shipped. Everything else (test, scripts) may look at it, and it at nothing else. */
export const productFolders = ['src', 'components', 'stores', 'themes']

export function readSources(root: string, folders: readonly string[]): SourceFile[] {
  const patterns = folders.map(folder => `${folder}/**/*.{ts,tsx}`)
  return globSync(patterns, { cwd: root })
    .sort()
    .map(path => readSource(root, path))
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const language = path.endsWith('.tsx') ? Lang.Tsx : Lang.TypeScript
  return { path: path.replaceAll('\\', '/'), text, tree: parse(language, text).root() }
}

export function isProduct(path: string): boolean {
  return productFolders.some(folder => path.startsWith(`${folder}/`))
}

/** Every node of one of the kinds, in the order of the text. */
export function nodesOf(tree: SgNode, kinds: readonly string[]): SgNode[] {
  return tree.findAll({ rule: { any: kinds.map(kind => ({ kind })) } })
}

export function lineOf(node: SgNode): number {
  return node.range().start.line + 1
}
