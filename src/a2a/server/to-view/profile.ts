import type { PlanProfile, ProfilePreview } from '../../../application/backend/profile.ts'
import type { ParsedProfile } from '../../../application/ports/profile.ts'
import { automationGateNames, automationGates, flagOf } from '../../../domain/gate/automation.ts'
import { warnAboutAllow } from '../../../domain/guards/broad-rule.ts'
import { isReserved } from '../../../domain/profile/precedence.ts'
import type { AutomationProfile, Guards, SafetyProfile } from '../../../domain/profile/profile.ts'
import type { PlanProfileView, ProfilePreviewView, ProfileView } from '../../protocol/views/profile.ts'
import { guardFieldsView } from './guard.ts'

export function profileView(profile: AutomationProfile): ProfileView {
  return {
    name: profile.name,
    description: profile.description,
    built_in: isReserved(profile.name),
    thresholds: automationGateNames.map(gate => ({
      gate,
      ...automationGates[gate],
      threshold: profile.thresholds[gate],
    })),
    safety: renamed(safetyFields, profile.safety),
    guards: profile.guards && renamed(guardFields, profile.guards),
    child_thresholds: Object.fromEntries(
      automationGateNames.flatMap(gate => {
        const threshold = profile.childThresholds[gate]
        return threshold === undefined ? [] : [[flagOf(gate), threshold]]
      }),
    ),
  }
}

export function registeredProfileView({ profile, notices }: ParsedProfile) {
  const broad = (profile.guards?.toolAllowlist ?? []).flatMap(entry => warnAboutAllow(entry) ?? [])
  return { profile: profileView(profile), notices: [...notices, ...broad] }
}

export function planProfileView({ profile, source, safetySources, guards }: PlanProfile): PlanProfileView {
  const own = source === 'parent' ? 'parent' : 'profile'
  const flags = automationGateNames.map(gate => [flagOf(gate), own])
  const safety = keysOf(safetyFields).map(field => [
    `safety.${safetyFields[field]}`,
    safetySources[field] ?? own,
  ])
  return {
    profile: profileView(profile),
    source,
    sources: Object.fromEntries([...flags, ...safety]),
    guards: guardFieldsView(guards),
  }
}

export function profilePreviewView(preview: ProfilePreview): ProfilePreviewView {
  return {
    ...planProfileView(preview),
    action: preview.action,
    gates: preview.gates.map(each => ({ ...each, ...automationGates[each.gate] })),
    also: [...preview.also],
  }
}

/** Field to its name on the wire. */
const safetyFields = {
  requireSandbox: 'require_sandbox',
  requireCheckpoints: 'require_checkpoints',
  allowUnsafeTools: 'allow_unsafe_tools',
  requireHumanApproval: 'require_human_approval',
  allowedSkillCategories: 'allowed_skill_categories',
  maxCostPerPlan: 'max_cost_per_plan',
  maxTotalCost: 'max_total_cost',
  maxRetriesPerStep: 'max_retries_per_step',
} satisfies Record<keyof SafetyProfile, string>

const guardFields = {
  maxToolCallsPerStep: 'max_tool_calls_per_step',
  maxTotalCost: 'max_total_cost',
  toolAllowlist: 'tool_allowlist',
  toolDenylist: 'tool_denylist',
  requireApprovalForWrites: 'require_approval_for_writes',
  requireApprovalForApply: 'require_approval_for_apply',
} satisfies Record<keyof Guards, string>

function renamed<Field extends string>(
  names: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(keysOf(names).map(field => [names[field], values[field]]))
}

function keysOf<Field extends string>(names: Readonly<Record<Field, string>>): Field[] {
  return Object.keys(names) as Field[] // keys of a constant literal
}
