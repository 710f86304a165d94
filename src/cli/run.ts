import { exitCodes } from './exit-codes.ts'
import type { Given } from './given.ts'
import { colourAsked, optionsOf } from './given-options.ts'
import type { CliHost } from './host.ts'
import { helpOf, parseCommandLine } from './program.ts'
import { hasTerminal } from './surroundings/command-ui.ts'

const HELP_COLUMNS = 100

/**
 * A command line in, an exit code out. The caller ends the process with the code as soon as it has it: after a second
 * signal something may still be running.
 */
export async function runCommandLine(args: readonly string[], host: CliHost): Promise<number> {
  const parsed = parseCommandLine(args, Math.min(host.stdout.columns ?? HELP_COLUMNS, HELP_COLUMNS))
  const { globals } = parsed
  switch (parsed.kind) {
    case 'help':
      host.stdout.write(parsed.text)
      return exitCodes.done
    case 'version':
      host.stdout.write(`${host.version}\n`)
      return exitCodes.done
    case 'no words':
      return openScreen(host, globals)
    case 'wrong':
    case 'command': {
      // Late: what prints results is nothing the screen, the help and the version need.
      const { runParsed } = await import('./run-parsed.ts')
      return runParsed(parsed, host)
    }
  }
}

async function openScreen(host: CliHost, globals: Given): Promise<number> {
  if (hasTerminal(host))
    return host.runScreen({ ...optionsOf(host, globals), colour: colourAsked(globals), startWith: 'home' })
  host.stderr.write(helpOf([], HELP_COLUMNS))
  host.stderr.write('\nThe screen needs a terminal, and this is none: use one of the commands above.\n')
  return exitCodes.usage
}
