import { type Result, refuse } from '../domain/failure.ts'
import type { PlanId } from '../domain/ids.ts'
import type { SafetyProfile } from '../domain/profile/profile.ts'
import type { SandboxStrategy, SandboxStrategyName, Unavailable } from '../domain/sandbox/strategy.ts'
import type { Project } from './ports/project.ts'
import type { Ports } from './ports.ts'

export interface ChosenSandbox {
  readonly name: SandboxStrategyName
  /** Why it is not the one that would be expected here; null when it is. */
  readonly notice: string | null
}

export interface SandboxWish {
  readonly planId: PlanId
  readonly project: Project
  readonly safety: SafetyProfile
  /** Asked for with this plan; null: what the settings say. */
  readonly asked: string | null
}

const AUTO = 'auto'

/**
 * Settles where a plan works before it exists. What is asked for by name is given or refused, with what comes nearest;
 * only `auto` goes on to the next best, and then says so.
 */
export async function chooseSandbox(ports: Ports, wish: SandboxWish): Promise<Result<ChosenSandbox>> {
  const setting = ports.settings.get('sandbox.strategy', wish.project.name)
  if (!setting.ok) return setting
  const name = wish.asked ?? String(setting.value.value)
  return name === AUTO ? chooseByItself(ports, wish) : chooseByName(ports, wish, name)
}

async function chooseByName(ports: Ports, wish: SandboxWish, name: string): Promise<Result<ChosenSandbox>> {
  const strategy = ports.sandboxes.strategy(name)
  if (!strategy.ok) return strategy
  const forbidden = refusalBySafety(strategy.value, wish.safety)
  if (forbidden) return refuse('denied', forbidden, { sandbox: name })
  const unavailable = await ask(ports, strategy.value, wish)
  if (unavailable === null) return { ok: true, value: { name: strategy.value.name, notice: null } }
  const { reason, nextBest } = unavailable
  const hint = nextBest ? ` Nearest to it: --sandbox ${nextBest}.` : ''
  return refuse('not_available', `The sandbox ${name} cannot be had here. ${reason}${hint}`, {
    sandbox: name,
    next_best: nextBest,
  })
}

async function chooseByItself(ports: Ports, wish: SandboxWish): Promise<Result<ChosenSandbox>> {
  const reasons: string[] = []
  let next: SandboxStrategyName | null =
    wish.project.resource === 'git-checkout' ? 'git_worktree' : 'filesystem_copy'
  const first = next
  for (const tried = new Set<SandboxStrategyName>(); next !== null && !tried.has(next); ) {
    tried.add(next)
    const strategy = ports.sandboxes.strategy(next)
    if (!strategy.ok) return strategy
    // Without being asked, nobody is left without a sandbox.
    if (strategy.value.place === 'in_place') break
    const unavailable = await ask(ports, strategy.value, wish)
    if (unavailable === null) {
      const notice =
        next === first
          ? null
          : `The sandbox is ${next}, because ${first} cannot be had here. ${reasons.join(' ')}`
      return { ok: true, value: { name: next, notice } }
    }
    reasons.push(unavailable.reason)
    next = unavailable.nextBest
  }
  return refuse('not_available', `No sandbox can be had here. ${reasons.join(' ')}`, { reasons })
}

/** Together with the databases of the project, which not every sandbox can hold. */
async function ask(
  ports: Ports,
  { name }: SandboxStrategy,
  { planId, project }: SandboxWish,
): Promise<Unavailable | null> {
  const whole = ports.sandboxes.strategy(name, ports.store.resources.listByProject(project.name))
  if (!whole.ok) return { reason: whole.failure.message, nextBest: null }
  return whole.value.unavailable({ planId, projectRoot: project.root }, new AbortController().signal)
}

export function refusalBySafety(strategy: SandboxStrategy, safety: SafetyProfile): string | null {
  if (strategy.place === 'in_place' && safety.requireSandbox)
    return `The profile of this plan requires a sandbox, and ${strategy.name} works in your own files. Choose a profile that does not require one, or leave --sandbox out.`
  if (strategy.restores === 'never' && safety.requireCheckpoints)
    return `The profile of this plan requires checkpoints to return to, and the sandbox ${strategy.name} keeps none. Choose another profile, or leave --sandbox out.`
  return null
}
