import { profileNamed } from '../../domain/profile/precedence.ts'
import type { Setting } from '../ports/setting.ts'
import type { Ports } from '../ports.ts'
import { knownProfiles } from './find-profile.ts'

const KEY = 'core.automation-profile'

/** What a plan that starts tomorrow would be given this profile by: actions, projects and settings, for people. */
export function whoNames(ports: Ports, name: string): string[] {
  const known = knownProfiles(ports)
  const isIt = (written: unknown) =>
    typeof written === 'string' && profileNamed(written, known)?.name === name
  const actions = ports.store.actions
    .list()
    .filter(action => action.state === 'available' && isIt(action.automationProfile))
    .map(action => `the action ${action.name}`)
  const projects = ports.store.projects.list().filter(project => {
    const setting = settingOf(ports, project.name)
    return isIt(project.automationProfile) || (setting?.source === 'project' && isIt(setting.value))
  })
  const everywhere = settingOf(ports, null)
  return [
    ...actions,
    ...projects.map(project => `the setting ${KEY} of ${project.name}`),
    ...(everywhere && isIt(everywhere.value) ? [placeOf(everywhere)] : []),
  ]
}

/** A setting that cannot be read names nothing. */
function settingOf(ports: Ports, project: string | null): Setting | null {
  const setting = ports.settings.get(KEY, project)
  return setting.ok ? setting.value : null
}

function placeOf({ source }: Setting): string {
  if (source === 'environment') return 'CLEVERAGENTS_AUTOMATION_PROFILE'
  return source === 'flag' ? `${KEY} on the command line` : `the setting ${KEY}`
}
