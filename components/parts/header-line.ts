import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { planCounts, selectedPlan } from '../../stores/selectors.ts'
import { type Look, line } from '../look.ts'
import type { Situation } from '../situation.ts'
import { costWord } from '../words.ts'
import type { Segment } from './format-line.ts'
import { budgetUse, budgetWord, toneOfUse } from './limit-rows.ts'

/** Where one is: program, project and branch, profile, what runs and waits; at the right, cost or the connection. */
export function headerLine(look: Look, situation: Situation, branch: string | null): string {
  const { model, ui } = situation
  const plan = selectedPlan(model, ui)
  const { running, waiting } = planCounts(model)
  const left: Segment[] = [{ text: ' cleveragents', tone: 'heading' }]
  if (plan) {
    left.push({ text: `  ${plan.project.name.replace(/^local\//, '')}`, tone: 'text' })
    if (branch) left.push({ text: ` ${look.glyphs.branch} ${branch}`, tone: 'muted' })
    left.push({ text: `   profile ${plan.profile.name}`, tone: 'text' })
    if (plan.sandbox.place === 'in_place') left.push({ text: '   no sandbox', tone: 'danger' })
  }
  // Calm while it holds; it is the lack of it that a person must not miss.
  if (plan?.confinement) {
    const tone = plan.confinement === 'none' ? 'warning' : 'muted'
    left.push({ text: `   ${plan.confinement === 'none' ? 'commands not confined' : 'confined'}`, tone })
  }
  const counts = [running > 0 ? `${running} running` : '', waiting > 0 ? `${waiting} waiting` : '']
  const shown = counts.filter(text => text !== '').join(` ${look.glyphs.separator} `)
  if (shown !== '') left.push({ text: `   ${shown}`, tone: waiting > 0 ? 'waiting' : 'running' })
  return line(look, { left, right: rightOf(situation, plan), width: ui.size.columns })
}

function rightOf({ connection }: Situation, plan: PlanView | null): Segment[] {
  switch (connection.kind) {
    case 'starting':
      return [{ text: 'starting the backend ', tone: 'muted' }]
    case 'disconnected':
    case 'error':
      return [
        { text: 'no backend  ', tone: 'danger' },
        { text: 'R', tone: 'key' },
        { text: ' start again ', tone: 'text' },
      ]
    case 'connected':
      return plan ? costOf(plan) : []
  }
}

/** What it cost, with the plans below it, and of how much; nothing where neither is known. */
function costOf({ cost, budget }: PlanView): Segment[] {
  if (budget.limit !== null)
    return [{ text: `${budgetWord(budget)} `, tone: toneOfUse(budgetUse(budget)) ?? 'muted' }]
  const word = costWord(cost)
  return word === null ? [] : [{ text: `${word} `, tone: 'muted' }]
}
