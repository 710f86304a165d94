import { planPhases, planStates } from '../../a2a/protocol/plan-states.ts'
import { type Command, done, failed, type Message, refuse } from '../command.ts'
import { diffLines, patchBytes, statLines, withSides } from '../render/diff.ts'
import { explainLines } from '../render/explain.ts'
import { artifactsLines, checkpointsLines, planStatusLines, plansLines } from '../render/plan.ts'
import { planProfileLines } from '../render/profile.ts'
import { treeLines } from '../render/tree.ts'
import { given, simpleCall } from '../simple-call.ts'

export const planStatus = simpleCall(
  '_cleveragents/plan/status',
  ({ given: typed }) => ({ plan_id: typed.one('plan') }),
  planStatusLines,
)

export const planList = simpleCall(
  '_cleveragents/plan/list',
  ({ given: typed }) => ({
    ...given(
      'phase',
      planPhases.find(phase => phase === typed.maybe('phase')),
    ),
    ...given(
      'state',
      planStates.find(state => state === typed.maybe('state')),
    ),
    ...given('project', typed.maybe('project')),
    ...given('limit', typed.number('limit')),
  }),
  plansLines,
)

export const planTree = simpleCall(
  '_cleveragents/plan/tree',
  ({ given: typed }) => ({
    plan_id: typed.one('plan'),
    show_superseded: typed.has('show-superseded'),
    ...given('depth', typed.number('depth')),
  }),
  treeLines,
)

export const planExplain = simpleCall(
  '_cleveragents/plan/explain',
  ({ given: typed }) => ({
    decision_id: typed.one('decision'),
    ...given('plan_id', typed.maybe('plan')),
  }),
  explainLines,
)

export const planDiff: Command = async ({ given: typed, connect, signal }) => {
  const client = await connect()
  const stat = typed.has('stat')
  if (typed.has('all') && typed.has('applied'))
    return refuse('invalid_input', 'Give --all or --applied, not both at once.')
  const part = typed.has('all') ? 'all' : typed.has('applied') ? 'applied' : undefined
  const params = {
    plan_id: typed.one('plan'),
    stat,
    ...given('decision_id', typed.maybe('decision')),
    ...given('correction_id', typed.maybe('correction')),
    ...given('against', typed.maybe('against')),
    ...given<'part', 'all' | 'applied'>('part', part),
  }
  const answer = await client.call('_cleveragents/plan/diff', params, { signal })
  if (!answer.ok) return failed(answer.failure)
  const text =
    'This is what is left to apply; --all shows everything, --applied what is in your files already.'
  const messages: Message[] = answer.value.part === 'left' ? [{ level: 'info', text }] : []
  const compares = ['decision', 'correction', 'against'].some(name => typed.maybe(name) !== undefined)
  const asShown = (lines: typeof diffLines) => (compares ? withSides(lines) : lines)
  if (stat) return done(answer.value, asShown(statLines), { messages })
  return done(answer.value, asShown(diffLines), { bytes: patchBytes(answer.value), messages })
}

export const planArtifacts = simpleCall(
  '_cleveragents/plan/artifacts',
  ({ given: typed }) => ({ plan_id: typed.one('plan') }),
  artifactsLines,
)

export const planCheckpointList = simpleCall(
  '_cleveragents/plan/checkpoint/list',
  ({ given: typed }) => ({ plan_id: typed.one('plan') }),
  checkpointsLines,
)

export const planProfileShow = simpleCall(
  '_cleveragents/plan/profile/show',
  ({ given: typed }) => ({ plan_id: typed.one('plan') }),
  planProfileLines,
)

export const planProfileSet = simpleCall(
  '_cleveragents/plan/profile/set',
  ({ given: typed }) => ({
    plan_id: typed.one('plan'),
    name: typed.one('name'),
    reason: typed.one('reason'),
  }),
  planProfileLines,
)
