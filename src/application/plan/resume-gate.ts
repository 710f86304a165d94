import type { Step } from '../../domain/plan/journal.ts'
import type { Question } from '../gate/open-gate.ts'

/** Asks how to go on after something was cut short: nothing is repeated silently. */
export function resumeQuestion(requestKey: string, underWay: Step | null): Question {
  return {
    kind: 'resume',
    requestKey: `${requestKey}:resume`,
    question: underWay ? `Interrupted during ${describe(underWay)}. Run it again?` : 'Interrupted. Go on?',
    subject: {
      kind: 'resume',
      underWay: underWay ? describe(underWay) : 'nothing; it stopped between two steps',
    },
    options: [
      { id: 'again', ...again(underWay), effect: 'approve' },
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

function again(underWay: Step | null): { label: string; description: string } {
  if (underWay?.kind === 'apply') {
    return {
      label: 'Apply the rest',
      description: 'What is in your files already stays; only what is missing is written.',
    }
  }
  if (underWay?.kind === 'model')
    return { label: 'Ask it again', description: 'It has changed nothing; what had arrived is kept.' }
  return {
    label: underWay ? 'Undo its partial work and run it again' : 'Go on',
    description: 'The sandbox returns to its state before the step; your own files are not touched.',
  }
}

export function describe(step: Step): string {
  if (step.kind === 'model') return `the answer of ${String(step.input['model'])} (${step.path})`
  const command = typeof step.input['command'] === 'string' ? ` ${step.input['command']}` : ''
  return `${step.tool ?? step.kind}${command} (${step.path})`
}
