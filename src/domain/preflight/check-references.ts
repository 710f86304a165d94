import { type Finding, failing, type PreflightFacts } from './facts.ts'

/** PRE-03. Followed through the actions that are started as children. */
export function checkReferences({ tools, missingActions, unknownConfirmations }: PreflightFacts): Finding[] {
  const unknown = tools.filter(({ tool }) => tool === null)
  return [
    ...unknown.map(({ name, action }) =>
      failing(`The action ${action} uses the tool ${name}, which is not there. See agents tool list.`),
    ),
    ...missingActions.map(({ name, reason }) => failing(`The action ${name} cannot be started: ${reason}`)),
    ...unknownConfirmations.map(({ action, reason }) =>
      failing(`The action ${action} wants each call of a tool confirmed that is not there. ${reason}`),
    ),
  ]
}
