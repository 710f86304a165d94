import { spawnSync } from 'node:child_process'
import { type Measurement, percentile } from '../support/measurement.ts'

/** What a person waits for before anything of ours has run: the version, against Node doing nothing. */
export async function measure(): Promise<Measurement[]> {
  const bare: number[] = []
  const version: number[] = []
  for (let turn = 0; turn < 15; turn++) {
    bare.push(timeOf(['--eval', '']))
    version.push(timeOf(['dist/agents.mjs', '--version']))
  }
  return [0.5, 0.95].map(part => ({
    what: `agents --version, p${part * 100}`,
    value: percentile(version, part),
    unit: 'ms',
    floor: { what: 'bare node', value: percentile(bare, part) },
  }))
}

function timeOf(args: readonly string[]): number {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - start
}
