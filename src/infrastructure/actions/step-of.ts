import type { FileError } from '../yaml/place-errors.ts'
import type { KeyPath } from '../yaml/yaml-source.ts'

export interface ActionError extends FileError {
  /** The recipe step it belongs to, e.g. `execute[3].then[0]`. */
  readonly step?: string
}

/** `execute[3].then[0]`: the numbered lists on the way, without the names of the steps that hold them. */
export function stepOf(path: KeyPath): { step?: string } {
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

const STEP_LISTS = ['strategize', 'execute', 'then', 'else', 'steps', 'fix']
