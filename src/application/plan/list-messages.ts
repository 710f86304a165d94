import { mapped, type Result } from '../../domain/failure.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/model/message.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { KeptMessage } from '../ports/conversation.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan } from '../references.ts'

export interface ListMessages {
  readonly planRef: string
  /** Null: of the whole plan. */
  readonly decisionRef: string | null
  /** The newest so many. */
  readonly limit: number
}

export interface SaidMessage extends KeptMessage {
  readonly isPresent: boolean
}

export interface PlanMessages {
  readonly plan: Plan
  readonly total: number
  readonly messages: readonly SaidMessage[]
}

/** Everything that a plan said to models and heard from them, in the order in which it was said. */
export function listMessages(
  ports: Ports,
  { planRef, decisionRef, limit }: ListMessages,
): Result<PlanMessages> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const decision = decisionRef === null ? null : findDecision(ports, decisionRef, plan.value)
  if (decision && !decision.ok) return decision
  return mapped(plan, found => {
    const said = ports.store.messages.list(found.planId)
    const byId = new Map(said.map(message => [message.messageId, message]))
    const steps = ports.store.steps.listByPlan(found.planId).filter(step => step.kind === 'model')
    const present = new Set(presentHeads(steps).flatMap(head => lineTo(byId, head, null)))
    const under = decision?.ok ? saidUnder(byId, steps, decision.value.decisionId) : null
    const messages = said
      .filter(({ messageId }) => under === null || under.has(messageId))
      .map(message => ({ ...message, isPresent: present.has(message.messageId) }))
    return {
      plan: found,
      total: messages.length,
      messages: messages.slice(Math.max(0, messages.length - limit)),
    }
  })
}

type ById = ReadonlyMap<string, { readonly after: MessageId | null; readonly message: Message }>

/** Where each phase stands: the last answer in it whose work was not taken back. */
function presentHeads(steps: readonly Step[]): string[] {
  return ['strategize', 'execute'].flatMap(phase => {
    const last = steps.findLast(
      step => step.phase === phase && step.takenBackAt === null && step.status === 'done',
    )
    return last ? headOf(last) : []
  })
}

function headOf({ outcome, input }: Step): string[] {
  if (outcome?.kind === 'model_replied') return [outcome.head]
  return typeof input['said'] === 'string' ? [input['said']] : []
}

function saidUnder(byId: ById, steps: readonly Step[], decisionId: Step['decisionId']): Set<string> {
  return new Set(
    steps
      .filter(step => step.decisionId === decisionId)
      .flatMap(step => headOf(step).flatMap(head => lineTo(byId, head, asText(step.input['after'])))),
  )
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** From a message back to the one that it is about, which is left out. */
function lineTo(byId: ById, head: string, end: string | null): string[] {
  const line: string[] = []
  for (let at: string | null = head; at !== null && at !== end; at = byId.get(at)?.after ?? null)
    line.push(at)
  return line
}
