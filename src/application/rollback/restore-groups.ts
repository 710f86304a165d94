import { type Result, refuse } from '../../domain/failure.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { covers, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { NamedReason, RestoreGroups } from '../backend/correction.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { writtenSince } from './written-since.ts'

/** A state to go back to, and when it was the present one. */
export interface RestoreTarget {
  readonly state: SandboxState
  readonly since: string
}

/**
 * What going back to a state does and does not do. Refused where it would change what somebody else put into the
 * sandbox: that is not the plan's to take away.
 */
export async function restoreGroups(
  session: PlanSession,
  plan: Plan,
  cursor: Cursor,
  target: RestoreTarget,
): Promise<Result<RestoreGroups>> {
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const foreign = await foreignPaths(session.ports, plan, cursor, sandbox.value)
  if (!foreign.ok) return foreign
  const scope = { kind: 'except' as const, paths: foreign.value }
  const preview = await sandbox.value.previewRestore(target.state, { scope, since: target.since })
  if (!preview.ok) return preview
  const clash =
    foreign.value.length === 0 ? null : await clashing(sandbox.value, cursor, target, foreign.value)
  if (clash) return clash
  const steps = session.ports.store.steps.listByPlan(plan.planId)
  return {
    ok: true,
    value: {
      restored: preview.value.restored,
      leftAlone: [
        ...foreign.value.map(path => ({ what: path, why: 'changed by hand, not by a step of this plan' })),
        ...preview.value.leftAlone.map(({ path, changedAt }) => ({
          what: path,
          why: whoChanged(session.ports, steps, changedAt),
        })),
        { what: plan.project.root, why: 'your own files; a rollback never touches them' },
      ],
      cannotRestore: [...preview.value.cannotRestore, ...limitsOf(session.ports, plan)],
    },
  }
}

async function foreignPaths(
  ports: Ports,
  plan: Plan,
  cursor: Cursor,
  sandbox: Sandbox,
): Promise<Result<readonly RelPath[]>> {
  const written = writtenSince(ports, plan, cursor)
  if (written === 'unknown') return { ok: true, value: [] }
  const drift = await sandbox.drift(cursor.sandboxState, written)
  // In a folder that is missing there is nothing of anybody's; going back makes it anew.
  if (!drift.ok && drift.failure.facts['missing'] !== undefined) return { ok: true, value: [] }
  return drift.ok ? { ok: true, value: drift.value.map(({ path }) => path) } : drift
}

/** Null unless the plan changed the same places since. */
async function clashing(
  sandbox: Sandbox,
  cursor: Cursor,
  { state }: RestoreTarget,
  foreign: readonly RelPath[],
): Promise<Result<never> | null> {
  const changes = await sandbox.changes(state, cursor.sandboxState)
  if (!changes.ok) return changes
  const touched = changes.value.files.flatMap(file => [file.path, ...(file.oldPath ? [file.oldPath] : [])])
  const both = foreign.filter(path => touched.some(other => isSamePlace(path, other)))
  if (both.length === 0) return null
  return refuse(
    'conflict',
    `Nothing was rolled back: ${both.join(', ')} in the sandbox changed by hand, and going back would change it too. Let the plan go on to be asked about it, or undo that change in ${sandbox.root}.`,
    { paths: both },
  )
}

function isSamePlace(one: RelPath, other: RelPath): boolean {
  return covers(one, other) || covers(other, one)
}

/** The decision under which a command ran at that moment, where there was one. */
function whoChanged({ store }: Ports, steps: readonly Step[], changedAt: string): string {
  const at = Date.parse(changedAt)
  const step = steps.findLast(
    ({ startedAt, endedAt, kind, written }) =>
      (written === 'unknown' || kind === 'validate') &&
      startedAt !== null &&
      Date.parse(startedAt) <= at + CLOCK_TICK_MS &&
      at <= (endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt)),
  )
  const decision = step?.decisionId ? store.decisions.find(step.decisionId) : null
  const who = decision ? `changed under #${decision.number}` : 'changed since'
  return `${who}; it is ignored, so no checkpoint holds it`
}

/** File systems may stamp a change with the tick before it. */
const CLOCK_TICK_MS = 10

/** A strategy that returns to no state, or only while the program runs, says so here. */
function limitsOf(ports: Ports, plan: Plan): NamedReason[] {
  const strategy = ports.sandboxes.strategy(plan.sandbox, plan.resources)
  if (!strategy.ok || strategy.value.restores === 'always') return []
  const why =
    strategy.value.restores === 'never'
      ? `the sandbox ${plan.sandbox} keeps no states to return to`
      : `the states of the sandbox ${plan.sandbox} end with the program that runs the plan`
  return [{ what: plan.project.name, why }]
}

/** What of these steps may have reached beyond the sandbox, which nothing takes back. Work that no longer holds is left out. */
export async function effectsOutside(ports: Ports, steps: readonly Step[]): Promise<NamedReason[]> {
  const begun = steps.filter(step => step.startedAt !== null)
  const isConfinedHere = begun.length > 0 && (await ports.confinement()).kind !== 'none'
  return begun.flatMap(step => {
    const effects = reachOf(ports, step, isConfinedHere)
    const decision = step.decisionId ? ports.store.decisions.find(step.decisionId) : null
    if (effects.length === 0 || (decision && !isActive(decision))) return []
    const command = step.input['command']
    const what = typeof command === 'string' ? command : (step.tool ?? step.path)
    const under = decision ? ` under #${decision.number}` : ''
    return [{ what, why: `ran${under} and may have reached ${effects.join(' and ')}` }]
  })
}

/** A command says in its outcome whether it was kept inside; of a check only the machine can be asked. */
function reachOf(
  { tools }: Ports,
  { tool, input, outcome }: Step,
  isConfinedHere: boolean,
): readonly string[] {
  const asked = { confined: isConfinedHere, network: input['network'] }
  const said: Readonly<Record<string, unknown>> = outcome?.kind === 'tool_result' ? outcome.output : asked
  if (said['confined'] !== true) return (tool && tools.find(tool)?.capability.sideEffects) || []
  return said['network'] === true ? ['the network'] : []
}
