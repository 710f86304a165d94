/**
 * Files that people write: YAML whose every error is told at once, each with its line, column and key. What a file means
 * is for those who read it; here is what they share. Begin with yaml-source.ts.
 */
import { type Result, refuse } from '../../domain/failure.ts'
import type { KeyError } from './schema-check.ts'
import type { KeyPath, Position, YamlDocument } from './yaml-source.ts'

export interface FileError extends Position {
  readonly file: string
  /** The key, e.g. `recipe.execute[0].tool.name`; empty where the file is no YAML. */
  readonly path: string
  readonly message: string
}

/** Gives every error its line and column, in the order of the file. `more`: what else is to be known of a key. */
export function placeErrors<More extends object>(
  errors: readonly KeyError[],
  file: string,
  yaml: YamlDocument,
  more: (path: KeyPath) => More,
): (FileError & More)[] {
  const all = errors.map(({ path, message }) => ({
    file,
    ...yaml.positionOf(path),
    path: pathText(path),
    ...more(path),
    message,
  }))
  return all.sort((a, b) => a.line - b.line || a.column - b.column)
}

export function refuseFile(file: string, errors: readonly FileError[]): Result<never> {
  return refuse('invalid_input', errors.map(errorText).join('\n'), { file, errors })
}

/** `careful.yaml:4:3 select_tool: must be a number, not true.` */
export function errorText({ file, line, column, path, message }: FileError): string {
  return `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`
}

/** `recipe.execute[0].tool.with.find` */
function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}
