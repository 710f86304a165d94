import { ASK, type Guard } from './guard.ts'
import { rulesFor } from './rules-for.ts'

/** A person may let a denied call through, once; what is never to run is a matter of the safety profile. */
export const denylist: Guard = ({ toolDenylist }, { tool }, parts) => {
  const whole = rulesFor(toolDenylist, tool).find(({ command }) => command === null)
  if (whole) return `${tool} is on the denylist (${whole.entry}); take it off the denylist ${ASK}`
  const { part, denied } =
    parts.find(each => each.denied?.rule != null) ?? parts.find(each => each.denied) ?? {}
  if (!part || !denied) return null
  if (denied.rule !== null)
    return `${tool} may not run "${part.text}", by the denylist: ${denied.why}; take ${denied.rule} off the denylist ${ASK}`
  return `whether the denylist of ${tool} is about "${part.text}" cannot be told: ${denied.why}; write it plainly ${ASK}`
}
