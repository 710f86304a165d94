import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { DiagnosticCheck, Diagnostics } from '../../application/ports/machine.ts'
import type { Models } from '../../application/ports/model.ts'
import type { FolderFacts } from '../../application/ports/project.ts'
import type { Settings } from '../../application/ports/setting.ts'
import { FailureError, type Result } from '../../domain/failure.ts'
import type { Git } from '../git/git.ts'
import { inspectFolder } from '../project/inspect-folder.ts'
import { type ConfinementSurroundings, confinementChecks } from './confinement-checks.ts'
import { modelChecks } from './model-checks.ts'
import { type SandboxSurroundings, sandboxChecks } from './sandbox-checks.ts'

export interface DiagnosticSurroundings extends ConfinementSurroundings, SandboxSurroundings {
  readonly nodeVersion: string
  readonly git: Git
  readonly settings: Pick<Settings, 'list'>
  readonly models: Models
}

/** What works on this machine, what does not, and why: one sentence each. Looks only. */
export function createDiagnostics(surroundings: DiagnosticSurroundings): Diagnostics {
  return {
    run: async folder => {
      const facts = folder === null ? null : await inspectFolder(surroundings.git, folder)
      const root = facts?.ok ? facts.value.root : null
      return [
        { name: 'node', status: 'ok', message: `Node ${surroundings.nodeVersion}`, remedy: null },
        await gitCheck(surroundings),
        ...(await confinementChecks(surroundings, root)),
        await dataCheck(surroundings.dataDir),
        ...(await sandboxChecks(surroundings, root)),
        settingsCheck(surroundings.settings),
        ...(await modelChecks(surroundings.models)),
        ...(facts === null ? [] : [folderCheck(facts)]),
      ]
    },
  }
}

/** Merging trees without touching files came with git 2.38. */
async function gitCheck({ git, dataDir }: DiagnosticSurroundings): Promise<DiagnosticCheck> {
  const ran = await git({ args: ['--version'], cwd: dataDir })
  if (!ran.ok)
    return {
      name: 'git',
      status: 'error',
      message: `git does not run: ${ran.failure.message}`,
      remedy: 'Install git 2.38 or newer.',
    }
  const version = /\d+\.\d+(\.\d+)?/.exec(ran.value.stdout.toString())?.[0] ?? 'of unknown version'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = major > 2 || (major === 2 && minor >= 38)
  return recent
    ? { name: 'git', status: 'ok', message: `git ${version}`, remedy: null }
    : {
        name: 'git',
        status: 'error',
        message: `git ${version} is too old`,
        remedy: 'Plans need 2.38 or newer.',
      }
}

/** A setting that cannot be read is as good as not set; a person must hear of it. */
function settingsCheck(settings: Pick<Settings, 'list'>): DiagnosticCheck {
  try {
    const problems = settings.list(null).flatMap(setting => setting.problem ?? [])
    if (problems.length > 0)
      return { name: 'settings', status: 'error', message: problems.join(' '), remedy: null }
    return { name: 'settings', status: 'ok', message: 'all settings can be read', remedy: null }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return { name: 'settings', status: 'error', message: error.message, remedy: null }
  }
}

const LITTLE_SPACE = 1024 ** 3

async function dataCheck(dataDir: string): Promise<DiagnosticCheck> {
  try {
    await access(dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const message = `${dataDir}, ${(free / LITTLE_SPACE).toFixed(1)} GiB free`
    const isLittle = free < LITTLE_SPACE
    const remedy = isLittle ? 'Make room, or choose another disk with --data-dir.' : null
    return { name: 'data', status: isLittle ? 'warn' : 'ok', message, remedy }
  } catch (error) {
    return {
      name: 'data',
      status: 'error',
      message: `${dataDir} cannot be written: ${String(error)}`,
      remedy: 'Choose another with --data-dir.',
    }
  }
}

function folderCheck(facts: Result<FolderFacts>): DiagnosticCheck {
  const check = { name: 'folder', remedy: null } as const
  if (!facts.ok) return { ...check, status: 'error', message: facts.failure.message }
  const { root, resource, branch } = facts.value
  if (resource === 'fs-directory')
    return { ...check, status: 'ok', message: `${root}, not in a git repository` }
  const where = branch ? `, branch ${branch}` : ', no branch checked out'
  return { ...check, status: 'ok', message: `${root}${where}` }
}
