import { type Finding, failing, type PreflightFacts, warning } from './facts.ts'

/** PRE-07. */
export function checkAttachments({ validations }: PreflightFacts): Finding[] {
  const { problems, untrusted, project } = validations
  return [
    ...problems.map(failing),
    ...(untrusted
      ? [
          warning(
            `The checks that the folder itself declares do not run: it is not trusted. To let them run: agents project trust ${project}`,
          ),
        ]
      : []),
  ]
}
