import { type Finding, failing, type PreflightFacts } from './facts.ts'

/** PRE-06. Whether everything is there; not whether all of it can be read. */
export function checkResources({ folderProblem, resources }: PreflightFacts): Finding[] {
  const folder = folderProblem === null ? [] : [failing(folderProblem)]
  const databases = resources.flatMap(({ name, problem }) =>
    problem === null ? [] : [failing(`The database ${name} cannot be reached: ${problem}`)],
  )
  return [...folder, ...databases]
}
