import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { patchOf, startBench, whereabouts } from '../support/purpose-made.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TWO_COMMANDS = `
recipe:
  execute:
    - tool: {name: builtin/run_command, with: {command: echo one > one}}
    - tool: {name: builtin/run_command, with: {command: echo two > two}}
`

/** A PATH on which there is everything a plan needs but bubblewrap. */
async function pathWithoutBubblewrap(): Promise<string> {
  const folder = await temporaryFolder()
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const program of ['git', 'sh', 'env', 'grep', 'cp', 'setpriv']) {
    const found = folders.map(each => join(each, program)).find(existsSync)
    if (found) await symlink(found, join(folder, program))
  }
  return folder
}

async function benchWithout(flags: Record<string, string> = {}) {
  const bench = await startBench(undefined, { path: await pathWithoutBubblewrap(), flags })
  await bench.action('local/two', TWO_COMMANDS)
  return bench
}

describe('where commands cannot be confined', () => {
  it('a person is asked once for all commands of the plan', async () => {
    const bench = await benchWithout()
    const asked = await bench.start('local/two', 'supervised')
    const before = await bench.approve(asked)
    expect(before.gates[0]).toMatchObject({
      kind: 'tool',
      question: 'Commands of this plan cannot be confined. Run them?',
      reason: expect.stringContaining('bwrap missing'),
    })
    const plan = await bench.approve(before)
    expect(whereabouts(plan)).toContain('phase select_tool')
    expect(plan.confinement).toBe('none')
    expect(await patchOf(bench, plan)).toMatch(/\+one[\s\S]*\+two/)
    expect(plan.notices.join()).toContain('NONE')
  })

  it('nothing runs when the person refuses', async () => {
    const bench = await benchWithout()
    const asked = await bench.start('local/two', 'supervised')
    const before = await bench.approve(asked)
    const plan = await bench.reject(before)
    expect(whereabouts(plan)).toContain('error')
    expect(await patchOf(bench, plan)).toBe('')
  })

  it('nothing runs under a profile that asks nobody, and the plan says what to do', async () => {
    const bench = await benchWithout()
    const plan = await bench.start('local/two', 'auto')
    expect(whereabouts(plan)).toContain('error')
    expect(JSON.stringify(plan.gates)).toContain('agents config set sandbox.confinement off')
  })

  it('the plan says once that a Python environment leads to the one of the project', async () => {
    const bench = await benchWithout({ 'sandbox.confinement': 'off' })
    await bench.repository.write({ '.gitignore': '.venv\n', '.venv/pyvenv.cfg': 'home = /usr/bin\n' })
    const plan = await bench.start('local/two', 'auto')
    const told = plan.notices.filter(notice => notice.includes('Absolute paths in .venv'))
    expect(told).toHaveLength(1)
  })

  it('they run unasked where the setting switches confinement off', async () => {
    const bench = await benchWithout({ 'sandbox.confinement': 'off' })
    const plan = await bench.start('local/two', 'auto')
    expect(plan.confinement).toBe('none')
    expect(await patchOf(bench, plan)).toMatch(/\+one[\s\S]*\+two/)
  })
})
