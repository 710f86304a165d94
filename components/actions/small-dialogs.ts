import { runningPlans } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import { pageInside } from '../layout.ts'
import { plainProps } from '../plain-props.ts'
import { ask, changeTop, changeUi, type Screen, topDialog } from '../screen.ts'
import { scrollBy } from '../scroll.ts'
import { helpRows } from '../views/help-rows.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'

const close = (screen: Screen) => changeUi(screen, popDialog)

export const help: Behaviour = {
  handlers: {
    ...moves((screen, steps) => {
      const { width, height } = pageInside(screen.store.ui().size)
      const count = helpRows(plainProps(screen), width).length
      changeTop(screen, 'help', now => ({ ...now, top: scrollBy(now.top, steps, { count, height }) }))
    }),
    back: close,
  } satisfies Handlers<'help'>,
}

export const cancel: Behaviour = {
  handlers: {
    confirm(screen) {
      const planId = topDialog(screen, 'cancel')?.planId
      close(screen)
      if (planId) void ask(screen, '_cleveragents/plan/cancel', { plan_id: planId }, 'The plan is cancelled.')
    },
    back: close,
  } satisfies Handlers<'cancel'>,
}

export const leave: Behaviour = {
  handlers: {
    keepRunning: screen => void keepRunningAndLeave(screen),
    pauseAll: screen => void pauseAndLeave(screen),
    back: close,
  } satisfies Handlers<'leave'>,
}

async function pauseAndLeave(screen: Screen): Promise<void> {
  const plans = runningPlans(screen.store.model)
  const done = plans.map(({ plan_id }) => screen.store.call('_cleveragents/plan/pause', { plan_id }))
  // Refused or not: the backend pauses what still runs when it ends with the screen.
  await Promise.all(done)
  screen.hooks.leave('ends')
}

async function keepRunningAndLeave(screen: Screen): Promise<void> {
  const kept = await ask(screen, '_cleveragents/backend/keep-running', {})
  if (kept) screen.hooks.leave('goesOn')
}
