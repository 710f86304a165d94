import { constants } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { assertNever, type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, parseRelPath } from '../../domain/sandbox/rel-path.ts'
import { COMMAND_TOOL, type ToolContext, type ToolOutcome } from '../../domain/tool.ts'
import { commandEnvironment } from '../confinement/command-environment.ts'
import { prepareView } from '../confinement/command-view.ts'
import { type Confined, type ConfinementSettings, confine } from '../confinement/confine.ts'
import type { ConfinementProbe } from '../confinement/probe-confinement.ts'
import { whoRuns } from '../confinement/who-runs.ts'
import { openFolderInside } from '../files/open-inside.ts'
import type { CapturedOutput } from '../system/capture-output.ts'
import { type ProcessReport, type ProcessUser, runProcess } from '../system/run-process.ts'
import { defineTool } from './define-tool.ts'

export interface CommandSurroundings {
  /** The backend's own environment; commands get a cleaned copy. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Variables of the environment that hold keys of models, by the settings as they are. */
  readonly keyVariables: () => readonly string[]
  readonly confinement: ConfinementSettings
  /** Answers from a cache kept by whoever builds the tools. */
  readonly probe: (user: ProcessUser | null) => Promise<ConfinementProbe>
  readonly defaultTimeoutSeconds: number
}

const workingFolder = z
  .string()
  .default('.')
  .transform((text, check): string => {
    if (text === '' || text === '.') return ''
    const path = parseRelPath(text.replace(/\/$/, ''))
    const plain = path.ok ? Buffer.from(bytesOfRelPath(path.value)) : null
    if (plain && Buffer.from(plain.toString()).equals(plain)) return plain.toString()
    check.addIssue({
      code: 'custom',
      message: path.ok ? 'The folder has no UTF-8 name.' : path.failure.message,
    })
    return z.NEVER
  })
  .describe('folder to run in, relative to the project root')

const input = z.strictObject({
  command: z.string().min(1).describe('a /bin/sh command line; no input, no terminal'),
  cwd: workingFolder,
  timeout_seconds: z.number().positive().max(86_400).optional(),
  network: z.boolean().default(false).describe('asks for the network; a gate decides'),
})

const output = z.strictObject({
  exit_code: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  /** Something was left out of the middle of stdout or stderr. */
  truncated: z.boolean(),
  confined: z.boolean(),
  /** Nothing kept it from the network: a gate allowed it, or it could not be confined. */
  network: z.boolean(),
})

type CommandOutcome = ToolOutcome & { readonly output: z.infer<typeof output> }

export function runCommandTool(surroundings: CommandSurroundings) {
  return defineTool({
    name: COMMAND_TOOL,
    description:
      'Runs a shell command in the sandbox. An exit code other than 0 is an outcome, not a failure.',
    input,
    output,
    capability: {
      readOnly: false,
      writes: true,
      checkpointable: true,
      sideEffects: reachesOutside(surroundings.confinement),
      unsafe: false,
    },
    canRunReadOnly: true,
    wantsNetwork: command => command.network,
    run: async (command, context) => {
      const confined = await surround(command.cwd, surroundings, context)
      if (!confined.ok) return confined
      const seconds = command.timeout_seconds ?? surroundings.defaultTimeoutSeconds
      const report = await runProcess({
        argv: withPrefix(confined.value.prefix, command.command),
        cwd: confined.value.cwd,
        environment: confined.value.environment,
        ...(confined.value.user && { user: confined.value.user }),
        timeoutMs: seconds * 1000,
        signal: context.signal,
        outputFile: join(context.outputFolder, `${context.stepName}.log`),
        onOutput: context.onOutput,
      })
      return toOutcome(report, confined.value, seconds, context)
    },
  })
}

function reachesOutside({ mode }: ConfinementSettings): readonly string[] {
  return mode === 'required' ? [] : ['files and the network, where commands cannot be confined']
}

async function surround(
  cwd: string,
  { environment, keyVariables, confinement, probe }: CommandSurroundings,
  context: ToolContext,
): Promise<Result<Confined>> {
  const { root, entry, projectRoot, access, network, outputFolder } = context
  const folder = openFolderInside(root, cwd === '' ? null : Buffer.from(cwd))
  if (!folder.ok) return folder
  folder.value[Symbol.dispose]()
  const runner = whoRuns(projectRoot)
  return confine({
    settings: confinement,
    probe: await probe(runner.kind === 'owner' ? runner.user : null),
    root,
    entry,
    projectRoot,
    access,
    network,
    cwd,
    environment: commandEnvironment(environment, keyVariables()),
    view: await prepareView(context, join(outputFolder, 'view')),
  })
}

function withPrefix(prefix: readonly string[], command: string): readonly [string, ...string[]] {
  const shell = ['/bin/sh', '-c', command] as const
  const [program, ...rest] = prefix
  return program === undefined ? shell : [program, ...rest, ...shell]
}

function toOutcome(
  { end, stdout, stderr, kept }: ProcessReport,
  { confined }: Confined,
  seconds: number,
  { access, network }: ToolContext,
): Result<CommandOutcome> {
  switch (end.kind) {
    case 'aborted':
      return refuse('interrupted', 'The command was stopped.', { outputFile: kept.path })
    case 'timed_out':
      return refuse('step_failed', `The command did not end within ${seconds} seconds and was stopped.`, {
        outputFile: kept.path,
        stdout: lastOf(stdout),
        stderr: lastOf(stderr),
      })
    case 'exited':
    case 'signalled': {
      const exitCode = end.kind === 'exited' ? end.code : 128 + constants.signals[end.signal]
      const texts = { stdout: textOf(stdout), stderr: textOf(stderr) }
      const truncated = stdout.omittedBytes + stderr.omittedBytes > 0
      const summary = end.kind === 'exited' ? `exit code ${exitCode}` : `ended by ${end.signal}`
      const written = access === 'read_only' ? ([] as const) : 'unknown'
      const value = {
        exit_code: exitCode,
        ...texts,
        truncated,
        confined,
        network: network === 'full' || !confined,
      }
      return { ok: true, value: { output: value, summary, read: 'unknown', written } }
    }
    default:
      return assertNever(end)
  }
}

function textOf({ head, tail, omittedBytes }: CapturedOutput): string {
  return omittedBytes === 0 ? head : `${head}\n[${omittedBytes} bytes left out here]\n${tail}`
}

function lastOf({ head, tail }: CapturedOutput): string {
  return (tail || head).slice(-2000).toWellFormed()
}
