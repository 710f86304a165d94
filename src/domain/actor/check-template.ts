import { suggest } from '../nearest.ts'
import type { ExpressionEvaluator } from './expression.ts'
import type { Template } from './recipe-format.ts'
import { templateParts } from './template.ts'

/** At a key of the recipe as it is written: `['execute', 0, 'tool', 'name']`. */
export interface RecipeProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface KnownNames {
  /** Our own maps with their members; null where any member may exist. */
  readonly scope: Readonly<Record<string, readonly string[] | null>>
  /** Results and loop variables. */
  readonly names: readonly string[]
  readonly expressions: ExpressionEvaluator
}

/** Every expression of a template must parse and read only names that can exist where it stands. */
export function checkTemplate(
  template: Template,
  path: readonly (string | number)[],
  known: KnownNames,
): RecipeProblem[] {
  if (typeof template === 'string') return checkText(template, known).map(message => ({ path, message }))
  if (template === null || typeof template !== 'object') return []
  const isList = Array.isArray(template)
  return Object.entries(template).flatMap(([key, item]) =>
    checkTemplate(item, [...path, isList ? Number(key) : key], known),
  )
}

function checkText(text: string, known: KnownNames): string[] {
  const { parts, unclosedAt } = templateParts(text)
  const messages = parts.flatMap(part =>
    part.kind === 'expression' ? checkExpression(part.expression, known) : [],
  )
  if (unclosedAt !== null) messages.push('"${{" has no closing "}}".')
  return messages
}

function checkExpression(expression: string, known: KnownNames): string[] {
  const shown = `\${{ ${expression.trim()} }}`
  const inspection = known.expressions.inspect(expression)
  if (!inspection.ok) {
    const indent = expression.length - expression.trimStart().length
    const character = Math.min(inspection.offset - indent, expression.trim().length) + 1
    return [`${shown} does not parse at character ${character}: ${inspection.message}.`]
  }
  return inspection.reads.flatMap(name => checkRead(name, shown, known))
}

function checkRead(name: string, shown: string, { scope, names }: KnownNames): string[] {
  const [root = '', member] = name.split('.')
  if (names.includes(root)) return []
  if (!Object.hasOwn(scope, root))
    return [`There is no ${root} in ${shown}. ${suggest(root, [...Object.keys(scope), ...names])}`]
  const members = scope[root] ?? null
  if (member === undefined || members === null || members.includes(member)) return []
  return [`${root} has no ${member} in ${shown}. ${suggest(member, members)}`]
}
