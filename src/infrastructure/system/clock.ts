import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../application/ports/machine.ts'

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}
