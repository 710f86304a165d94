import type { ASTNode } from '@marcbachmann/cel-js'

const MACROS_WITH_VARIABLE = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Types are values in CEL and outrank variables of the same name. */
const TYPES = new Set(
  'bool int uint double string bytes list map type null_type dyn optional google'.split(' '),
)

/** The free names of an expression, with their first member where it is written out: `vars.glob`, `hits`. */
export function namesRead(ast: ASTNode): string[] {
  const names = new Set<string>()
  visit(ast, TYPES, name => names.add(name))
  return [...names]
}

function visit(node: ASTNode, bound: ReadonlySet<string>, found: (name: string) => void): void {
  if (node.op === 'value') return
  if (node.op === 'id') {
    if (!bound.has(node.args)) found(node.args)
    return
  }
  const member = memberOf(node)
  if (member) {
    if (!bound.has(member.root)) found(`${member.root}.${member.name}`)
    return
  }
  if (node.op === 'rcall') visitCall(node, bound, found)
  else for (const child of children(node.args)) visit(child, bound, found)
}

/** A macro brings its own variable, which is no name of ours inside it. */
function visitCall(
  node: Extract<ASTNode, { op: 'rcall' }>,
  bound: ReadonlySet<string>,
  found: (name: string) => void,
): void {
  const [name, receiver, args] = node.args
  const isBind = name === 'bind' && receiver.op === 'id' && receiver.args === 'cel'
  const variable = isBind || MACROS_WITH_VARIABLE.has(name) ? args[0] : undefined
  if (!isBind) visit(receiver, bound, found)
  const inner = variable?.op === 'id' ? new Set([...bound, variable.args]) : bound
  for (const [index, argument] of args.entries()) {
    if (argument === variable) continue
    visit(argument, isBind && index === 1 ? bound : inner, found)
  }
}

/** `a.b`, `a.?b` and `a["b"]` with a fixed member. */
function memberOf(node: ASTNode): { root: string; name: string } | null {
  if (node.op === '.' || node.op === '.?') {
    const [object, name] = node.args
    return object.op === 'id' ? { root: object.args, name } : null
  }
  if (node.op !== '[]' && node.op !== '[?]') return null
  const [object, key] = node.args
  if (object.op !== 'id' || key.op !== 'value' || typeof key.args !== 'string') return null
  return /^\w+$/.test(key.args) ? { root: object.args, name: key.args } : null
}

function children(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(children)
  return isNode(args) ? [args] : []
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}
