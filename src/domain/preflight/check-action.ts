import { type Finding, failing, type PreflightFacts } from './facts.ts'

/** PRE-01. That its file parses is settled before there can be a plan. */
export function checkActionSchema({ action, actors }: PreflightFacts): Finding[] {
  const { name, archived, unavailable } = action
  if (archived) return [failing(`The action ${name} is archived. Register it again, or use another one.`)]
  // What an actor lacks is told by the check of actors.
  const saidThere = actors.some(({ problem }) => problem === unavailable)
  return unavailable === null || saidThere ? [] : [failing(unavailable)]
}
