import type { DiffView } from '../../a2a/protocol/views/changes.ts'
import type { DecisionView, TreeView } from '../../a2a/protocol/views/decision.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import type { ProfileView } from '../../a2a/protocol/views/profile.ts'
import type { StepView } from '../../a2a/protocol/views/step.ts'
import { type Command, type CommandContext, type CommandResult, done, ended, failed } from '../command.ts'
import { followPlan } from '../plan/follow-plan.ts'
import { planEnd, unsettled } from '../plan/plan-outcome.ts'
import { diffLines } from '../render/diff.ts'
import { section } from '../render/explain.ts'
import type { Paper } from '../render/paper.ts'
import { planLines } from '../render/plan.ts'
import { treeLines } from '../render/tree.ts'
import { scoreText } from '../render/words.ts'
import { hasTerminal } from './command-ui.ts'

export const demo: Command = async context => {
  const { host, screen } = context
  if (hasTerminal(host)) return ended(await host.runScreen({ ...screen, startWith: 'demo' }))
  const client = await context.connect()
  const made = await client.call('_cleveragents/demo/create', {})
  if (!made.ok) return failed(made.failure)
  const { folder, action_name } = made.value
  context.tell(`The demo works in ${folder}`)
  return runWithoutScreen(context, folder, action_name)
}

/** Under a profile that asks nobody; what a person would have been asked is told with its threshold. */
async function runWithoutScreen(
  context: CommandContext,
  folder: string,
  action_name: string,
): Promise<CommandResult> {
  const client = await context.connect()
  const start = { action_name, folder, trust: true, automation_profile: 'ci' }
  const followed = await followPlan(
    context,
    () => client.call('_cleveragents/plan/use', start),
    plan => plan.plan_id,
  )
  if (followed.kind !== 'settled') return unsettled(followed)
  const { plan } = followed
  const tree = await client.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
  if (!tree.ok) return failed(tree.failure)
  const diff = await client.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
  if (!diff.ok) return failed(diff.failure)
  const journal = await client.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
  if (!journal.ok) return failed(journal.failure)
  const ran = await client.call('_cleveragents/plan/profile/show', { plan_id: plan.plan_id })
  if (!ran.ok) return failed(ran.failure)
  const checks = journal.value.steps.filter(step => step.kind === 'validate')
  const data = { folder, plan, profile: ran.value.profile, tree: tree.value, checks, diff: diff.value }
  return done(data, demoLines, planEnd(plan))
}

interface DemoData {
  readonly plan: PlanView
  readonly profile: ProfileView
  readonly tree: TreeView
  readonly checks: readonly StepView[]
  readonly diff: DiffView
}

function demoLines({ plan, profile, tree, checks, diff }: DemoData, paper: Paper): string[] {
  const own = tree.decisions.filter(({ plan_id }) => plan_id === plan.plan_id)
  const passed = [...profile.thresholds.flatMap(passedPhase), ...own.flatMap(passedDecision)]
  return [
    ...planLines(plan, paper),
    '',
    ...treeLines(tree, paper),
    '',
    ...section('Gates passed', passed, paper),
    '',
    ...section(
      'Validations',
      checks.map(check => check.summary),
      paper,
    ),
    '',
    ...diffLines(diff, paper),
  ]
}

/** Phases are passed, not decided: the profile alone tells why. */
function passedPhase({ flag, gate, what, threshold }: ProfileView['thresholds'][number]): string[] {
  if (!/^auto/.test(gate)) return []
  return [`${flag}: ${what}, threshold ${scoreText(threshold)}`]
}

function passedDecision({ number, question, gate_confidence: gate }: DecisionView): string[] {
  if (gate === null) return []
  const comparison = `confidence ${scoreText(gate.effective)} against threshold ${scoreText(gate.threshold)}`
  return [`#${number} ${gate.flag}: ${comparison} (${question})`]
}
