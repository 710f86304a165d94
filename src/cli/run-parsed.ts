import { chooseFormat, configuredFormat } from './choose-format.ts'
import { type CommandContext, type CommandResult, failed, refuse } from './command.ts'
import type { CommandRow } from './command-row.ts'
import type { Given } from './given.ts'
import { colourAsked, folderOf, optionsOf } from './given-options.ts'
import { type Format, formats } from './global-flags.ts'
import type { CliHost, CliStream } from './host.ts'
import { type Printer, printRun, writeLines } from './print.ts'
import type { Parsed } from './program.ts'
import { charsetOf, colourOf, makePaper, type Paper } from './render/paper.ts'
import { ConnectRefusal, openSession, type Session } from './session.ts'

/** Runs a command, or says what is wrong with the words. */
export function runParsed(
  parsed: Extract<Parsed, { kind: 'command' | 'wrong' }>,
  host: CliHost,
): Promise<number> {
  const { globals } = parsed
  if (parsed.kind === 'command') return runRow(host, globals, parsed.row, parsed.given)
  return runWith(host, globals, 'agents', async () => refuse('invalid_input', parsed.message))
}

function runRow(host: CliHost, globals: Given, row: CommandRow, given: Given): Promise<number> {
  return runWith(host, globals, row.words, async context => {
    if (row.load === 'later') return refuse('not_available', `agents ${row.words} is not available yet.`)
    if (globals.maybe('server') !== undefined)
      return refuse('not_available', '--server is not available yet. Leave it out to use the backend here.')
    const command = await row.load()
    return command({ ...context, given })
  })
}

type Work = (context: CommandContext) => Promise<CommandResult>

async function runWith(host: CliHost, globals: Given, command: string, work: Work): Promise<number> {
  const startedAt = host.now()
  const session = openSession(host, optionsOf(host, globals))
  const output = outputOf(host, globals)
  const context = contextOf(host, globals, session, output)
  const finish = async () => {
    const result = await resultOf(work, context, output)
    const durationMs = host.now() - startedAt
    const exitCode =
      result.kind === 'ended'
        ? result.exitCode
        : await printRun({ command, durationMs, result, stopCode: session.stopCode() }, output)
    await session.close()
    return exitCode
  }
  return Promise.race([finish(), session.insisted])
}

async function resultOf(work: Work, context: CommandContext, output: Output): Promise<CommandResult> {
  if (output.wrongFormat !== null) {
    const message = `CLEVERAGENTS_FORMAT is ${output.wrongFormat}. It may be ${formats.join(', ')}.`
    return refuse('invalid_input', message)
  }
  try {
    return await work(context)
  } catch (error) {
    if (error instanceof ConnectRefusal) return failed(error.failure)
    throw error
  }
}

interface Output extends Printer {
  format: Format
  readonly chosenBy: 'person' | 'default'
  readonly wrongFormat: string | null
}

function outputOf(host: CliHost, globals: Given): Output {
  const { format, by, wrong } = chooseFormat(globals, host)
  const paperFor = (stream: CliStream): Paper =>
    makePaper({
      columns: stream.isTTY === true ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
      charset: charsetOf(host.env),
      colour: format === 'plain' ? 'none' : colourOf(host.env, stream, colourAsked(globals)),
    })
  return {
    format,
    chosenBy: by,
    wrongFormat: wrong,
    stdout: host.stdout,
    stderr: host.stderr,
    paper: paperFor(host.stdout),
    aside: paperFor(host.stderr),
  }
}

function contextOf(host: CliHost, globals: Given, session: Session, output: Output): CommandContext {
  const { stderr, stdout } = host
  return {
    given: globals,
    host,
    folder: folderOf(host, globals),
    isTrusting: globals.has('trust'),
    saysYes: globals.has('yes'),
    screen: { ...optionsOf(host, globals), colour: colourAsked(globals) },
    signal: session.signal,
    aside: output.aside,
    tell: line => writeLines(stderr, [line]),
    page(lines) {
      if (output.format === 'rich' || output.format === 'plain') writeLines(stdout, lines(output.paper))
    },
    ask: async question => {
      const { askPerson } = await import('./ask-person.ts')
      return askPerson(host, question, session.signal)
    },
    async connect() {
      const isFirst = !session.isConnected()
      const client = await session.connect()
      if (isFirst && output.chosenBy === 'default')
        output.format = (await configuredFormat(client)) ?? output.format
      return client
    },
  }
}
