import { type CommandContext, type CommandResult, refuse } from '../command.ts'
import type { CliClient } from '../host.ts'
import { waitTexts } from '../render/profile.ts'
import { given } from '../simple-call.ts'

interface Wanted {
  readonly action_name: string
  readonly projects: readonly string[]
  readonly folder: string
  readonly automation_profile?: string | undefined
}

/**
 * Where nobody can be asked, what would wait is said before the plan begins; with --unattended a plan that could wait
 * does not begin at all. Null: go on.
 */
export async function whatWaits(
  context: CommandContext,
  client: CliClient,
  wanted: Wanted,
): Promise<CommandResult | null> {
  const isUnattended = context.given.has('unattended')
  const isWatched = context.host.stdin.isTTY === true && context.host.stderr.isTTY === true
  if (!isUnattended && (isWatched || context.saysYes)) return null
  const preview = await client.call('_cleveragents/automation-profile/preview', {
    action_name: wanted.action_name,
    project: wanted.projects[0] ?? wanted.folder,
    ...given('automation_profile', wanted.automation_profile),
  })
  // What is wrong with the names is said by the command itself.
  if (!preview.ok) return null
  const mayWait = preview.value.gates.filter(({ asks, reached }) => asks !== 'never' && reached !== 'never')
  const texts = waitTexts(preview.value)
  if (isUnattended && (mayWait.length > 0 || preview.value.also.length > 0)) {
    const gates = mayWait.map(({ what, flag }) => `${what} (${flag})`)
    return refuse(
      'gate_waits',
      `Nothing was started: under ${preview.value.profile.name} these could wait for a person: ${[...gates, ...preview.value.also].join(', ')}. Name a profile that passes them with --automation-profile.`,
      { gates: mayWait.map(({ flag }) => flag), profile: preview.value.profile.name },
    )
  }
  if (!isUnattended && texts.length > 0) {
    for (const text of texts) context.tell(text)
    context.tell(
      'Nobody can be asked here: the command ends with exit code 3 where it waits. Answer with agents plan approve, or name another profile with --automation-profile.',
    )
  }
  return null
}
