import type { Call } from '../call.ts'
import type { Answer, DispatcherOptions, Request } from '../dispatcher.ts'

export const standardMethodNames: readonly string[] = []

export function isStandardMethod(method: string): boolean {
  return standardMethodNames.includes(method)
}

export function openStandard(_options: DispatcherOptions) {
  return {
    async answer(_request: Request, _call: Call): Promise<Answer> {
      return { kind: 'nothing' }
    },
  }
}
