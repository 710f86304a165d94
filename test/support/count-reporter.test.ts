import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from './repository.ts'
import { temporaryFolder } from './temporary-folder.ts'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

describe('the last line of a test run', () => {
  it('counts what passed', async () => {
    const run = await runTests({ 'a.test.ts': "it('a', () => {})\nit('b', () => {})" })
    expect(run).toEqual({ status: 0, lastLine: '2 passed, 0 failed' })
  })

  it('counts what failed and what was skipped', async () => {
    const run = await runTests({
      'a.test.ts': "it('a', () => {})\nit('b', () => { throw new Error('b') })\nit.skip('c', () => {})",
    })
    expect(run).toEqual({ status: 1, lastLine: '1 passed, 1 failed, 1 skipped' })
  })

  it('counts a file that cannot be loaded, and an error outside every test', async () => {
    const run = await runTests({
      'a.test.ts': "import './missing.ts'",
      'b.test.ts': "it('b', () => { void Promise.reject(new Error('nobody waits')) })",
    })
    expect(run).toEqual({ status: 1, lastLine: '1 passed, 2 failed' })
  })
})

async function runTests(files: Record<string, string>) {
  const root = await temporaryFolder()
  await writeFiles(root, files)
  const args = ['run', '--root', root, '--globals', '--reporter', 'default']
  const run = spawnSync(
    process.execPath,
    [vitest, ...args, '--reporter', resolve('test/support/count-reporter.ts')],
    {
      encoding: 'utf8',
    },
  )
  return { status: run.status, lastLine: run.stdout.trimEnd().split('\n').at(-1) }
}
