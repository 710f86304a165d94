import type { ActionEntry } from '../../../application/backend/action.ts'
import type { ProjectDetails, ResourceDetails } from '../../../application/backend/project.ts'
import type { DiagnosticCheck } from '../../../application/ports/machine.ts'
import type { Setting } from '../../../application/ports/setting.ts'
import { childActions } from '../../../domain/actor/recipe-walk.ts'
import { warnAboutAllow } from '../../../domain/guards/broad-rule.ts'
import type { Tool } from '../../../domain/tool.ts'
import type { ActionView } from '../../protocol/views/action.ts'
import type { HealthView } from '../../protocol/views/health.ts'
import type { ProjectView } from '../../protocol/views/project.ts'
import type { ResourceView } from '../../protocol/views/resource.ts'
import type { SettingView } from '../../protocol/views/setting.ts'
import type { ToolView } from '../../protocol/views/tool.ts'

export function registeredActionView(entry: ActionEntry) {
  const allowed = entry.action.guards?.toolAllowlist ?? []
  return { ...actionView(entry), notices: allowed.flatMap(rule => warnAboutAllow(rule) ?? []) }
}

export function actionView({ action, origin, unavailable }: ActionEntry): ActionView {
  return {
    name: action.name,
    description: action.description,
    long_description: action.longDescription,
    definition_of_done: action.definitionOfDone,
    strategy_actor: action.strategyActor,
    execution_actor: action.executionActor,
    arguments: action.arguments.map(argument => ({ ...argument, values: [...argument.values] })),
    invariants: action.invariants.map(({ text }) => text),
    automation_profile: action.automationProfile,
    read_only: action.readOnly,
    state: action.state,
    origin,
    starts: action.recipe ? childActions(action.recipe) : [],
    unavailable,
  }
}

export function projectView(details: ProjectDetails): ProjectView {
  const { project, resources, facts, languages, checks, trust, wouldRun, trustDigest } = details
  return {
    name: project.name,
    root: project.root,
    trusted: trust.kind === 'trusted',
    trust_asked: trust.kind !== 'unasked' && trust.kind !== 'changed',
    trust: trust.kind,
    trust_digest: trustDigest,
    would_run: wouldRun.map(each => ({
      ...each,
      is_new: trust.kind === 'changed' && trust.changed.includes(each),
    })),
    resource: project.resource,
    resources: [...resources],
    branch: facts.branch,
    automation_profile: project.automationProfile,
    set_up: project.setUp,
    languages: [...languages],
    checks: checks.map(({ name, command, kind }) => ({ name, command, kind })),
  }
}

export function resourceView(details: ResourceDetails): ResourceView {
  const { resource, projects, strategy, protects, doesNotProtect } = details
  return {
    resource_id: resource.resourceId,
    name: resource.name,
    type: resource.type,
    location: resource.location,
    mode: resource.mode,
    sandbox: strategy,
    protects: [...protects],
    does_not_protect: [...doesNotProtect],
    projects: [...projects],
    created_at: resource.createdAt,
  }
}

export function toolView({ name, description, inputSchema, outputSchema, capability }: Tool): ToolView {
  return {
    name,
    description,
    input_schema: inputSchema,
    output_schema: outputSchema,
    read_only: capability.readOnly,
    writes: capability.writes,
    checkpointable: capability.checkpointable,
    side_effects: [...capability.sideEffects],
    unsafe: capability.unsafe,
  }
}

export function settingView({ key, value, source, description }: Setting): SettingView {
  return { key, value, source, description }
}

/** As bad as its worst check. */
export function healthView(checks: readonly DiagnosticCheck[]): HealthView {
  const worst = (['error', 'warn'] as const).find(level => checks.some(check => check.status === level))
  return { status: worst ?? 'ok', checks: checks.map(check => ({ ...check })) }
}
