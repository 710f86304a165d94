import type { WireEvent } from '../../a2a/protocol/events.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import type { StepView } from '../../a2a/protocol/views/step.ts'
import { cleaned } from './clean.ts'
import { cut, type Meaning, type Paper } from './paper.ts'
import { decisionText } from './tree.ts'
import { oneLine, scoreText, stateMark } from './words.ts'

/** One event as a line of progress; null for what nobody needs to watch. */
export function progressLine(raw: WireEvent, paper: Paper): string | null {
  const event = cleaned(raw)
  const text = progressText(event, { ...paper, paint: (_meaning, plain) => plain })
  if (text === null) return null
  const line = cut(oneLine(text), paper)
  const meaning = meaningOf(event)
  return meaning === null ? line : paper.paint(meaning, line)
}

function meaningOf(event: WireEvent): Meaning | null {
  if (event.method === '_cleveragents/gate/opened') return 'waits'
  if (event.method !== '_cleveragents/step/finished') return null
  return event.step.status === 'done' ? 'muted' : 'bad'
}

function progressText(event: WireEvent, paper: Paper): string | null {
  const { marks } = paper
  switch (event.method) {
    case 'task/statusUpdate': {
      if (isPassedThrough(event.plan.state)) return null
      const reason = event.reason === null ? '' : `: ${event.reason}`
      return `${stateMark(event.plan.state, paper)} ${event.phase} ${event.plan_state}${reason}`
    }
    case '_cleveragents/decision/recorded': {
      const score = scoreText(event.decision.confidence)
      return `${marks.done} ${decisionText(event.decision, paper)}${score && `  ${score}`}`
    }
    case '_cleveragents/decision/superseded':
      return `${marks.superseded} ${event.decision_ids.length} superseded: ${event.reason}`
    case '_cleveragents/step/finished':
      return stepText(event.step, paper)
    case '_cleveragents/gate/opened':
      return `${marks.waits} waits: ${event.gate.question}`
    case '_cleveragents/gate/resolved':
      return `${marks.done} answered: ${event.gate.answer?.decision ?? ''}`
    case '_cleveragents/correction/finished':
      return `${marks.correction} correction ${event.correction.status}`
    default:
      return null
  }
}

/** States on the way, and a wait that its gate tells better. */
function isPassedThrough(state: PlanView['state']): boolean {
  return state === 'queued' || state === 'complete' || state === 'awaiting_input'
}

function stepText(step: StepView, { marks }: Paper): string {
  const isGood = step.status === 'done'
  if (isGood && step.kind !== 'validate') return `${marks.dot} ${step.summary}`
  return `${isGood ? marks.done : marks.failed} ${step.status} ${step.summary}`
}
