import { type Result, refuse } from '../domain/failure.ts'
import type { Ports } from './ports.ts'

/**
 * Some words are a person's alone. A command of a plan that starts this program, as any command may that is not
 * confined, carries the mark of its plan in its environment and is not heard. What it cannot do by mistake it could
 * still do by taking the mark off: only confinement keeps it from that.
 */
export function unlessByCommand({ host }: Pick<Ports, 'host'>, what: string): Result<never> | null {
  if (!host.isCommandOfPlan) return null
  const message = `This runs inside of a command of a plan, and a plan's command cannot ${what}. Do it from a terminal of your own.`
  return refuse('denied', message, {})
}
