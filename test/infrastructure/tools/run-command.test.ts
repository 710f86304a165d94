import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toolSandbox } from './tool-sandbox.ts'

it('gives exit code and output; a code other than 0 is an outcome', async () => {
  const { use } = await toolSandbox({ 'sub/a.txt': 'x' })
  const outcome = await use('run_command', { command: 'ls; echo no >&2; exit 4', cwd: 'sub' })
  expect(outcome).toMatchObject({
    output: { exit_code: 4, stdout: 'a.txt\n', stderr: 'no\n', truncated: false },
    summary: 'exit code 4',
    read: 'unknown',
    written: 'unknown',
  })
})

it('keeps the whole output in a file and gives beginning and end', async () => {
  const { use, root } = await toolSandbox({})
  const { output } = await use('run_command', { command: 'seq 1 50000' })
  const stdout = String(output['stdout'])
  expect(output).toMatchObject({ truncated: true })
  expect(stdout).toMatch(/^1\n2\n[\d\n]*\n\[\d+ bytes left out here\]\n[\d\n]*\n50000\n$/)
  expect(await readFile(join(`${root}-output`, 'step.log'), 'utf8')).toMatch(
    /^1\n[\d\n]*\n25000\n[\d\n]*\n50000\n$/,
  )
})

it('stops a command whose time is over and tells what it printed last', async () => {
  const { run } = await toolSandbox({})
  const result = await run('run_command', { command: 'echo begun; sleep 600', timeout_seconds: 3 })
  expect(result).toMatchObject({ ok: false, failure: { code: 'step_failed', facts: { stdout: 'begun\n' } } })
})

it.each([
  ['a folder that is not there', { cwd: 'none' }, 'not_found'],
  ['a file as a folder', { cwd: 'a.txt' }, 'invalid_input'],
  ['a folder behind a link', { cwd: 'link' }, 'invalid_input'],
  ['no time at all', { timeout_seconds: 0 }, 'invalid_input'],
])('refuses %s', async (_, input, code) => {
  const { run } = await toolSandbox({ 'a.txt': '', link: { link: '/' } })
  expect(await run('run_command', { command: 'true', ...input })).toMatchObject({
    ok: false,
    failure: { code },
  })
})

it('is not shown tokens of the environment it was started from', async () => {
  const { use } = await toolSandbox({})
  const { output } = await use('run_command', { command: 'env' })
  expect(output['stdout']).not.toMatch(/TOKEN|SECRET|GIT_DIR/)
})
