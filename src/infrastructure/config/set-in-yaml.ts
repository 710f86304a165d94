import { isDeepStrictEqual } from 'node:util'
import { dump, loadAll, YAMLException } from 'js-yaml'

type Tree = Readonly<Record<string, unknown>>

/**
 * Puts a value at a path of a YAML text. It edits the lines of plain nested blocks, so that comments stay; where the
 * edited text does not mean exactly what it should (flow style, anchors, odd indents), the whole is written anew.
 */
export function setInYaml(text: string, tree: Tree, path: readonly string[], value: string): string {
  const wanted = withValue(tree, path, value)
  const edited = editLines(text, path, value)
  return isDeepStrictEqual(meaningOf(edited), wanted) ? edited : dump(wanted)
}

function withValue(tree: Tree, [key = '', ...rest]: readonly string[], value: string): Tree {
  if (rest.length === 0) return { ...tree, [key]: value }
  const below = tree[key]
  const branch = typeof below === 'object' && below !== null ? { ...below } : {}
  return { ...tree, [key]: withValue(branch, rest, value) }
}

function meaningOf(text: string): unknown {
  try {
    const [tree] = loadAll(text)
    return tree
  } catch (error) {
    if (error instanceof YAMLException) return null
    throw error
  }
}

function editLines(text: string, path: readonly string[], value: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  let block = { start: 0, end: lines.length, indent: 0 }
  let depth = 0
  for (; depth < path.length; depth++) {
    const at = lineOfKey(lines, block, path[depth] ?? '')
    if (at === -1) break
    if (depth === path.length - 1) lines[at] = withNewValue(lines[at] ?? '', value)
    else block = blockBelow(lines, at, block)
  }
  if (depth < path.length) lines.splice(block.end, 0, ...newLines(path.slice(depth), value, block.indent))
  return `${lines.join('\n')}\n`
}

interface Block {
  readonly start: number
  /** The line after its last one that is neither empty nor a comment. */
  readonly end: number
  readonly indent: number
}

function lineOfKey(lines: readonly string[], { start, end, indent }: Block, key: string): number {
  const spellings = [key, `'${key}'`, `"${key}"`].map(spelling => `${' '.repeat(indent)}${spelling}:`)
  return lines.findIndex(
    (line, at) => at >= start && at < end && spellings.some(each => line.startsWith(each)),
  )
}

function blockBelow(lines: readonly string[], parent: number, around: Block): Block {
  let end = parent + 1
  let indent = 0
  for (let at = parent + 1; at < around.end; at++) {
    const line = lines[at] ?? ''
    if (/^\s*(#.*)?$/.test(line)) continue
    const own = indentOf(line)
    if (own <= around.indent) break
    indent ||= own
    end = at + 1
  }
  return { start: parent + 1, end, indent: indent || around.indent + 2 }
}

/** Everything up to the colon stays, and a comment behind the value. */
function withNewValue(line: string, value: string): string {
  const [, head = '', comment = ''] = /^(\s*(?:'[^']*'|"[^"]*"|[^:]*):)[^#]*?(\s+#.*)?$/.exec(line) ?? []
  return `${head} ${dump(value).trim()}${comment}`
}

function newLines(path: readonly string[], value: string, indent: number): string[] {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return dump(nested)
    .trimEnd()
    .split('\n')
    .map(line => ' '.repeat(indent) + line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
