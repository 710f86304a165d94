import type { CommandContext } from '../command.ts'
import { cleaned } from '../render/clean.ts'
import { checkTexts } from '../render/surroundings.ts'

/**
 * Asked once for a folder, in a terminal: may its own checks run? What would run is shown before the question. Without
 * a terminal nothing is asked and nothing of the folder runs.
 */
export async function askForTrust(context: CommandContext, project: string): Promise<void> {
  if (context.host.stdin.isTTY !== true || context.host.stderr.isTTY !== true) return
  const client = await context.connect()
  const shown = await client.call('_cleveragents/project/show', { project })
  // What is wrong with the folder is said by the command itself.
  if (!shown.ok || shown.value.trusted || shown.value.trust_asked || shown.value.checks.length === 0) return
  const { name, root } = shown.value
  context.tell(`${cleaned(root)} is new here. To check its work a plan could run the folder's own commands:`)
  for (const check of checkTexts(cleaned(shown.value))) context.tell(`  ${check}`)
  const answer = await context.ask('Trust this folder? [y/N] ')
  const isYes = /^y(es)?$/i.test(answer?.trim() ?? '')
  await client.call(isYes ? '_cleveragents/project/trust' : '_cleveragents/project/untrust', {
    project: name,
  })
  if (!isYes)
    context.tell(`Not trusted: its own checks do not run. Change it with: agents project trust ${name}`)
}
