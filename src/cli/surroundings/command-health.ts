import type { HealthView } from '../../a2a/protocol/views/health.ts'
import { type Command, done } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Paper } from '../render/paper.ts'
import { healthLines } from '../render/surroundings.ts'
import { factLines } from '../render/table.ts'
import { simpleCall } from '../simple-call.ts'

export const healthCheck = simpleCall('_cleveragents/health/check', () => ({}), healthLines, exitOf)

export const diagnosticsRun = simpleCall(
  '_cleveragents/diagnostics/run',
  ({ folder }) => ({ folder }),
  healthLines,
  exitOf,
)

/** The diagnostics for people: without --verbose only what is not well. */
export const doctor: Command = async context => {
  const isVerbose = context.given.has('verbose')
  const render = (health: HealthView, paper: Paper) =>
    healthLines(isVerbose ? health : withoutGood(health), paper)
  const call = simpleCall('_cleveragents/diagnostics/run', ({ folder }) => ({ folder }), render, exitOf)
  return call(context)
}

export const version: Command = async ({ host }) => done({ version: host.version }, data => [data.version])

export const info: Command = async ({ host, folder, screen }) => {
  const data = {
    version: host.version,
    runtime: host.runtime,
    folder,
    data_dir: screen.dataDir,
    config_path: screen.configPath,
  }
  return done(data, (shown, paper) => [
    `agents ${shown.version}`,
    ...factLines(
      [
        ['runs on', shown.runtime],
        ['folder', shown.folder],
        ['data', shown.data_dir],
        ['config', shown.config_path],
      ],
      paper,
    ),
  ])
}

function exitOf({ status }: HealthView) {
  return { exitCode: status === 'error' ? exitCodes.failed : exitCodes.done }
}

function withoutGood({ status, checks }: HealthView): HealthView {
  return { status, checks: checks.filter(check => check.status === 'warn' || check.status === 'error') }
}
