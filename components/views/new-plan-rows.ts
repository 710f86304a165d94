import fuzzysort from 'fuzzysort'
import type { ActionView } from '../../src/a2a/protocol/views/action.ts'
import type { ProfileView } from '../../src/a2a/protocol/views/profile.ts'
import type { ProjectView } from '../../src/a2a/protocol/views/project.ts'
import type { Shelves } from '../../stores/shelves.ts'
import type { NewPlanDialog } from '../dialogs.ts'
import type { WaitsQuestion } from './waits-question.ts'

/** Actions that fit what was typed, best first; abbreviations count. */
export function foundActions(shelves: Shelves, search: string): readonly ActionView[] {
  const actions = allActions(shelves)
  if (search.trim() === '') return [...actions].sort((one, other) => rank(one) - rank(other))
  // The default threshold rejects abbreviations.
  const found = fuzzysort.go(search.trim(), actions, {
    keys: ['name', 'description'],
    threshold: 0,
    limit: 200,
  })
  return found.map(each => each.obj)
}

/** Work in words is what most people want, where there is a model for it; what cannot be used comes last. */
function rank({ name, unavailable }: ActionView): number {
  if (unavailable !== null) return 2
  return name === 'builtin/task' ? 0 : 1
}

export function actionNamed(shelves: Shelves, name: string | null): ActionView | null {
  return allActions(shelves).find(action => action.name === name) ?? null
}

export function profileNames(shelves: Shelves): string[] {
  return allProfiles(shelves).map(profile => profile.name)
}

export function allProfiles(shelves: Shelves): readonly ProfileView[] {
  const fetched = shelves.profiles.peek('all')
  return fetched?.kind === 'ready' ? fetched.value.profiles : []
}

/** The folder's project while a person still has to say whether its own checks may run. */
export function folderToTrust(shelves: Shelves, folder: string): ProjectView | null {
  const fetched = shelves.projects.peek(folder)
  if (fetched?.kind !== 'ready') return null
  const project = fetched.value
  return project.trusted || project.trust_asked || project.would_run.length === 0 ? null : project
}

export function allActions(shelves: Shelves): readonly ActionView[] {
  const fetched = shelves.actions.peek('all')
  if (fetched?.kind !== 'ready') return []
  return fetched.value.actions.filter(action => action.state === 'available')
}

/** What the form's plan would be: asked for to tell what will wait. */
export function waitsOfForm({
  actionName,
  profile,
  folder,
}: Pick<NewPlanDialog, 'actionName' | 'profile' | 'folder'>): WaitsQuestion | null {
  if (actionName === null) return null
  return {
    action_name: actionName,
    ...(profile === '' ? {} : { automation_profile: profile }),
    project: folder,
  }
}
