import { actingPlan } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import { type ProfilesDialog, profilePages } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { plainProps } from '../plain-props.ts'
import { changeTop, changeUi, push, type Screen, situationOf } from '../screen.ts'
import { moveBy, scrollBy } from '../scroll.ts'
import { allProfiles } from '../views/new-plan-rows.ts'
import { chosenColumn, knownProfiles, pageRows } from '../views/profiles/profile-pages.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'

export function openProfiles(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  // Profiles are files of the person: they may be others than when this was last looked at.
  screen.store.shelves.profiles.renew('all')
  screen.store.shelves.calibration.renew('all')
  const planId = actingPlan(model, ui)?.plan_id ?? null
  push(screen, { kind: 'profiles', page: 'table', planId, name: null, row: 0, top: 0 })
}

const handlers: Handlers<'profiles'> = {
  ...moves((screen, steps) =>
    changeTop(screen, 'profiles', now =>
      now.page === 'table' ? movedRow(screen, now, steps) : scrolled(screen, now, steps),
    ),
  ),
  previous: screen => moveProfile(screen, -1),
  next: screen => moveProfile(screen, 1),
  nextPage: screen => turnPage(screen, 1),
  previousPage: screen => turnPage(screen, -1),
  back: screen => changeUi(screen, popDialog),
}

export const profiles: Behaviour = { handlers }

function movedRow({ store }: Screen, now: ProfilesDialog, steps: number): ProfilesDialog {
  const count = allProfiles(store.shelves)[0]?.thresholds.length ?? 0
  return { ...now, row: moveBy(now.row, steps, count) }
}

function scrolled(screen: Screen, now: ProfilesDialog, steps: number): ProfilesDialog {
  const inside = pageInside(screen.store.ui().size)
  const count = pageRows(plainProps(screen), now, inside).length
  return { ...now, top: scrollBy(now.top, steps, { count, height: inside.height }) }
}

function moveProfile(screen: Screen, steps: number): void {
  const { model, shelves } = screen.store
  changeTop(screen, 'profiles', now => {
    const all = knownProfiles(shelves, now)
    const name = all[moveBy(chosenColumn(model, shelves, now), steps, all.length)]?.name ?? null
    return { ...now, name, top: 0 }
  })
}

function turnPage(screen: Screen, steps: 1 | -1): void {
  changeTop(screen, 'profiles', now => {
    const at = (profilePages.indexOf(now.page) + steps + profilePages.length) % profilePages.length
    return { ...now, page: profilePages[at] ?? now.page, top: 0 }
  })
}
