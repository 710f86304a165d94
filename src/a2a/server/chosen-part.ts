import type * as z from 'zod'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { ChosenPart } from '../../domain/gate/gate.ts'
import { parseRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { chosenPart } from '../protocol/views.ts'

/** The part of the changes that a client chose; null for all of them. */
export function readChosenPart(params: Readonly<z.output<typeof chosenPart>>): Result<ChosenPart | null> {
  const { only, hunks, hunks_encoding } = params
  if (only !== undefined && hunks !== undefined)
    return refuse('invalid_input', 'Choose paths or hunks, not both at once.')
  if (hunks !== undefined) return ok({ kind: 'hunks', patchBase64: inBase64(hunks, hunks_encoding) })
  if (only === undefined) return ok(null)
  const paths: RelPath[] = []
  for (const text of only) {
    const path = parseRelPath(text)
    if (!path.ok) return path
    paths.push(path.value)
  }
  return ok({ kind: 'paths', only: paths })
}

function inBase64(hunks: string, encoding: 'utf8' | 'base64'): string {
  return encoding === 'base64' ? hunks : Buffer.from(hunks, 'utf8').toString('base64')
}
