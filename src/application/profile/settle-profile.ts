import type { Action } from '../../domain/action.ts'
import type { Result } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { chooseProfile, type ProfileWishes } from '../../domain/profile/precedence.ts'
import type { AutomationProfile, SafetyProfile } from '../../domain/profile/profile.ts'
import { type EffectiveProfile, type SafetySource, tighten } from '../../domain/profile/safety.ts'
import type { Project } from '../ports/project.ts'
import type { Ports } from '../ports.ts'
import { knownProfiles } from './find-profile.ts'

export type SettledProfile = Pick<Plan, 'profile' | 'profileSource' | 'safetySources'>

/** The profile of a plan that is about to be made, as it will hold: nothing that changes later reaches it. */
export function settleProfile(
  ports: Ports,
  wanted: { readonly asked: string | null; readonly action: Action; readonly project: Project },
): Result<SettledProfile> {
  const wishes = wishesFor(ports, wanted.asked, wanted.action, wanted.project)
  if (!wishes.ok) return wishes
  const chosen = chooseProfile(wishes.value, knownProfiles(ports))
  if (!chosen.ok) return chosen
  const effective = asItHolds(ports, chosen.value.profile, wanted)
  if (!effective.ok) return effective
  return { ok: true, value: { ...effective.value, profileSource: chosen.value.source } }
}

/** What an action and the settings for a project make stricter of a profile. */
export function asItHolds(
  ports: Ports,
  profile: AutomationProfile,
  { action, project }: { readonly action: Action; readonly project: Pick<Project, 'name'> },
): Result<EffectiveProfile> {
  const floor = safetyFloor(ports, project.name)
  if (!floor.ok) return floor
  const byAction = tighten({ profile, safetySources: {} }, action.safetyProfile, 'action')
  return {
    ok: true,
    value: floor.value.reduce((under, { wish, source }) => tighten(under, wish, source), byAction),
  }
}

/** Who wishes for which profile. A profile named in a broken configuration is refused, not overlooked. */
function wishesFor(
  ports: Ports,
  asked: string | null,
  action: Action,
  project: Project,
): Result<ProfileWishes> {
  const scoped = ports.settings.get('core.automation-profile', project.name)
  if (!scoped.ok) return scoped
  const global = ports.settings.get('core.automation-profile', null)
  if (!global.ok) return global
  const from = (source: string) => (global.value.source === source ? textOrNull(global.value.value) : null)
  const ofProject = scoped.value.source === 'project' ? textOrNull(scoped.value.value) : null
  return {
    ok: true,
    value: {
      plan: asked,
      action: action.automationProfile,
      project: project.automationProfile ?? ofProject,
      flag: from('flag'),
      environment: from('environment'),
      global: from('file'),
    },
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

const floorSettings: Readonly<Record<string, Partial<SafetyProfile>>> = {
  'safety.require-sandbox': { requireSandbox: true },
  'safety.require-checkpoints': { requireCheckpoints: true },
  'safety.require-human-approval': { requireHumanApproval: true },
  'safety.forbid-unsafe-tools': { allowUnsafeTools: false },
}

/** What the user wants of every profile, here or everywhere. A setting that cannot be read is refused, not overlooked. */
function safetyFloor(
  ports: Ports,
  project: string,
): Result<readonly { readonly wish: Partial<SafetyProfile>; readonly source: SafetySource }[]> {
  const wishes: { wish: Partial<SafetyProfile>; source: SafetySource }[] = []
  for (const [key, wish] of Object.entries(floorSettings)) {
    const setting = ports.settings.get(key, project)
    if (!setting.ok) return setting
    const source = setting.value.source === 'project' ? 'project' : 'setting'
    if (setting.value.value === 'on') wishes.push({ wish, source })
  }
  return { ok: true, value: wishes }
}
