import type { StepId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Between two events: ten a second of a command, thirty of what a model writes. */
const PAUSE_MS = { command: 100, model: 34 } as const
/** Enough for what a screen can show; the whole output is in the step's file. */
const MOST_CHARACTERS = 16_384

/** Turns a stream of output into few events, keeping the newest text when there is too much. */
export function relayOutput(
  ports: Ports,
  plan: Plan,
  { stepId, of }: { readonly stepId: StepId; readonly of: keyof typeof PAUSE_MS },
) {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null

  function write(text: string): void {
    waiting = (waiting + text).slice(-MOST_CHARACTERS)
    timer ??= setTimeout(flush, PAUSE_MS[of])
  }

  function flush(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting === '') return
    const text = waiting
    waiting = ''
    try {
      ports.store.transaction(() => {
        ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'STEP_OUTPUT', stepId, text })
      })
    } catch (error) {
      // For watching only: the whole output is in the step's file, and a busy store must not end the step.
      ports.log('output of a step is not shown', { stepId, error: String(error) })
    }
  }

  return { write, flush }
}
