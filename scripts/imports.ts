import { posix } from 'node:path'
import type { SgNode } from '@ast-grep/napi'
import { lineOf, nodesOf, type SourceFile } from './source-files.ts'

export interface Import {
  readonly from: string
  readonly line: number
  /** `type` is gone at run time, `dynamic` runs later, `value` runs while the importing file loads. */
  readonly kind: 'type' | 'dynamic' | 'value'
  readonly target:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'package'; readonly name: string }
    | { readonly kind: 'computed'; readonly text: string }
}

/** All imports of a file: statements, re-exports, dynamic ones, and `import('...')` inside types. */
export function importsOf(file: SourceFile): Import[] {
  const statements = nodesOf(file.tree, ['import_statement', 'export_statement']).flatMap(node => {
    const source = node.field('source')
    if (!source) return []
    return [
      {
        from: file.path,
        line: lineOf(node),
        kind: kindOfStatement(node),
        target: targetOf(file.path, source),
      },
    ]
  })
  const calls = nodesOf(file.tree, ['call_expression']).flatMap(node => {
    const argument = importArgument(node)
    if (!argument) return []
    return [
      { from: file.path, line: lineOf(node), kind: kindOfCall(node), target: targetOf(file.path, argument) },
    ]
  })
  return [...statements, ...calls]
}

/** Only a whole statement can be gone at run time: `import { type A }` still loads the file. */
function kindOfStatement(node: SgNode): 'type' | 'value' {
  return node.children()[1]?.kind() === 'type' ? 'type' : 'value'
}

const kindsHoldingTypes = new Set([
  'type_alias_declaration',
  'type_annotation',
  'type_arguments',
  'type_query',
  'interface_body',
])

function kindOfCall(node: SgNode): 'type' | 'dynamic' {
  for (const ancestor of node.ancestors()) {
    if (kindsHoldingTypes.has(String(ancestor.kind()))) return 'type'
    if (ancestor.kind() === 'statement_block') return 'dynamic'
  }
  return 'dynamic'
}

function importArgument(call: SgNode): SgNode | null {
  if (call.child(0)?.kind() !== 'import') return null
  return (
    call
      .field('arguments')
      ?.children()
      .find(child => child.isNamed()) ?? null
  )
}

function targetOf(from: string, node: SgNode): Import['target'] {
  if (node.kind() !== 'string') return { kind: 'computed', text: node.text() }
  const specifier = node.text().slice(1, -1)
  if (!specifier.startsWith('.')) return { kind: 'package', name: packageName(specifier) }
  return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), specifier)) }
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
