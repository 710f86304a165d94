import type { Evaluation, ExpressionEvaluator, Scope } from './expression.ts'
import type { Template } from './recipe-format.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly expression: string; readonly offset: number }

/** Fills in the expressions of a template. One that is a whole expression keeps its type, others become text. */
export function renderTemplate(
  template: Template,
  scope: Scope,
  expressions: ExpressionEvaluator,
): Evaluation {
  if (typeof template === 'string') return renderText(template, scope, expressions)
  if (template === null || typeof template !== 'object') return { ok: true, value: template }
  const rendered: [string, unknown][] = []
  for (const [key, item] of Object.entries(template)) {
    const value = renderTemplate(item, scope, expressions)
    if (!value.ok) return value
    rendered.push([key, value.value])
  }
  const value = Array.isArray(template) ? rendered.map(([, item]) => item) : Object.fromEntries(rendered)
  return { ok: true, value }
}

/** Cuts a text at its `${{ }}`; `unclosedAt` is where an opening has no end. */
export function templateParts(text: string): { parts: TemplatePart[]; unclosedAt: number | null } {
  const parts: TemplatePart[] = []
  let from = 0
  for (let open = text.indexOf('${{'); open >= 0; open = text.indexOf('${{', from)) {
    const close = endOfExpression(text, open + 3)
    if (close === null) return { parts, unclosedAt: open }
    if (open > from) parts.push({ kind: 'text', text: text.slice(from, open) })
    parts.push({ kind: 'expression', expression: text.slice(open + 3, close), offset: open + 3 })
    from = close + 2
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return { parts, unclosedAt: null }
}

/** Every expression of a template, wherever it is nested. */
export function expressionsIn(template: Template): string[] {
  if (typeof template === 'string')
    return templateParts(template).parts.flatMap(part =>
      part.kind === 'expression' ? [part.expression] : [],
    )
  if (template === null || typeof template !== 'object') return []
  return Object.values(template).flatMap(item => expressionsIn(item))
}

/** How a value reads inside a text: numbers without exponent, nothing for null, JSON for lists and maps. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
  return JSON.stringify(value)
}

function renderText(text: string, scope: Scope, expressions: ExpressionEvaluator): Evaluation {
  const { parts, unclosedAt } = templateParts(text)
  if (unclosedAt !== null)
    return { ok: false, message: `"\${{" has no closing "}}" in ${JSON.stringify(text)}` }
  const only = parts[0]
  if (parts.length === 1 && only?.kind === 'expression') return expressions.evaluate(only.expression, scope)
  let filled = ''
  for (const part of parts) {
    if (part.kind === 'text') filled += part.text
    else {
      const value = expressions.evaluate(part.expression, scope)
      if (!value.ok) return value
      filled += asText(value.value)
    }
  }
  return { ok: true, value: filled }
}

/** Strings may contain braces and maps nest them, so the end is found by reading the expression's own syntax. */
function endOfExpression(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"' || character === "'") at = endOfString(text, at)
    else if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
    else if (character === '}' && text[at + 1] === '}') return at
  }
  return null
}

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, open: number): number {
  const quote = text[open] ?? ''
  const delimiter = text.startsWith(quote.repeat(3), open) ? quote.repeat(3) : quote
  for (let at = open + delimiter.length; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(delimiter, at)) return at + delimiter.length - 1
  }
  return text.length
}
