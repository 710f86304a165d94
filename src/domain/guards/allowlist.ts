import { ASK, type Guard } from './guard.ts'
import { rulesFor } from './rules-for.ts'

/** An empty list lets nothing through by itself. */
export const allowlist: Guard = ({ toolAllowlists }, { tool }, parts) => {
  const missing = toolAllowlists.find(list => rulesFor(list, tool).length === 0)
  if (missing) return `${tool} is not on the allowlist; add it to the allowlist ${ASK}`
  const { part } = parts.find(each => each.allowed === null) ?? {}
  if (!part) return null
  const why = part.unclear ?? 'no rule of the allowlist allows it'
  return `${tool} may not run "${part.text}" by itself: ${why}; add it to the allowlist ${ASK}`
}
