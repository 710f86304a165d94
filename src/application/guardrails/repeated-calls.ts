import { FailureError, type Result } from '../../domain/failure.ts'
import { callSignature, resultSignature } from '../../domain/guardrails/repetition.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Tool, ToolOutcome } from '../../domain/tool.ts'
import type { Ports } from '../ports.ts'

/** After how many equal calls a person is asked; 0: never. */
export function mostEqualCalls(ports: Ports): number {
  const setting = ports.settings.get('plan.repeated-calls', null)
  if (!setting.ok) throw new FailureError(setting.failure)
  return Number(setting.value.value)
}

/** Notes a call with what came of it. Call it inside a transaction. */
export function noteCall(
  ports: Ports,
  { planId }: Pick<Plan, 'planId'>,
  tool: Tool,
  call: { readonly input: Step['input']; readonly result: Result<ToolOutcome> },
): void {
  const { result } = call
  const came = resultSignature(result.ok ? result.value.output : result.failure.message)
  const written = result.ok ? result.value.written : []
  const hasWritten = written !== 'unknown' && written.length > 0
  const signature = callSignature(tool, call.input)
  ports.store.guardrails.addCall(planId, ports.digest(signature), ports.digest(came), hasWritten)
}
