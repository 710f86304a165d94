import type { CommandContext } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { trustTexts } from '../render/surroundings.ts'

/**
 * Asked once for a folder, in a terminal: may its own checks run? What would run is shown before the question. Without
 * a terminal nothing is asked and nothing of the folder runs.
 */
export async function askForTrust(context: CommandContext, project: string): Promise<void> {
  if (context.host.stdin.isTTY !== true || context.host.stderr.isTTY !== true) return
  const client = await context.connect()
  const shown = await client.call('_cleveragents/project/show', { project })
  // What is wrong with the folder is said by the command itself.
  if (!shown.ok || shown.value.trusted || shown.value.trust_asked || shown.value.would_run.length === 0)
    return
  const { name, root, trust, trust_digest } = shown.value
  const why = trust === 'changed' ? 'would run something else than when you trusted it' : 'is new here'
  context.tell(`${cleaned(root)} ${why}. These commands could run in the sandboxes of its plans:`)
  for (const text of trustTexts(cleaned(shown.value))) context.tell(`  ${text}`)
  const answer = await context.ask('Trust this folder? [y/N] ')
  const isYes = /^y(es)?$/i.test(answer?.trim() ?? '')
  const answered = isYes
    ? await client.call('_cleveragents/project/trust', { project: name, digest: trust_digest })
    : await client.call('_cleveragents/project/untrust', { project: name })
  if (!answered.ok) context.tell(answered.failure.message)
  else if (!isYes) context.tell(`Not trusted: none of it runs. Change it with: agents project trust ${name}`)
}
