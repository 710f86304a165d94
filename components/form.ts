import type { ActionView, ArgumentView } from '../src/a2a/protocol/views/action.ts'
import type { FormField } from './dialogs.ts'
import { createEditor } from './parts/editor-model.ts'

export type CheckedForm =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly fields: readonly FormField[]; readonly firstProblem: number }

/** One field an argument, filled with its default, then one for the plan's name. */
export function fieldsOf(action: ActionView): FormField[] {
  const fields = action.arguments.map(argument => field(argument.name, textOf(argument.default)))
  return [...fields, field('', '')]
}

/** The typed text as values of the declared types; what is wrong is told at its field. */
export function checkArguments(action: ActionView, fields: readonly FormField[]): CheckedForm {
  const args: Record<string, unknown> = {}
  const checked = fields.map((each, at): FormField => {
    const argument = action.arguments[at]
    const text = each.editor.text.trim()
    if (!argument) return each
    if (text === '') return { ...each, problem: argument.required ? 'This is needed.' : null }
    const value = typedValue(argument, text)
    if (value.kind === 'wrong') return { ...each, problem: value.problem }
    args[argument.name] = value.value
    return { ...each, problem: null }
  })
  const firstProblem = checked.findIndex(each => each.problem !== null)
  return firstProblem < 0 ? { ok: true, args } : { ok: false, fields: checked, firstProblem }
}

type Value =
  | { readonly kind: 'right'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly problem: string }

function typedValue(argument: ArgumentView, text: string): Value {
  switch (argument.type) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? right(Number(text)) : wrong('This must be a whole number.')
    case 'number':
      return Number.isFinite(Number(text)) ? right(Number(text)) : wrong('This must be a number.')
    case 'boolean':
      return booleanOf(text)
    case 'enum':
      return argument.values.includes(text)
        ? right(text)
        : wrong(`This must be one of ${argument.values.join(', ')}.`)
    case 'list':
      return right(
        text
          .split(',')
          .map(part => part.trim())
          .filter(part => part !== ''),
      )
    case 'string':
    case 'path':
      return right(text)
  }
}

function booleanOf(text: string): Value {
  if (/^(true|yes|y)$/i.test(text)) return right(true)
  return /^(false|no|n)$/i.test(text) ? right(false) : wrong('This must be true or false.')
}

function right(value: unknown): Value {
  return { kind: 'right', value }
}

function wrong(problem: string): Value {
  return { kind: 'wrong', problem }
}

function field(name: string, text: string): FormField {
  return { name, editor: createEditor('one', text), problem: null }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
