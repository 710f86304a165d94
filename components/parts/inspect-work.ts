import type { StepView } from '../../src/a2a/protocol/views/step.ts'
import type { Log, LogEntry } from '../../stores/log.ts'
import type { Mark } from '../../stores/marks.ts'
import { type Steps, stepsUnder } from '../../stores/steps.ts'
import { type Look, markSegment, wrapped } from '../look.ts'
import { durationWord, oneLine, timeWord } from '../words.ts'
import type { Segment } from './format-line.ts'

const shownOutput = 6

/** The steps under a decision, or of the whole plan; below a running one the end of its output. */
export function stepRows(look: Look, steps: Steps, decisionId: string | null, width: number): Segment[][] {
  const found = stepsUnder(steps, decisionId)
  if (found.length === 0)
    return wrapped(
      decisionId === null ? 'No steps yet.' : 'No steps under this decision itself.',
      width,
      'muted',
    )
  return found.flatMap(step => [stepRow(look, step), ...outputRows(steps, step, width)])
}

/** What runs at this moment, with the end of what it said so far: a model's words are read while they come. */
export function runningRows(look: Look, steps: Steps, width: number): Segment[][] {
  return [...steps.byId.values()]
    .filter(({ status }) => status === 'started')
    .flatMap(step => [stepRow(look, step), ...outputRows(steps, step, width), []])
}

/** The newest first: what just happened is in sight without scrolling. */
export function logRows(log: Log | undefined, width: number): Segment[][] {
  if (!log || log.entries.length === 0)
    return wrapped('Nothing has happened since the screen was opened.', width, 'muted')
  return log.entries.toReversed().map(entry => [
    { text: `${timeWord(entry.at)} `, tone: 'muted' },
    { text: `${logWords[entry.method]} `, tone: 'accent' },
    { text: oneLine(entry.subject), tone: 'text' },
  ])
}

function stepRow(look: Look, step: StepView): Segment[] {
  const took =
    step.started_at && step.ended_at ? Date.parse(step.ended_at) - Date.parse(step.started_at) : null
  return [
    markSegment(look, stepMark(step)),
    {
      text: ` ${oneLine(step.summary || labelOf(step))}`,
      tone: step.status === 'failed' ? 'danger' : 'text',
    },
    ...(took === null ? [] : [{ text: `  ${durationWord(took)}`, tone: 'muted' as const }]),
    ...(isOrdinary(step) ? [] : [{ text: `  ${step.status}`, tone: 'warning' as const }]),
  ]
}

function labelOf({ kind, tool, path, input }: StepView): string {
  const model = input !== null && typeof input === 'object' && 'model' in input ? input.model : null
  return kind === 'model' && typeof model === 'string' ? `asks ${model}` : (tool ?? path)
}

function isOrdinary({ status }: StepView): boolean {
  return status === 'started' || status === 'done' || status === 'authorised'
}

function outputRows(steps: Steps, step: StepView, width: number): Segment[][] {
  const output = steps.outputs.get(step.step_id)
  if (output === undefined || (step.status !== 'started' && step.status !== 'failed')) return []
  const lines = output.trimEnd().split('\n').slice(-shownOutput)
  return lines.flatMap(text => wrapped(text, width, 'muted', 2))
}

function stepMark({ status }: StepView): Mark {
  switch (status) {
    case 'authorised':
      return 'toCome'
    case 'started':
      return 'running'
    case 'done':
      return 'done'
    case 'failed':
    case 'interrupted':
    case 'refused':
      return 'failed'
  }
}

const logWords: Readonly<Record<LogEntry['method'], string>> = {
  'task/statusUpdate': 'state',
  'task/artifactUpdate': 'produced',
  '_cleveragents/decision/recorded': 'decided',
  '_cleveragents/decision/workDone': 'work done',
  '_cleveragents/decision/superseded': 'superseded',
  '_cleveragents/decision/restored': 'restored',
  '_cleveragents/step/started': 'began',
  '_cleveragents/step/output': 'output',
  '_cleveragents/step/finished': 'ended',
  '_cleveragents/gate/opened': 'asks',
  '_cleveragents/gate/passed': 'passed',
  '_cleveragents/guard/stopped': 'guard',
  '_cleveragents/guard/changed': 'guards changed',
  '_cleveragents/gate/resolved': 'answered',
  '_cleveragents/gate/void': 'void',
  '_cleveragents/checkpoint/created': 'checkpoint',
  '_cleveragents/cost/charged': 'cost',
  '_cleveragents/limits/changed': 'limits',
  '_cleveragents/correction/started': 'correcting',
  '_cleveragents/correction/finished': 'corrected',
  '_cleveragents/plan/profileChanged': 'profile',
  '_cleveragents/lease/changed': 'owner',
  '_cleveragents/gap': 'gap',
}
