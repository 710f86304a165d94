/**
 * Trust in a folder: whether what it declares may run. What is not listed before a person says yes was not agreed to,
 * and what changes afterwards is asked about anew.
 */

/** Something that would run because the folder, or its set-up step, says so. */
export interface FolderCommand {
  /** check: discovered in a manifest. hook: what a package manager runs besides. set_up: the user's own word. */
  readonly kind: 'check' | 'hook' | 'set_up'
  readonly name: string
  readonly command: string
  /** What is behind the command, e.g. the text of a script; null where the folder does not say. */
  readonly runs: string | null
  /** The file that says so; null for the user's own word. */
  readonly from: string | null
}

export type TrustStanding =
  | { readonly kind: 'unasked' | 'trusted' | 'untrusted' }
  /** It was given, and since then the folder would run something else. */
  | { readonly kind: 'changed'; readonly changed: readonly FolderCommand[] }

/** What a person decided about a folder. */
export interface TrustGiven {
  readonly trusted: boolean
  /** A person has said yes or no. */
  readonly trustAsked: boolean
  /** What was listed when the yes was given; null when nobody noted it. */
  readonly trustedList: readonly FolderCommand[] | null
}

export function trustStanding(given: TrustGiven, now: readonly FolderCommand[]): TrustStanding {
  if (!given.trusted) return { kind: given.trustAsked ? 'untrusted' : 'unasked' }
  const agreed = new Set((given.trustedList ?? []).map(keyOf))
  // The set-up step is said by the user; the folder has no hand in it.
  const changed = now.filter(each => each.kind !== 'set_up' && !agreed.has(keyOf(each)))
  return changed.length === 0 ? { kind: 'trusted' } : { kind: 'changed', changed }
}

/** In words, after "not run: ". */
export function reasonNotTrusted(standing: TrustStanding, project: string): string | null {
  const remedy = `agents project trust ${project}`
  switch (standing.kind) {
    case 'trusted':
      return null
    case 'unasked':
    case 'untrusted':
      return `the folder is not trusted. To let it run: ${remedy}`
    case 'changed': {
      const names = standing.changed.map(each => `${each.kind} ${each.name}`).join(', ')
      return `what the folder would run has changed since it was trusted (${names}). To look at it and trust it again: ${remedy}`
    }
    default:
      return standing satisfies never
  }
}

function keyOf({ kind, name, command, runs, from }: FolderCommand): string {
  return JSON.stringify([kind, name, command, runs, from])
}
