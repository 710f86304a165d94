/**
 * Runs the benches: `npm run bench [NAME...]`. A bench is a file `test/bench/NAME.bench.ts` that exports
 * `measure(): Promise<Measurement[]>`. Each runs in a process of its own, one after the other, against a fresh build.
 * Numbers are printed, never judged.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Measurement } from '../test/support/measurement.ts'
import { build } from './build.ts'
import { printTable } from './table.ts'

const repository = resolve(import.meta.dirname, '..')

if (import.meta.main) await runBenches(process.argv.slice(2))

async function runBenches(names: readonly string[]): Promise<void> {
  await build(repository)
  const files = globSync('test/bench/*.bench.ts', { cwd: repository }).sort()
  const chosen = files.filter(file => names.length === 0 || names.includes(nameOf(file)))
  const load = loadavg()
    .map(each => each.toFixed(1))
    .join(' ')
  process.stdout.write(`Node ${process.versions.node}, ${availableParallelism()} cores, load ${load}\n`)
  if (chosen.length === 0)
    process.stdout.write(`no bench of that name; there are: ${files.map(nameOf).join(', ')}\n`)
  for (const file of chosen) runBench(file)
}

function nameOf(file: string): string {
  return basename(file, '.bench.ts')
}

function runBench(file: string): void {
  process.stdout.write(`\n${nameOf(file)}\n`)
  const program = `import { measure } from ${JSON.stringify(pathToFileURL(resolve(repository, file)).href)}
    import { printMeasurements } from ${JSON.stringify(import.meta.url)}
    printMeasurements(await measure())`
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', './scripts/run-tsx.ts', '--input-type=module', '--eval', program],
    { cwd: repository, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0) process.exitCode = 1
}

export function printMeasurements(measurements: readonly Measurement[]): void {
  printTable(
    measurements.map(({ what, value, unit, floor }) => [
      what,
      `${rounded(value)} ${unit}`,
      againstFloor(value, floor),
    ]),
  )
}

function againstFloor(value: number, floor: Measurement['floor']): string {
  return floor ? `${(value / floor.value).toFixed(2)} times ${floor.what} (${rounded(floor.value)})` : ''
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
