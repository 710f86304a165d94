import { listedPlans, waitingPlans } from '../../stores/selectors.ts'
import { linesFrom, wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { planRow } from '../parts/plan-row.ts'
import { firstRow } from '../scroll.ts'
import { firstStartRows } from './first-start.ts'
import type { ViewProps } from './view.ts'

export function plansLines(props: ViewProps, width: number, height: number): string[] {
  const { situation, look } = props
  const { model, ui } = situation
  const plans = listedPlans(model, ui)
  if (plans.length === 0) return linesFrom(look, emptyRows(props, width), { top: 0, width, height })
  const selected = plans.findIndex(({ plan }) => plan.plan_id === ui.selectedPlanId)
  const top = firstRow({ row: Math.max(0, selected), offset: ui.planOffset, height, count: plans.length })
  const waiting = waitingPlans(model)
  return plans.slice(top, top + height).map(row =>
    planRow(look, row, {
      width,
      waiting,
      selection:
        row.plan.plan_id !== ui.selectedPlanId ? 'none' : ui.focus === 'plans' ? 'focused' : 'marked',
    }),
  )
}

/** No plans: none yet, none known yet, or no backend to ask. */
function emptyRows(props: ViewProps, width: number): Segment[][] {
  const { connection } = props.situation
  switch (connection.kind) {
    case 'connected':
      return firstStartRows(props, width)
    case 'starting':
      return [[], ...wrapped('Starting the backend', width - 2, 'muted', 1)]
    case 'disconnected':
      return problemRows(connection.reason, width)
    case 'error':
      return problemRows(connection.message, width)
  }
}

function problemRows(text: string, width: number): Segment[][] {
  return [
    [],
    ...wrapped(text, width - 2, 'danger', 1),
    [],
    [
      { text: ' R', tone: 'key' },
      { text: ' start the backend again', tone: 'text' },
    ],
  ]
}
