import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { DiagnosticCheck, Diagnostics, Settings } from '../../application/ports.ts'
import { FailureError } from '../../domain/failure.ts'
import { type ConfinementSettings, confinementNotice } from '../confinement/confine.ts'
import type { ConfinementProbe } from '../confinement/probe-confinement.ts'
import type { Git } from '../git/git.ts'
import { inspectFolder } from '../project/inspect-folder.ts'

export interface DiagnosticSurroundings {
  readonly dataDir: string
  readonly nodeVersion: string
  readonly git: Git
  readonly settings: Pick<Settings, 'list'>
  readonly confinement: ConfinementSettings
  readonly probe: () => Promise<ConfinementProbe>
}

/** What works on this machine, what does not, and why: one sentence each. Looks only. */
export function createDiagnostics(surroundings: DiagnosticSurroundings): Diagnostics {
  return {
    run: async folder => [
      { name: 'node', status: 'ok', message: `Node ${surroundings.nodeVersion}` },
      await gitCheck(surroundings),
      await confinementCheck(surroundings),
      await dataCheck(surroundings.dataDir),
      settingsCheck(surroundings.settings),
      ...(folder === null ? [] : [await folderCheck(surroundings, folder)]),
    ],
  }
}

/** Merging trees without touching files came with git 2.38. */
async function gitCheck({ git, dataDir }: DiagnosticSurroundings): Promise<DiagnosticCheck> {
  const ran = await git({ args: ['--version'], cwd: dataDir })
  if (!ran.ok) return { name: 'git', status: 'error', message: `git does not run: ${ran.failure.message}` }
  const version = /\d+\.\d+(\.\d+)?/.exec(ran.value.stdout.toString())?.[0] ?? 'of unknown version'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = major > 2 || (major === 2 && minor >= 38)
  return recent
    ? { name: 'git', status: 'ok', message: `git ${version}` }
    : { name: 'git', status: 'error', message: `git ${version} is too old; plans need 2.38 or newer` }
}

async function confinementCheck({ confinement, probe }: DiagnosticSurroundings): Promise<DiagnosticCheck> {
  const found = await probe()
  const confined = found.ok && confinement.mode !== 'off'
  return {
    name: 'confinement',
    status: confined ? 'ok' : 'warn',
    message: confinementNotice(confinement.mode, found),
  }
}

/** A setting that cannot be read is as good as not set; a person must hear of it. */
function settingsCheck(settings: Pick<Settings, 'list'>): DiagnosticCheck {
  try {
    const problems = settings.list(null).flatMap(setting => setting.problem ?? [])
    if (problems.length > 0) return { name: 'settings', status: 'error', message: problems.join(' ') }
    return { name: 'settings', status: 'ok', message: 'all settings can be read' }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return { name: 'settings', status: 'error', message: error.message }
  }
}

const LITTLE_SPACE = 1024 ** 3

async function dataCheck(dataDir: string): Promise<DiagnosticCheck> {
  try {
    await access(dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const message = `${dataDir}, ${(free / LITTLE_SPACE).toFixed(1)} GiB free`
    return { name: 'data', status: free < LITTLE_SPACE ? 'warn' : 'ok', message }
  } catch (error) {
    return { name: 'data', status: 'error', message: `${dataDir} cannot be written: ${String(error)}` }
  }
}

async function folderCheck({ git }: DiagnosticSurroundings, folder: string): Promise<DiagnosticCheck> {
  const facts = await inspectFolder(git, folder)
  if (!facts.ok) return { name: 'folder', status: 'error', message: facts.failure.message }
  if (facts.value.resource === 'fs-directory') {
    return {
      name: 'folder',
      status: 'warn',
      message: `${facts.value.root} is not in a git repository; plans need one`,
    }
  }
  const branch = facts.value.branch ? `, branch ${facts.value.branch}` : ', no branch checked out'
  return { name: 'folder', status: 'ok', message: `${facts.value.root}${branch}` }
}
