import * as z from 'zod'
import { errorCodes } from '../../src/a2a/protocol/error-codes.ts'
import { wireEvent } from '../../src/a2a/protocol/events.ts'
import { type MethodRow, methods } from '../../src/a2a/protocol/methods.ts'
import { standardMethodNames } from '../../src/a2a/server/standard/standard.ts'

/** docs/methods.md: every method of the protocol, made from its row. */
export function methodsReference(): string {
  const rows: [string, MethodRow][] = Object.entries(methods)
  const now = rows.filter(([, row]) => row.available !== false)
  const later = rows.filter(([, row]) => row.available === false)
  const paragraphs = [
    '# Methods',
    'Made from `src/a2a/protocol/methods.ts` and the tables it joins by `npm run docs`; do not edit.',
    'JSON-RPC 2.0, one object a line over standard streams. Params and results are objects; params that are not named here are ignored. An id may be shortened to an unambiguous prefix or to its last six or more characters, or written `@latest`.',
    ...now.map(([name, row]) => methodText(name, row)),
    '## Not available yet',
    'These answer with -32110, `not_available`.',
    later.map(([name, row]) => `- \`${name}\`: ${row.what}`).join('\n'),
    "## A2A's standard methods",
    'Names with a slash speak A2A 0.3, the others 1.0. A plan is a task, its id is the task id.',
    standardMethodNames.map(name => `- \`${name}\``).join('\n'),
    '## Events of `_cleveragents/event/subscribe`',
    'Each is a notification whose params carry `subscription`, `seq`, `event_id`, `plan_id`, `root_plan_id`, `at`, and:',
    wireEvent.options.map(eventText).join('\n'),
    '## Errors',
    'Dispatch on `error.data.error_type`; A2A gives some of the numbers other meanings.',
    Object.entries(errorCodes)
      .map(([type, code]) => `- \`${type}\`: ${code}`)
      .join('\n'),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function methodText(name: string, row: MethodRow): string {
  const aliases = (row.aliases ?? []).map(alias => `\`${alias}\``).join(', ')
  return [
    `## \`${name}\``,
    `${row.what}${row.streaming ? ' The result comes first, then notifications until `$/streamEnd`.' : ''}`,
    ...(aliases ? [`Older name, deprecated: ${aliases}.`] : []),
    fieldsText('Params', row.params, 'input'),
    fieldsText('Result', row.result, 'output'),
  ].join('\n\n')
}

type Schema = {
  readonly type?: string | string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
}

function fieldsText(title: string, type: z.ZodType, io: 'input' | 'output'): string {
  const schema: Schema = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema // the shape of JSON Schema
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return `${title}: none.`
  const lines = fields.map(
    ([name, field]) => `- \`${name}\`${optional(name, schema, field)}: ${typeText(field)}`,
  )
  return [`${title}:`, '', ...lines].join('\n')
}

function optional(name: string, schema: Schema, field: Schema): string {
  if (field.default !== undefined) return ` (default \`${JSON.stringify(field.default)}\`)`
  return schema.required?.includes(name) ? '' : ' (optional)'
}

function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map(each => `\`${String(each)}\``).join(' or ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeText(schema.items) : 'anything'}`
  if (schema.properties) return `{${Object.keys(schema.properties).join(', ')}}`
  return schema.type === undefined ? 'anything' : [schema.type].flat().join(' or ')
}

function eventText(event: (typeof wireEvent.options)[number]): string {
  const common = ['subscription', 'seq', 'event_id', 'plan_id', 'root_plan_id', 'at', 'method']
  const own = Object.keys(event.shape).filter(name => !common.includes(name))
  return `- \`${event.shape.method.value}\`: ${own.map(name => `\`${name}\``).join(', ')}`
}
