import { DATABASES } from '../tool.ts'
import { type Finding, failing, type PreflightFacts } from './facts.ts'

/** PRE-05. It is about what writes: checks and tools that only read are never checkpointed (requirements X-49). */
export function checkRollback({ profile, tools, sandbox, resources }: PreflightFacts): Finding[] {
  if (!profile.safety.requireCheckpoints) return []
  const writing = tools.filter(({ tool }) => tool?.capability.writes === true)
  const lasting = writing.filter(({ tool }) => tool?.capability.checkpointable === false)
  const writesData = writing.some(({ tool }) => tool?.category === DATABASES)
  const stuck = writesData ? resources.filter(({ restores }) => restores === 'never') : []
  const demands = 'the profile of this plan requires checkpoints to return to'
  return [
    ...[...new Set(lasting.map(({ name }) => name))].map(name =>
      failing(`What ${name} writes cannot be taken back, and ${demands}. Choose another profile or action.`),
    ),
    ...(sandbox.kind === 'chosen' && sandbox.restores === 'never'
      ? [
          failing(
            `The sandbox ${sandbox.name} keeps no checkpoints, and ${demands}. Choose another profile, or leave --sandbox out.`,
          ),
        ]
      : []),
    ...stuck.map(({ name }) =>
      failing(`The database ${name} cannot be returned to an earlier state, and ${demands}.`),
    ),
  ]
}
