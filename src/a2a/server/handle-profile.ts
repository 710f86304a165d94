import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { planProfileView, profilePreviewView, profileView, registeredProfileView } from './to-view/profile.ts'

export const list: Handler<'_cleveragents/automation-profile/list'> = (_params, { backend }) =>
  ok({ profiles: backend.profiles().map(profileView) })

export const show: Handler<'_cleveragents/automation-profile/show'> = ({ name }, { backend }) =>
  mapped(backend.profile(name), profileView)

export const add: Handler<'_cleveragents/automation-profile/add'> = (params, { backend }) =>
  mapped(backend.addProfile(sourceOf(params)), registeredProfileView)

export const update: Handler<'_cleveragents/automation-profile/update'> = (params, { backend }) =>
  mapped(backend.updateProfile(params.name, sourceOf(params)), registeredProfileView)

export const remove: Handler<'_cleveragents/automation-profile/delete'> = ({ name, force }, { backend }) =>
  mapped(
    backend.deleteProfile(name, force ? 'forced' : 'unless_named'),
    ({ profile, namedBy, revokedGrants }) => ({
      name: profile.name,
      named_by: [...namedBy],
      revoked_grants: revokedGrants,
    }),
  )

export const preview: Handler<'_cleveragents/automation-profile/preview'> = async (params, { backend }) =>
  mapped(
    await backend.previewProfile({
      actionName: params.action_name,
      automationProfile: params.automation_profile ?? null,
      project: params.project ?? null,
    }),
    profilePreviewView,
  )

export const showOfPlan: Handler<'_cleveragents/plan/profile/show'> = ({ plan_id }, { backend }) =>
  mapped(backend.planProfile(plan_id), planProfileView)

export const setOfPlan: Handler<'_cleveragents/plan/profile/set'> = (
  { plan_id, name, reason },
  { backend, user },
) => mapped(backend.setPlanProfile({ planRef: plan_id, name, reason, by: user }), planProfileView)

function sourceOf({ text, file, strict }: { text: string; file: string; strict: boolean }) {
  return { text, file, thresholds: strict ? 'all' : 'some' } as const
}

export const calibration: Handler<'_cleveragents/profile/calibration'> = (_params, { backend }) =>
  ok({ bands: backend.calibration().map(each => ({ ...each })) })
