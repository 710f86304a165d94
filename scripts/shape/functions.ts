import type { SgNode } from '@ast-grep/napi'
import { nodesOf, type SourceFile } from '../source-files.ts'
import { place } from './row.ts'

export interface FunctionShape {
  /** `path:line name` */
  readonly place: string
  readonly lines: number
  readonly parameters: number
  /** Names of the parameters that are a bare true or false. */
  readonly booleans: readonly string[]
  /** How deep its conditions and loops stand in each other, functions within it apart. */
  readonly depth: number
}

const functionKinds = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'arrow_function',
  'method_definition',
]
const nestingKinds = new Set([
  'if_statement',
  'for_statement',
  'for_in_statement',
  'while_statement',
  'do_statement',
  'switch_statement',
  'try_statement',
])

export function functionsOf(file: SourceFile): FunctionShape[] {
  return nodesOf(file.tree, functionKinds).map(node => {
    const { start, end } = node.range()
    const parameters = parametersOf(node)
    return {
      place: place(file, node, nameOf(node)),
      lines: end.line - start.line + 1,
      parameters: parameters.length,
      booleans: parameters.filter(isBoolean).map(parameter => parameter.field('pattern')?.text() ?? ''),
      depth: depthBelow(node),
    }
  })
}

function nameOf(node: SgNode): string {
  const own = node.field('name')?.text()
  const parent = node.parent()
  return own ?? (parent?.kind() === 'variable_declarator' ? parent.field('name')?.text() : undefined) ?? ''
}

function parametersOf(node: SgNode): SgNode[] {
  const list = node.field('parameters')?.children() ?? []
  return list.filter(child => child.kind() === 'required_parameter' || child.kind() === 'optional_parameter')
}

function isBoolean(parameter: SgNode): boolean {
  const type = parameter.field('type')?.text() ?? ''
  const initial = parameter.field('value')?.text() ?? ''
  return /^:\s*boolean$/.test(type) || initial === 'true' || initial === 'false'
}

function depthBelow(node: SgNode): number {
  let deepest = 0
  for (const child of node.children()) {
    if (functionKinds.includes(String(child.kind()))) continue
    // `else if` reads as one ladder, not as one thing inside another.
    const isRung = child.kind() === 'if_statement' && node.kind() === 'else_clause'
    const own = nestingKinds.has(String(child.kind())) && !isRung ? 1 : 0
    deepest = Math.max(deepest, own + depthBelow(child))
  }
  return deepest
}
