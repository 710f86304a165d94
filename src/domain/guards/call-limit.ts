import { ASK, type Guard } from './guard.ts'

export const callLimit: Guard = ({ maxToolCallsPerStep: limit }, { callsSoFar }) =>
  limit !== null && callsSoFar >= limit
    ? `${callsSoFar}/${limit} tool calls of this step are used; raise max_tool_calls_per_step ${ASK}`
    : null
