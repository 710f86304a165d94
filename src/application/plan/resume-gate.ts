import type { Step } from '../../domain/plan/journal.ts'
import type { Question } from '../gate/open-gate.ts'

/** Asks how to go on after something was cut short: nothing is repeated silently. */
export function resumeQuestion(requestKey: string, underWay: Step | null): Question {
  const what = underWay ? describe(underWay) : 'nothing; it stopped between two steps'
  return {
    kind: 'resume',
    requestKey: `${requestKey}:resume`,
    question: underWay ? `Interrupted during ${describe(underWay)}. Run it again?` : 'Interrupted. Go on?',
    subject: { kind: 'resume', underWay: what },
    options: [
      {
        id: 'again',
        label: underWay ? 'Undo its partial work and run it again' : 'Go on',
        description: 'The sandbox returns to its state before the step; your own files are not touched.',
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'It can be resumed or corrected later.',
        effect: 'reject',
      },
    ],
    reason: 'what was under way may be half done',
    confidence: null,
  }
}

export function describe(step: Step): string {
  const command = typeof step.input['command'] === 'string' ? ` ${step.input['command']}` : ''
  return `${step.tool ?? step.kind}${command} (${step.path})`
}
