import type { Action } from '../../domain/action.ts'
import type { RecipeStep } from '../../domain/actor/recipe-format.ts'
import { allSteps, everyStep } from '../../domain/actor/recipe-walk.ts'
import { unknownConfirmation } from '../../domain/guardrails/limits.ts'
import type {
  ActorFacts,
  PreflightFacts,
  ResourceFacts,
  SandboxChoice,
  ToolUse,
} from '../../domain/preflight/facts.ts'
import type { AutomationProfile } from '../../domain/profile/profile.ts'
import type { Resource } from '../../domain/resource.ts'
import { categoryOf } from '../../domain/tool.ts'
import { isAttachedTo } from '../../domain/validation.ts'
import type { Ports } from '../ports.ts'
import { findAction } from '../project/find-action.ts'

/** A plan that is about to begin, whether or not it is on record already. */
export interface Prospect {
  readonly action: Action
  /** Why the action cannot be used now; null when it can, or when it is not a person who uses it. */
  readonly unavailable: string | null
  readonly project: { readonly name: string; readonly root: string }
  readonly resources: readonly Resource[]
  readonly profile: AutomationProfile
  readonly sandbox: SandboxChoice
  readonly isAttended: boolean
  /** child: its parent has looked at the folder and the databases. */
  readonly standing: 'top-level' | 'child'
}

export async function gatherFacts(ports: Ports, prospect: Prospect): Promise<PreflightFacts> {
  const { action, unavailable, profile, sandbox, isAttended, project } = prospect
  const used = usesOf(ports, action)
  const isTop = prospect.standing === 'top-level'
  return {
    action: { name: action.name, archived: action.state === 'archived', unavailable },
    actors: actorsOf(ports, action),
    tools: used.tools,
    missingActions: used.missing,
    unknownConfirmations: used.unknownConfirmations,
    profile,
    sandbox,
    resources: isTop ? await Promise.all(prospect.resources.map(each => resourceFacts(ports, each))) : [],
    folderProblem: isTop ? await ports.inspector.reach(project.root) : null,
    validations: {
      problems: isTop ? attachmentProblems(ports, prospect) : [],
      untrusted: hasDiscovered(action) && ports.store.projects.find(project.name)?.trusted === false,
      project: project.name,
    },
    estimateUsd: used.costUsd,
    isAttended,
  }
}

function actorsOf(ports: Ports, action: Action): ActorFacts[] {
  const { actors } = ports
  const roles = [
    ['strategy', action.strategyActor, actors.forAction(action, 'strategize')],
    ['execution', action.executionActor, actors.forAction(action, 'execute')],
    ['invariant reconciliation', action.name, actors.reconcilerFor(action)],
  ] as const
  return roles.map(([role, name, found]) => ({
    role,
    name,
    problem: found.ok ? modelProblem(ports, name) : found.failure.message,
  }))
}

/** Why the model behind an actor cannot be asked: no such provider, or its key is missing. */
function modelProblem({ models }: Ports, name: string): string | null {
  const isModel = name === 'model' || models.providers().some(each => name.startsWith(`${each.name}/`))
  const found = isModel ? models.resolve(name) : null
  return found?.ok === false ? found.failure.message : null
}

interface Uses {
  readonly tools: ToolUse[]
  readonly missing: { readonly name: string; readonly reason: string }[]
  readonly unknownConfirmations: { readonly action: string; readonly reason: string }[]
  /** As far as the steps say it as a number; null when none does. */
  costUsd: number | null
}

/** Each action is walked once, so that those that start each other come to an end. */
function usesOf(ports: Ports, action: Action): Uses {
  const uses: Uses = { tools: [], missing: [], unknownConfirmations: [], costUsd: null }
  const seen = new Set([action.name])
  const waiting = [action]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    uses.unknownConfirmations.push(...unknownConfirmationsOf(ports, at))
    for (const step of stepsOf(at)) {
      if (step.kind === 'tool') {
        uses.tools.push(useOf(ports, at, step.name))
        if (typeof step.costUsd === 'number') uses.costUsd = (uses.costUsd ?? 0) + step.costUsd
      }
      for (const name of step.kind === 'spawn' ? step.children.map(child => child.action) : []) {
        if (seen.has(name)) continue
        seen.add(name)
        const found = findAction(ports, name)
        const problem = found.ok ? reasonAgainst(found.value) : found.failure.message
        if (problem !== null) uses.missing.push({ name, reason: problem })
        else if (found.ok) waiting.push(found.value.action)
      }
    }
  }
  return uses
}

function unknownConfirmationsOf({ tools }: Ports, { name, guardrails }: Action) {
  const known = tools.list().map(tool => tool.name)
  return (guardrails?.requiredConfirmations ?? []).flatMap(pattern => {
    const reason = unknownConfirmation(pattern, known)
    return reason === null ? [] : [{ action: name, reason }]
  })
}

function reasonAgainst({ action, unavailable }: { action: Action; unavailable: string | null }) {
  return action.state === 'archived' ? 'it is archived.' : unavailable
}

function stepsOf({ recipe }: Action): RecipeStep[] {
  return recipe ? [...everyStep(allSteps(recipe))] : []
}

function useOf({ tools }: Ports, { name: action }: Action, name: string): ToolUse {
  const tool = tools.find(name)
  return { name, action, tool: tool && { category: categoryOf(tool), capability: tool.capability } }
}

function hasDiscovered(action: Action): boolean {
  return stepsOf(action).some(step => step.kind === 'validate' && step.discovered)
}

/** Why what is attached here could never be run. */
function attachmentProblems({ store, tools }: Ports, { project, resources }: Prospect): string[] {
  const about = { planId: null, project, resources, appliesTo: 'project' } as const
  return store.validations
    .listAttachments()
    .filter(attachment => isAttachedTo(attachment, about))
    .flatMap(({ validation: name, attachmentId }) => {
      const runs = store.validations.find(name)?.runs
      const missing = runs?.kind === 'tool' && !tools.find(runs.tool) ? runs.tool : null
      if (runs && missing === null) return []
      const why = runs ? `wraps ${missing}, and there is no such tool` : 'is not registered'
      return `The validation ${name} is attached here and ${why}. To take it away: agents validation detach ${attachmentId}`
    })
}

/** Something far away gets a few seconds and a second chance (requirements GAP-27). */
async function resourceFacts(ports: Ports, resource: Resource): Promise<ResourceFacts> {
  const first = await reach(ports, resource)
  const problem = first === null ? null : await reach(ports, resource)
  return { name: resource.name, restores: ports.sandboxes.forResource(resource).restores, problem }
}

const PATIENCE_MS = 3_000

async function reach(ports: Ports, resource: Resource): Promise<string | null> {
  const over = new AbortController()
  const slow = ports.clock.wait(PATIENCE_MS, over.signal).then(() => 'it did not answer within 3 seconds.')
  const asked = ports.resourceInspector.reach(resource)
  const answer = await Promise.race([asked, slow.catch(() => null)])
  over.abort()
  return answer
}
