import type { DriftedPath, Sandbox } from '../../domain/sandbox/strategy.ts'

/** What drifted in a sandbox, and who says what becomes of it. */
export interface SettledDrift {
  readonly sandbox: Sandbox
  readonly drift: readonly DriftedPath[]
  readonly decidedBy: 'human' | 'profile'
  readonly note: string | null
}

/** As in "a.txt and 2 more". */
export function namesOf(paths: readonly { readonly path: string }[]): string {
  const [first, second] = paths.map(({ path }) => path)
  if (paths.length === 2) return `${first} and ${second}`
  return paths.length < 2 ? `${first}` : `${first} and ${paths.length - 1} more`
}
