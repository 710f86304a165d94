import * as z from 'zod'
import type { ActionArgument, ArgumentValue } from '../../domain/action.ts'
import { typedValue } from '../../domain/arguments.ts'
import type { KeyError } from '../yaml/schema-check.ts'
import type { KeyPath } from '../yaml/yaml-source.ts'
import { type ActionFile, argumentSchema } from './action-schema.ts'

/** What arguments mean together. Null where their shape is wrong: the action's schema has reported that. */
export function readArguments(value: unknown, errors: KeyError[]): ActionArgument[] | null {
  const written = z.array(argumentSchema).safeParse(value ?? [])
  return written.success ? written.data.map((_, index) => readArgument(written.data, index, errors)) : null
}

function readArgument(all: ActionFile['arguments'], index: number, errors: KeyError[]): ActionArgument {
  const argument = all[index]
  if (!argument) throw new Error(`there is no argument ${index}`)
  const report = (key: string, message: string) => errors.push({ path: ['arguments', index, key], message })
  if (all.findIndex(({ name }) => name === argument.name) !== index)
    report('name', `${argument.name} is already the name of another argument.`)
  if (argument.type === 'enum' && argument.values.length === 0)
    report('values', 'must list the values of the enum.')
  if (argument.type !== 'enum' && argument.values.length > 0)
    report('values', `is for the type enum, not for ${argument.type}.`)
  return { ...argument, default: readDefault(argument, ['arguments', index, 'default'], errors) }
}

function readDefault(
  argument: ActionFile['arguments'][number],
  path: KeyPath,
  errors: KeyError[],
): ArgumentValue | null {
  const given = argument.default ?? null
  if (given === null) return null
  const value = typedValue({ ...argument, default: null }, given)
  if (value.ok) return value.value
  errors.push({ path, message: value.failure.message })
  return null
}
