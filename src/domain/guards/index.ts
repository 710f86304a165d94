/**
 * Guards: what is asked about whatever the confidence is, one a file, each a pure function of a call and the plan's
 * guards. They know no store and no tool. Begin with `judgeCall`; what rules say about commands is in ./command.
 */
import { COMMAND_TOOL } from '../tool.ts'
import { allowlist } from './allowlist.ts'
import { applyApproval } from './apply-approval.ts'
import { budgetCap } from './budget-cap.ts'
import { callLimit } from './call-limit.ts'
import { judgeCommand, type PartVerdict } from './command/judge-command.ts'
import { denylist } from './denylist.ts'
import type { EffectiveGuards } from './effective-guards.ts'
import { type Guard, type GuardCall, type GuardName, type GuardVerdict, guardNames } from './guard.ts'
import { rulesFor } from './rules-for.ts'
import { writeApproval } from './write-approval.ts'

const guardsByName: Readonly<Record<GuardName, Guard>> = {
  denylist,
  allowlist,
  call_limit: callLimit,
  budget_cap: budgetCap,
  write_approval: writeApproval,
  apply_approval: applyApproval,
}

/** The first guard that stops a call says why. A plan without guards stops nothing. */
export function judgeCall(guards: EffectiveGuards | null, call: GuardCall): GuardVerdict {
  const parts = guards ? partsUnder(guards, call) : []
  for (const name of guards ? guardNames : []) {
    const stop = guards && guardsByName[name](guards, call, parts)
    if (!stop) continue
    const reason = `${stop} (scope ${call.scope})`
    return { allowed: false, reason, requiresApproval: true, guard: name, parts }
  }
  const reason = `no guard is against ${call.tool} (scope ${call.scope})`
  return { allowed: true, reason, requiresApproval: false, guard: null, parts }
}

/** A command is taken apart only where a rule is about commands. */
function partsUnder(guards: EffectiveGuards, { tool, command }: GuardCall): readonly PartVerdict[] {
  if (command === null || tool !== COMMAND_TOOL) return []
  const deny = rulesFor(guards.toolDenylist, tool).filter(rule => rule.command !== null)
  const allow = guards.toolAllowlists.map(list => rulesFor(list, tool))
  const isAsked = deny.length > 0 || allow.some(list => list.every(rule => rule.command !== null))
  return isAsked ? judgeCommand({ deny, allow }, command.line, command.parse) : []
}
