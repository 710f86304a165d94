import type { Params } from '../../a2a/protocol/methods.ts'
import type { CorrectionView } from '../../a2a/protocol/views/correction.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { correctionLines } from '../render/correction.ts'
import { planLines } from '../render/plan.ts'
import { given } from '../simple-call.ts'
import { followPlan } from './follow-plan.ts'
import { planEnd, unsettled } from './plan-outcome.ts'

/** Preview, question, correction: the confirmation holds for the impact that was shown and for no other. */
export const planCorrect: Command = async context => {
  const { given: typed } = context
  const client = await context.connect()
  const look = (asked: Request) => client.call('_cleveragents/plan/correct', { ...asked, dry_run: true })
  let request = requestOf(context)
  let preview = await look(request)
  // A plan alone means append; of a decision only the person knows.
  const mode = !preview.ok && preview.failure.facts['missing'] === 'mode' ? await askForMode(context) : null
  if (mode) {
    request = { ...request, mode }
    preview = await look(request)
  }
  if (!preview.ok) return failed(preview.failure)
  if (typed.has('dry-run')) return done(preview.value, correctionLines)
  const refusal = await confirmed(context, preview.value)
  return refusal ?? correct(context, { ...request, digest: preview.value.impact.digest })
}

type Request = Params<'_cleveragents/plan/correct'>

function requestOf({ given: typed }: CommandContext): Request {
  const mode = typed.maybe('mode')
  return {
    decision_id: typed.one('id'),
    ...given('plan_id', typed.maybe('plan')),
    guidance: typed.one('guidance'),
    ...(mode === 'revert' || mode === 'append' ? { mode } : {}),
    ...given('action', typed.maybe('action')),
  }
}

/** Null without a terminal, and for anything else than one of the two words. */
async function askForMode(context: CommandContext): Promise<Request['mode'] | null> {
  if (context.saysYes) return null
  const answer = (await context.ask('Take the decision again, or add a child plan? [revert/append] '))?.trim()
  return answer === 'revert' || answer === 'append' ? answer : null
}

async function confirmed(context: CommandContext, preview: CorrectionView): Promise<CommandResult | null> {
  for (const line of correctionLines(cleaned(preview), context.aside)) context.tell(line)
  if (context.saysYes) return null
  const answer = await context.ask(preview.mode === 'append' ? 'Append it? [y/N] ' : 'Correct it? [y/N] ')
  if (answer === null)
    return refuse(
      'invalid_input',
      'A correction needs a yes. Look at it with --dry-run, then repeat it with --yes.',
    )
  return /^y(es)?$/i.test(answer.trim()) ? null : refuse('interrupted', 'Not corrected: nothing was changed.')
}

async function correct(context: CommandContext, request: Request): Promise<CommandResult> {
  const client = await context.connect()
  const followed = await followPlan(
    context,
    () => client.call('_cleveragents/plan/correct', request),
    started => started.plan_id,
  )
  if (followed.kind !== 'settled') return unsettled(followed)
  const { started, plan } = followed
  const end = planEnd(plan)
  return done(
    { ...started, plan },
    (data, paper) => [...correctionLines(data, paper), ...planLines(data.plan, paper)],
    end,
  )
}
