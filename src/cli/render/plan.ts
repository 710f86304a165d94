import type { ChildPlanView, PlanView } from '../../a2a/protocol/views/plan.ts'
import type { CheckpointView } from '../../a2a/protocol/views/rollback.ts'
import { gateLines } from './gate.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'
import { changesText, oneLine, shortId, stateMark } from './words.ts'

type Fact = readonly [string, string | null]

export function planLines(plan: PlanView, paper: Paper): string[] {
  return linesWith(plan, [], paper)
}

/** The same with what the sandbox is worth, which is said once and not after every command. */
export function planStatusLines(plan: PlanView, paper: Paper): string[] {
  const { protects, does_not_protect } = plan.sandbox
  const worth: Fact[] = [
    ...preflightFacts(plan),
    ...protects.map(sentence => ['protected', sentence] as const),
    ...does_not_protect.map(sentence => ['not protected', sentence] as const),
  ]
  return linesWith(plan, worth, paper)
}

/** What waits for an answer stands last, next to the prompt. */
function linesWith(plan: PlanView, more: readonly Fact[], paper: Paper): string[] {
  const facts: Fact[] = [
    ['plan', plan.plan_id],
    ['action', plan.action],
    ['child of', childText(plan)],
    ['project', `${plan.project.name} (${plan.project.root})`],
    ['profile', `${plan.profile.name} (${plan.profile.source})`],
    ['sandbox', sandboxText(plan)],
    ['attempt', plan.attempt > 1 ? String(plan.attempt) : null],
    ['cost', costText(plan)],
    ['tokens', usedText(plan.limits.tokens, 'tokens')],
    ['steps', usedText(plan.limits.steps, 'steps')],
    ['time', usedText(plan.limits.seconds, 'seconds')],
    ['changes', changesText(plan.changes, paper)],
    ['applied', appliedText(plan, paper)],
    ['taken back', plan.taken_back_by && `by ${plan.taken_back_by.name} (${plan.taken_back_by.state})`],
    ...plan.children.map((child, at) => [at === 0 ? 'children' : '', childLine(child, paper)] as const),
    ['waits for', plan.waits_for?.name ?? null],
    // The gate below asks the same question; what the checks found stands below by itself.
    ['reason', openGatesOf(plan).length > 0 || isRejected(plan) ? null : plan.reason],
    ['commands', confinementText(plan)],
    ['runs in', runnerText(plan)],
    ...plan.notices.map(notice => ['note', notice] as const),
    ...(isRejected(plan) && more.length === 0 ? preflightFacts(plan) : []),
    ...more,
  ]
  return [
    `${stateMark(plan.state, paper)} ${paper.paint('strong', oneLine(plan.name))}  ${plan.phase} ${plan.state}`,
    ...factLines(facts, paper),
    ...openGatesOf(plan).flatMap(gate => gateLines(gate, paper)),
    ...nextLines(plan),
  ]
}

function isRejected({ phase, state, preflight }: PlanView): boolean {
  return phase === 'action' && state === 'errored' && preflight !== null
}

/** All checks in one row where they passed, else a row for each, with what to do. */
function preflightFacts({ preflight }: PlanView): Fact[] {
  if (preflight === null) return []
  if (preflight.every(({ status }) => status === 'passed'))
    return [['checked', `${preflight.length} checks before the start passed`]]
  return preflight.flatMap(({ id, name, status, findings }) => [
    [id, `${name}: ${status}`] as const,
    ...findings.map(({ message }) => ['', message] as const),
  ])
}

function childText({ parent_plan_id, applies_to }: PlanView): string | null {
  if (parent_plan_id === null) return null
  const way = applies_to === 'parent' ? 'merged into it and applied with it' : 'applied by itself'
  return `${shortId(parent_plan_id)}; ${way}`
}

function childLine(child: ChildPlanView, paper: Paper): string {
  const changes = child.changes ? `  ${changesText(child.changes, paper)}` : ''
  return `${stateMark(child.state, paper)} ${oneLine(child.key ?? child.name)}  ${childState(child)}${changes}  ${shortId(child.plan_id)}`
}

/** As in a sentence about it. */
export function childState({ phase, state }: Pick<ChildPlanView, 'phase' | 'state'>): string {
  if (phase === 'apply' && state === 'complete') return 'ready for Apply with its parent'
  return state === 'applied' || state === 'cancelled' ? state : `${phase} ${state}`
}

/** What it cost, and what it may cost. */
function costText({ budget, cost, name }: PlanView): string {
  const { spent, assumed, reserved, limit, source, of } = budget
  const underWay = reserved > 0 ? `, ${usd(reserved)} reserved` : ''
  const tokens = cost.tokens > 0 ? `, ${cost.tokens} tokens` : ''
  const guessed = cost.usd === null ? `; the price is unknown, ${usd(assumed)} USD of it is assumed` : ''
  if (limit === null && cost.usd === null)
    return `unknown${tokens}; budgets count ${usd(spent)} USD${underWay}`
  if (limit === null) return `${usd(spent)} USD${underWay}${tokens}`
  const whose = source === 'parent' ? `left by ${of}` : of === name ? source : `${source} of ${of}`
  return `${usd(spent)} of ${usd(limit)} USD${underWay} (${whose})${tokens}${guessed}`
}

function usd(amount: number): string {
  const cents = amount.toFixed(2)
  return Number(cents) === amount ? cents : amount.toFixed(6).replace(/0+$/, '')
}

/** Said where there is a limit: without one nobody waits for it. */
function usedText({ used, max, source }: PlanView['limits']['seconds'], what: string): string | null {
  return max === null ? null : `${used} of ${max} ${what} (${source})`
}

function confinementText({ confinement }: PlanView): string | null {
  if (confinement === null) return null
  return confinement === 'none' ? 'not confined' : `confined by ${confinement}`
}

export function plansLines({ plans }: { readonly plans: readonly PlanView[] }, paper: Paper): string[] {
  const rows = inFamilies(plans).map(({ plan, depth }) => [
    shortId(plan.plan_id),
    depth === 0 ? plan.name : `${'  '.repeat(depth)}${plan.name.slice(plan.name.lastIndexOf('/') + 1)}`,
    depth > 0 && plan.applies_to === 'parent' ? childState(plan) : `${plan.phase} ${plan.state}`,
    plan.profile.name,
    plan.project.name,
    plan.updated_at,
  ])
  return tableLines(
    {
      head: ['PLAN', 'NAME', 'STATE', 'PROFILE', 'PROJECT', 'UPDATED'],
      rows,
      flexible: 1,
      empty: 'No plans. Start one with: agents plan use ACTION',
    },
    paper,
  )
}

interface ListedPlan {
  readonly plan: PlanView
  /** How many of the plans above it are listed. */
  readonly depth: number
}

/** Children below their parents, in the order in which they were started; one whose parent is not listed stands alone. */
function inFamilies(plans: readonly PlanView[]): ListedPlan[] {
  const listed = new Set(plans.map(plan => plan.plan_id))
  const below = Map.groupBy(plans.toReversed(), ({ parent_plan_id }) =>
    parent_plan_id !== null && listed.has(parent_plan_id) ? parent_plan_id : null,
  )
  const family = (plan: PlanView, depth: number): ListedPlan[] => [
    { plan, depth },
    ...(below.get(plan.plan_id) ?? []).flatMap(child => family(child, depth + 1)),
  ]
  return (below.get(null) ?? []).toReversed().flatMap(plan => family(plan, 0))
}

export function checkpointsLines(
  { checkpoints }: { readonly checkpoints: readonly CheckpointView[] },
  paper: Paper,
): string[] {
  const rows = checkpoints.map(checkpoint => [
    shortId(checkpoint.checkpoint_id),
    checkpoint.created_at,
    checkpoint.kind,
    checkpoint.decision_id === null ? '' : shortId(checkpoint.decision_id),
    checkpoint.label,
  ])
  return tableLines(
    {
      head: ['CHECKPOINT', 'TAKEN', 'KIND', 'DECISION', 'LABEL'],
      rows,
      flexible: 4,
      empty: 'No checkpoints.',
    },
    paper,
  )
}

interface Artifacts {
  readonly artifacts: readonly {
    readonly name: string
    readonly kind: string
    readonly bytes: number
    readonly path: string | null
  }[]
}

export function artifactsLines({ artifacts }: Artifacts, paper: Paper): string[] {
  const rows = artifacts.map(({ name, kind, bytes, path }) => [name, kind, String(bytes), path ?? ''])
  return tableLines(
    { head: ['ARTIFACT', 'KIND', 'BYTES', 'PATH'], rows, flexible: 3, empty: 'No artifacts.' },
    paper,
  )
}

function openGatesOf(plan: PlanView) {
  return plan.gates.filter(gate => gate.status === 'open')
}

function sandboxText({ sandbox }: PlanView): string {
  const { strategy, place } = sandbox
  return place === 'beside' ? strategy : `${strategy}: works in your own files; nothing can be rolled back`
}

function appliedText({ applied, left }: PlanView, paper: Paper): string | null {
  return applied === 'part' ? `in part; left: ${changesText(left, paper)}` : null
}

function runnerText({ runner }: PlanView): string | null {
  return runner === null || runner.here ? null : `process ${runner.pid}`
}

function nextLines(plan: PlanView): string[] {
  if (plan.state !== 'paused') return []
  return ['  Go on with', `    agents plan resume ${shortId(plan.plan_id)}`]
}
