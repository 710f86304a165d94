import { type Result, refuse } from '../../domain/failure.ts'
import type { KeyError } from './schema-check.ts'
import type { KeyPath, Position, YamlDocument } from './yaml-source.ts'

export interface ActionError extends Position {
  readonly file: string
  /** The key, e.g. `recipe.execute[0].tool.name`; empty where the file is no YAML. */
  readonly path: string
  /** The recipe step it belongs to, e.g. `execute[3].then[0]`. */
  readonly step?: string
  readonly message: string
}

/** Gives every error its line and column, in the order of the file. */
export function placeErrors(errors: readonly KeyError[], file: string, yaml: YamlDocument): ActionError[] {
  const all = errors.map(({ path, message }) => ({
    file,
    ...yaml.positionOf(path),
    path: pathText(path),
    ...stepOf(path),
    message,
  }))
  return all.sort((a, b) => a.line - b.line || a.column - b.column)
}

export function refuseFile(file: string, errors: readonly ActionError[]): Result<never> {
  const lines = errors.map(error => {
    const place = `${error.file}:${error.line}:${error.column}`
    return error.path === '' ? `${place} ${error.message}` : `${place} ${error.path}: ${error.message}`
  })
  return refuse('invalid_input', lines.join('\n'), { file, errors })
}

/** `recipe.execute[0].tool.with.find` */
function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** `execute[3].then[0]`: the numbered lists on the way, without the names of the steps that hold them. */
function stepOf(path: KeyPath): { step?: string } {
  const [root, ...rest] = path
  if (root !== 'recipe') return {}
  const parts: string[] = []
  for (const [index, part] of rest.entries()) {
    const number = rest[index + 1]
    if (!STEP_LISTS.includes(String(part)) || typeof number !== 'number') continue
    parts.push(`${part}[${number}]`)
  }
  return parts.length > 0 ? { step: parts.join('.') } : {}
}

const STEP_LISTS = ['strategize', 'execute', 'then', 'else', 'steps']
