import type * as z from 'zod'
import type { Backend } from '../../application/backend.ts'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { ChosenPart } from '../../domain/gate/gate.ts'
import { parseRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { chosenPart } from '../protocol/views/changes.ts'

export function choosesPart({ only, hunks, picks }: Readonly<z.output<typeof chosenPart>>): boolean {
  return [only, hunks, picks].some(each => each !== undefined)
}

/** The part of the changes that a client chose; null for all of them. */
export async function readChosenPart(
  planRef: string,
  params: Readonly<z.output<typeof chosenPart>>,
  backend: Pick<Backend, 'pickPart'>,
): Promise<Result<ChosenPart | null>> {
  const { only, hunks, hunks_encoding, picks } = params
  if ([only, hunks, picks].filter(each => each !== undefined).length > 1)
    return refuse('invalid_input', 'Choose paths or hunks, not both at once.')
  if (picks !== undefined)
    return backend.pickPart(
      planRef,
      picks.map(each => ({ path: each.path, hunks: each.hunks ?? null })),
    )
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
