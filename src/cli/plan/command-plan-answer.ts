import type { GateView } from '../../a2a/protocol/views/gate.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { gateLines } from '../render/gate.ts'
import { planLines } from '../render/plan.ts'
import { shortDigest } from '../render/words.ts'
import { given } from '../simple-call.ts'
import { followPlan } from './follow-plan.ts'
import { runInForeground, type Start, unsettled } from './plan-outcome.ts'

export const planApprove: Command = context =>
  answerGate(context, async (target, gate) => {
    const refusal = await confirmed(context, gate)
    if (refusal !== null) return refusal
    const { given: typed } = context
    return runInForeground(context, client =>
      client.call('_cleveragents/plan/approve', {
        ...target,
        ...given('option_id', typed.maybe('option')),
        ...given('note', typed.maybe('note')),
        ...given('confirm_word', gate?.confirm_word ?? undefined),
        grant: grantOf(typed.maybe('grant')),
      }),
    )
  })

export const planReject: Command = context =>
  answerGate(context, target =>
    reportAnswer(context, client =>
      client.call('_cleveragents/plan/reject', { ...target, ...given('note', context.given.maybe('note')) }),
    ),
  )

export const planRequestChanges: Command = context =>
  answerGate(context, target =>
    runInForeground(context, client =>
      client.call('_cleveragents/plan/request-changes', {
        ...target,
        guidance: context.given.one('guidance'),
        ...given('note', context.given.maybe('note')),
      }),
    ),
  )

interface Target {
  readonly plan_id: string
  readonly gate_id?: string
  readonly digest?: string
}

/**
 * Prints the gate and binds the answer to exactly what was printed. Which gate is meant where none is named, and
 * whether an answer comes too late, is for the backend to say.
 */
async function answerGate(
  context: CommandContext,
  answer: (target: Target, gate: GateView | null) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { given: typed } = context
  const client = await context.connect()
  const plan_id = typed.one('plan')
  const open = await client.call('_cleveragents/gate/list', { plan_id })
  if (!open.ok) return failed(open.failure)
  const gate = pickGate(open.value.gates, typed.maybe('gate'))
  if (gate === null) {
    const digest = typed.maybe('digest')
    return answer({ plan_id, ...given('gate_id', typed.maybe('gate')), ...given('digest', digest) }, null)
  }
  for (const line of gateLines(cleaned(gate), context.aside)) context.tell(line)
  return answer({ plan_id, gate_id: gate.gate_id, digest: digestFor(gate, typed.maybe('digest')) }, gate)
}

function pickGate(gates: readonly GateView[], ref: string | undefined): GateView | null {
  const wanted = ref?.toUpperCase()
  const fitting = gates.filter(({ gate_id }) => wanted === undefined || isShortFor(wanted, gate_id))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function isShortFor(ref: string, id: string): boolean {
  const whole = id.toUpperCase()
  return whole === ref || (ref.length >= 6 && (whole.endsWith(ref) || whole.startsWith(ref)))
}

/** A short digest that fits stands for the whole; one that does not fit is passed on and refused as stale. */
function digestFor(gate: GateView, asked: string | undefined): string {
  if (asked === undefined) return gate.digest
  const short = shortDigest(gate.digest)
  return asked.length >= short.length && gate.digest.replace(/^sha256:/, '').startsWith(asked)
    ? gate.digest
    : asked
}

/** A destructive act takes a typed word, or `--yes` from a script that means it. */
async function confirmed(context: CommandContext, gate: GateView | null): Promise<CommandResult | null> {
  if (gate?.confirm_word == null || context.saysYes) return null
  const typed = await context.ask(`Type ${gate.confirm_word} to approve: `)
  if (typed === null)
    return refuse('invalid_input', 'This approval cannot be undone. Repeat it with --yes to confirm it.')
  return typed.trim() === gate.confirm_word
    ? null
    : refuse('invalid_input', 'Not approved: the word differs.')
}

/** What was asked for is the answer; how the plan goes on afterwards is not its failure. */
async function reportAnswer(context: CommandContext, start: Start): Promise<CommandResult> {
  const client = await context.connect()
  const followed = await followPlan(
    context,
    () => start(client),
    plan => plan.plan_id,
  )
  return followed.kind === 'settled' ? done(followed.plan, planLines) : unsettled(followed)
}

function grantOf(text: string | undefined): 'once' | 'plan' | 'profile' {
  return text === 'plan' || text === 'profile' ? text : 'once'
}
