import { ok } from '../domain/failure.ts'
import type { PlanId } from '../domain/ids.ts'
import { askAboutCutApply } from './apply/cut-apply.ts'
import { isApplyCut } from './apply/is-apply-cut.ts'
import { isHeldElsewhere, livingHolder } from './plan/lease.ts'
import { removeOldWork } from './plan/remove-old-work.ts'
import { takeOver } from './plan/take-over.ts'
import type { PlanOwner } from './plan-owner.ts'
import type { Ports } from './ports.ts'
import { cutRestore } from './rollback/cut-restore.ts'

/** Takes over what dead processes left. Nothing is repeated silently, and what a living process runs is left alone. */
export function recover(ports: Ports, owner: Pick<PlanOwner, 'run'>, mode: 'look' | 'serve'): void {
  for (const planId of unfinished(ports)) {
    if (takeOver(ports, planId, mode)) owner.run(planId)
  }
}

/** A command that only looks ends soon; the sandbox of a restore that was cut short is put in order before it does. */
export async function finishCutRestores(ports: Ports, owner: Pick<PlanOwner, 'exclusively'>): Promise<void> {
  for (const planId of unfinished(ports)) {
    if (!cutRestore(ports, planId) || isHeldElsewhere(ports, planId)) continue
    const done = await owner.exclusively(planId, 'now', async () => ok())
    if (!done.ok)
      ports.log('a restore that was cut short could not be ended', { planId, failure: done.failure })
  }
}

/** A command that only looks ends soon; an apply that was cut short becomes a question before it does. */
export async function askAboutCutApplies(ports: Ports, owner: Pick<PlanOwner, 'exclusively'>): Promise<void> {
  for (const planId of unfinished(ports)) {
    const plan = ports.store.plans.find(planId)
    if (!plan || !isApplyCut(ports, plan) || livingHolder(ports, planId)) continue
    const asked = await owner.exclusively(planId, 'now', askAboutCutApply)
    if (!asked.ok) ports.log('an apply that was cut short could not be asked about', { planId, asked })
  }
}

/** The processes that run other plans may die at any time while this one serves. Returns how to end it. */
export function keepRecovering(ports: Ports, owner: Pick<PlanOwner, 'run'>): () => void {
  const timer = setInterval(() => {
    try {
      recover(ports, owner, 'serve')
    } catch (error) {
      ports.log('could not look for abandoned plans', { error: String(error) })
    }
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}

/** In the background: nobody waits for it, and a folder that cannot be swept is a matter for the log. */
export function sweepSandboxes(ports: Ports): void {
  const { sandboxes, store, log } = ports
  sandboxes
    .sweep(planId => store.plans.find(planId) !== null)
    .then(gone => {
      for (const folder of gone) log('removed what a dead process left', { folder })
      return removeOldWork(ports)
    })
    .catch((error: unknown) => log('could not sweep the folders of plans', { error: String(error) }))
}

const LOOK_MS = 2_000

/** Plans that somebody runs or ought to run. */
function unfinished({ store }: Ports): Set<PlanId> {
  const due = ['queued', 'running', 'complete'].flatMap(state => store.plans.list({ state, limit: 1_000 }))
  return new Set([...store.leases.list(), ...due].map(each => each.planId))
}
