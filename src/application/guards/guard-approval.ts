import { join } from 'node:path'
import { type Failure, refuse } from '../../domain/failure.ts'
import type { GateAnswer, GateOption, GateSubject } from '../../domain/gate/gate.ts'
import type { GuardVerdict } from '../../domain/guards/guard.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Tool } from '../../domain/tool.ts'
import type { StepApproval, StepCall } from '../gate/approve-step.ts'
import { answerTo } from '../gate/find-answer.ts'
import { openGate, type Question } from '../gate/open-gate.ts'
import type { Next } from '../plan/next.ts'
import type { Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { scopeOf } from './guards-of.ts'
import { judgeToolCall } from './judge-tool-call.ts'

/**
 * Null where no guard is against a call. What a person says at a guard's gate is about this one call, and settles
 * whatever else would be asked about it: a standing approval never reaches here.
 */
export async function guardApproval(turn: Turn, tool: Tool, call: StepCall): Promise<StepApproval | null> {
  const { plan, cursor } = turn
  const { ports } = turn.session
  const key = `${call.key}:guard`
  const answer = answerTo(ports, plan, key)
  if (answer) return settled(answer, call)
  const step = cursor.pending?.step ?? null
  const verdict = await judgeToolCall(ports, plan, tool, { step, key: call.key, input: call.input })
  if (verdict.allowed) return null
  return {
    kind: 'asked',
    next: askUnderGuard(ports, tool.name, verdict, questionFor(plan, key, call, verdict)),
  }
}

function settled(answer: GateAnswer, call: StepCall): StepApproval {
  switch (answer.decision) {
    case 'approve':
      // Who approves without saying which gives the less.
      return {
        kind: 'approved',
        network: call.wantsNetwork && answer.optionId === 'with' ? 'full' : 'none',
      }
    case 'request_changes':
      return { kind: 'changed', answer }
    case 'reject':
      return { kind: 'refused', failure: refusal(call, answer) }
  }
}

function refusal({ tool }: StepCall, { note }: GateAnswer): Failure {
  const message = `A guard stopped ${tool}, and a person did not let it through: ${note ?? 'no reason given'}.`
  return refuse('denied', message, { what: tool }).failure
}

function questionFor(plan: Plan, key: string, call: StepCall, verdict: GuardVerdict): Question {
  return {
    kind: 'guard',
    requestKey: key,
    question: `A guard stopped ${call.tool}. Let this one call through?`,
    subject: subjectOf(plan, call, verdict),
    options: call.wantsNetwork ? networkOptions : [option('run', 'Run it, this once')],
    reason: verdict.reason,
    confidence: null,
  }
}

const networkOptions: readonly GateOption[] = [
  option('without', 'Run it, this once, without the network'),
  option('with', 'Run it, this once, with the network'),
]

function option(id: string, label: string): GateOption {
  return { id, label, description: null, effect: 'approve' }
}

function subjectOf(plan: Plan, { tool, input }: StepCall, { guard, parts }: GuardVerdict): GateSubject {
  const { command, cwd, ...others } = input
  const isCommand = typeof command === 'string'
  const against =
    guard === 'allowlist' ? parts.filter(each => each.allowed === null) : parts.filter(each => each.denied)
  const places = guard === 'allowlist' || guard === 'denylist' ? against : []
  return {
    kind: 'guard',
    guard: guard ?? 'denylist',
    scope: scopeOf(plan),
    tool,
    folder: join(plan.project.root, typeof cwd === 'string' ? cwd : ''),
    command: isCommand ? command : null,
    input: isCommand ? others : input,
    marked: places.map(({ part, denied }) => ({
      ...part.span,
      text: part.text,
      why: denied?.why ?? part.unclear ?? 'no rule of the allowlist allows it',
    })),
  }
}

/** Opens the gate, and records in the plan's log which guard it was. */
export function askUnderGuard(ports: Ports, tool: string, verdict: GuardVerdict, question: Question): Next {
  return {
    event: 'waits',
    reason: question.question,
    commit: plan => {
      const { gateId } = openGate(ports, plan, question)
      recordStop(ports, plan, { tool, verdict, gateId })
    },
  }
}

function recordStop(
  ports: Ports,
  plan: Plan,
  {
    tool,
    verdict,
    gateId,
  }: { tool: string; verdict: GuardVerdict; gateId: ReturnType<typeof openGate>['gateId'] },
): void {
  if (verdict.guard === null) return
  ports.store.events.append(plan.planId, plan.rootPlanId, {
    type: 'GUARD_STOPPED',
    guard: verdict.guard,
    tool,
    reason: verdict.reason,
    scope: scopeOf(plan),
    gateId,
  })
}
