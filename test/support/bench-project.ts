import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { type RelPath, relPathFromBytes } from '../../src/domain/sandbox/rel-path.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import type { Measurement } from './measurement.ts'
import { expectOk } from './result.ts'

export interface BenchProject {
  /** For whatever the bench needs beside the project. */
  readonly folder: string
  readonly projectRoot: string
  readonly files: number
}

/** Files in a project; a hundred thousand take minutes to make, so they are measured on request only. */
const SIZES = (process.env['BENCH_FILES'] ?? '1000,10000').split(',').map(Number)

/** The rows of a repository of each size, which has lived for a while. */
export async function measureProjects(
  measure: (project: BenchProject) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const files of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'))
    try {
      rows.push(...(await measure({ folder, files, projectRoot: makeProject(folder, files) })))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}

function makeProject(folder: string, files: number): string {
  const root = join(folder, 'project')
  writeSome(root, files, number => `file ${number}\n`.repeat(200))
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Start')
  git(root, 'repack', '-adq')
  return root
}

/** The first files of a project, with other contents. */
export function writeSome(root: string, count: number, textOf: (number: number) => string): void {
  for (let number = 0; number < count; number++) {
    const place = join(root, folderOf(number))
    if (number % FILES_IN_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, nameOf(number)), textOf(number))
  }
}

export function pathOf(number: number): RelPath {
  return expectOk(relPathFromBytes(Buffer.from(`${folderOf(number)}/${nameOf(number)}`)))
}

const FILES_IN_FOLDER = 12

function folderOf(number: number): string {
  return `d${Math.floor(number / FILES_IN_FOLDER)}`
}

function nameOf(number: number): string {
  return `f${number % FILES_IN_FOLDER}.txt`
}

/** A plan of its own for each number. */
export function benchPlan(number: number): PlanId {
  return asId<PlanId>(`01JZZZZZZZZZZZZZZZZZZZZZZ${number}`)
}

export function benchSandboxes(folder: string) {
  const host = createHost({ pid: process.pid, dataDir: folder })
  return createSandboxes({ stateDir: join(folder, 'state'), environment: process.env, host })
}

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function git(cwd: string, ...args: string[]): void {
  const { status } = spawnSync('git', args, { cwd })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed`)
}
