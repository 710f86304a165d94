import type { Result } from '../../domain/failure.ts'
import { guardsAtFirst, valuesOf } from '../../domain/guards/effective-guards.ts'
import { alsoWaits, previewGates } from '../../domain/profile/preview.ts'
import type { PreviewProfile, ProfilePreview } from '../backend/profile.ts'
import type { Project } from '../ports/project.ts'
import type { Ports } from '../ports.ts'
import { findAction } from '../project/find-action.ts'
import { settleProfile } from './settle-profile.ts'

/** What would wait for a person if a plan were made now. Makes nothing, and registers no folder. */
export async function previewProfile(ports: Ports, input: PreviewProfile): Promise<Result<ProfilePreview>> {
  const entry = findAction(ports, input.actionName)
  if (!entry.ok) return entry
  const { action } = entry.value
  const project = await knownProject(ports, input.project)
  const settled = settleProfile(ports, { asked: input.automationProfile, action, project })
  if (!settled.ok) return settled
  const { profile, profileSource, safetySources } = settled.value
  const guards = guardsAtFirst(profile.guards, action.guards)
  return {
    ok: true,
    value: {
      action: action.name,
      profile,
      source: profileSource,
      safetySources,
      guards,
      gates: previewGates(profile, action),
      also: alsoWaits(profile.safety, valuesOf(guards)),
    },
  }
}

/** A folder that nobody registered has no wishes of its own. */
async function knownProject(ports: Ports, named: string | null): Promise<Project> {
  const { projects } = ports.store
  const found = named === null ? null : (projects.find(named) ?? projects.find(`local/${named}`))
  if (found) return found
  const facts = named === null ? null : await ports.inspector.inspect(named)
  return (facts?.ok && projects.findByRoot(facts.value.root)) || nobodys
}

const nobodys: Project = {
  name: '',
  root: '',
  resource: 'fs-directory',
  trusted: false,
  trustAsked: false,
  trustedList: null,
  automationProfile: null,
  setUp: null,
}
