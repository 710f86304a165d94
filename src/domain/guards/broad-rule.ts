import { COMMAND_TOOL } from '../tool.ts'
import { interpreterCalled, shells, wrappers } from './command/programs.ts'
import { namesTool, parseToolRule } from './tool-rule.ts'

/** Programs that run whatever a file or a package says, besides shells, wrappers and interpreters. */
const runners =
  /^(npm|pnpm|yarn|npx|bunx|pip3?|pipx|uvx?|poetry|cargo|go|gem|bundle|composer|make|just|docker|podman|kubectl|ssh|find|awk|git|parallel)$/

/** What a person should know before allowing so much; null when a rule says narrowly what it is for. */
export function warnAboutAllow(entry: string): string | null {
  const rule = parseToolRule(entry)
  if (!rule.ok || !namesTool(rule.value, COMMAND_TOOL)) return null
  const { command } = rule.value
  if (command === null) return `${entry} allows every command; name the commands: ${COMMAND_TOOL}(npm test *)`
  if (command.opens !== null) return null
  const [first, second] = command.words
  if (first?.kind === 'rest' || (first?.glob.length ?? 0) > 1) return `${entry} allows any program.`
  const program = first?.glob.join('') ?? ''
  const name = program.slice(program.lastIndexOf('/') + 1)
  const runsOthers =
    shells.has(name) || name in wrappers || interpreterCalled(name) !== null || runners.test(name)
  if (
    !runsOthers ||
    (second && second.kind === 'word' && second.glob.length === 1 && !second.glob[0]?.startsWith('-'))
  )
    return null
  if (second === undefined && !isOpenEnded(name)) return null
  return `${entry} lets ${name} run any other program; write the whole command that may run.`
}

/** Without words they read what to run. */
function isOpenEnded(name: string): boolean {
  return shells.has(name) || interpreterCalled(name) !== null
}
