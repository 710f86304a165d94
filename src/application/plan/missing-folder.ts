import { answerTo, ask } from '../gate/find-answer.ts'
import type { Question } from '../gate/open-gate.ts'
import type { Next } from './next.ts'
import { requestKey, type Turn, tellFailure } from './turn.ts'

/**
 * Before work goes on in a sandbox whose folder somebody deleted: a person says whether it is made anew from what was
 * recorded. Null while the folder is there.
 */
export async function settleMissingFolder(turn: Turn): Promise<Next | null> {
  const { session, plan, cursor } = turn
  const sandbox = await session.sandbox()
  const entered = sandbox.ok ? await sandbox.value.enter() : sandbox
  if (!sandbox.ok || entered.ok) return null
  const { missing } = entered.failure.facts
  if (typeof missing !== 'string') return null
  const key = `${requestKey(turn)}:missing`
  if (answerTo(session.ports, plan, key)?.decision !== 'approve')
    return ask(session.ports, missingQuestion(key, missing))
  const restored = await sandbox.value.restore(cursor.sandboxState)
  if (!restored.ok) return tellFailure(turn, restored.failure)
  return { event: null, commit: () => session.ports.store.cursors.put({ ...cursor, written: [] }) }
}

function missingQuestion(requestKey: string, folder: string): Question {
  return {
    kind: 'resume',
    requestKey,
    question: `The folder ${folder}, in which the plan works, is missing. Make it anew as it was last recorded?`,
    subject: { kind: 'resume', underWay: 'nothing; the folder was deleted between two steps' },
    options: [
      {
        id: 'again',
        label: 'Make it anew and go on',
        description:
          'What was written since the last checkpoint is lost, and so are dependencies and other ignored files.',
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'What was recorded is kept. The plan can be resumed or corrected later.',
        effect: 'reject',
      },
    ],
    reason: 'somebody deleted the folder',
    confidence: null,
  }
}
