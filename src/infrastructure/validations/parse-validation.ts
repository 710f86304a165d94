/** Validations as YAML files. Every fault is told at once, with its line, as with actions. */
import * as z from 'zod'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import { templateParts } from '../../domain/actor/template.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { parseName } from '../../domain/name.ts'
import { suggest } from '../../domain/nearest.ts'
import { COMMAND_TOOL, type ToolDeclaration } from '../../domain/tool.ts'
import type { Validation, ValidationRun } from '../../domain/validation.ts'
import { placeErrors, refuseFile } from '../yaml/place-errors.ts'
import { check, type KeyError } from '../yaml/schema-check.ts'
import { readYaml } from '../yaml/yaml-source.ts'

export interface ValidationSurroundings {
  readonly tools: readonly ToolDeclaration[]
  readonly expressions: ExpressionEvaluator
}

export function parseValidation(
  text: string,
  file: string,
  surroundings: ValidationSurroundings,
): Result<Validation> {
  const yaml = readYaml(text)
  if (!yaml.ok) return refuseFile(file, [{ file, ...yaml.position, path: '', message: `${yaml.message}.` }])
  const errors: KeyError[] = []
  const written = check(validationSchema, yaml.document.value, [], errors)
  const validation = written && toValidation(written, surroundings, errors)
  if (validation && errors.length === 0) return { ok: true, value: validation }
  return refuseFile(
    file,
    placeErrors(errors, file, yaml.document, () => ({})),
  )
}

const sentence = z.string().trim().min(1, 'must not be empty')

const validationSchema = z.strictObject({
  name: z.string(),
  description: sentence,
  mode: z.enum(['required', 'informational']).default('required'),
  command: sentence.nullable().default(null),
  network: z.boolean().default(false),
  wraps: z.string().nullable().default(null),
  with: z.record(z.string(), z.unknown()).nullable().default(null),
  transform: sentence.nullable().default(null),
})

type Written = z.output<typeof validationSchema>

function toValidation(
  written: Written,
  surroundings: ValidationSurroundings,
  errors: KeyError[],
): Validation {
  const { description, mode } = written
  return {
    name: readName(written.name, surroundings, errors),
    description,
    mode,
    runs: readRun(written, surroundings, errors),
  }
}

function readName(text: string, { tools }: ValidationSurroundings, errors: KeyError[]): string {
  const name = parseName(text, 'a validation')
  const problem = !name.ok
    ? name.failure.message
    : tools.some(tool => tool.name === name.value)
      ? `${name.value} is the name of a tool; validations share their name space.`
      : name.value.startsWith('builtin/')
        ? 'must not begin with builtin/, which holds what comes along.'
        : null
  if (problem !== null) errors.push({ path: ['name'], message: problem })
  return name.ok ? name.value : text
}

function readRun(written: Written, surroundings: ValidationSurroundings, errors: KeyError[]): ValidationRun {
  const { command, wraps, transform } = written
  if ((command === null) === (wraps === null)) {
    const message =
      command === null
        ? 'says neither command nor wraps: what is to run?'
        : 'says both command and wraps; it can be one of them.'
    errors.push({ path: command === null ? [] : ['wraps'], message })
  }
  if (wraps === null) {
    for (const key of ['with', 'transform'] as const)
      if (written[key] !== null)
        errors.push({ path: [key], message: 'belongs to wraps; a command passes with the exit code 0.' })
    return { kind: 'command', command: command ?? '', network: written.network }
  }
  if (written.network) errors.push({ path: ['network'], message: 'belongs to command.' })
  checkTool(wraps, surroundings, errors)
  if (transform === null)
    errors.push({ path: ['transform'], message: 'is missing, and must say what the output of wraps means.' })
  return {
    kind: 'tool',
    tool: wraps,
    input: written.with ?? {},
    transform: transform === null ? '' : readTransform(transform, surroundings, errors),
  }
}

function checkTool(name: string, { tools }: ValidationSurroundings, errors: KeyError[]): void {
  const tool = tools.find(each => each.name === name)
  if (!tool) {
    const known = tools.map(each => each.name)
    errors.push({ path: ['wraps'], message: `There is no tool ${name}. ${suggest(name, known)}` })
  } else if (!tool.capability.readOnly && name !== COMMAND_TOOL)
    errors.push({ path: ['wraps'], message: `${name} writes, and a validation only looks.` })
}

/** One whole expression, which reads `output` alone. */
function readTransform(text: string, { expressions }: ValidationSurroundings, errors: KeyError[]): string {
  const { parts } = templateParts(text.trim())
  const [only] = parts
  if (parts.length !== 1 || only?.kind !== 'expression') {
    errors.push({ path: ['transform'], message: 'must be one expression: ${{ ... }} over output.' })
    return ''
  }
  const found = expressions.inspect(only.expression)
  if (!found.ok)
    errors.push({
      path: ['transform'],
      message: `does not parse at character ${found.offset + 1}: ${found.message}.`,
    })
  else
    for (const name of found.reads)
      if (name.split('.')[0] !== 'output')
        errors.push({ path: ['transform'], message: `There is no ${name} here; it reads output.` })
  return only.expression
}

/** What the transform of a validation makes of a tool's output. */
export function transformOutput(
  expressions: ExpressionEvaluator,
  transform: string,
  output: Readonly<Record<string, unknown>>,
): Result<unknown> {
  const value = expressions.evaluate(transform, { output })
  return value.ok ? value : refuse('invalid_input', `transform failed: ${value.message}`)
}
