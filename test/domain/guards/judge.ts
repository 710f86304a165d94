import { type EffectiveGuards, guardsFrom, valuesOf } from '../../../src/domain/guards/effective-guards.ts'
import type { GuardCall, GuardVerdict } from '../../../src/domain/guards/guard.ts'
import { judgeCall } from '../../../src/domain/guards/index.ts'
import { COMMAND_TOOL } from '../../../src/domain/tool.ts'
import { parseCommand } from '../../../src/infrastructure/shell/parse-command.ts'

export const noGuards: EffectiveGuards = valuesOf(guardsFrom('profile', null))

/** What guards with these lists of command patterns say to a command. */
export function judge(text: string, rules: { deny?: string[]; allow?: string[] }): GuardVerdict {
  const entries = (patterns: string[]) => patterns.map(pattern => `${COMMAND_TOOL}(${pattern})`)
  const guards: EffectiveGuards = {
    ...noGuards,
    toolDenylist: entries(rules.deny ?? []),
    toolAllowlists: rules.allow ? [entries(rules.allow)] : [],
  }
  return judgeCall(guards, commandCall(text))
}

function commandCall(text: string): GuardCall {
  return {
    tool: COMMAND_TOOL,
    isWrite: true,
    costSoFar: 0,
    callsSoFar: 0,
    scope: 'PLAN',
    isApply: false,
    command: { line: { text, root: '/home/ada/shop', folder: '' }, parse: parseCommand },
  }
}
