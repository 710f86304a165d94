import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../scripts/build.ts'
import { describeWire } from '../contracts/wire.ts'
import { testCache } from '../support/bundled-program.ts'
import { makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { clientOfProcess } from '../support/wire-drivers.ts'

describe('over the standard streams of agents serve', () => {
  let built = ''
  // Built once for all: from its sources the program takes four times as long to start.
  beforeAll(async () => {
    await mkdir(testCache, { recursive: true })
    built = await mkdtemp(join(testCache, 'built-'))
    await build(process.cwd(), built)
  })
  afterAll(() => rm(built, { recursive: true, force: true }))

  describeWire(async () => {
    const repository = await makeRepository({ files: { 'a.txt': 'the colour is a colour\n' } })
    const dataDir = await temporaryFolder()
    const client = clientOfProcess(
      [process.execPath, join(built, 'agents.mjs'), 'serve', '--stdio', '--data-dir', dataDir],
      { ...process.env, XDG_CACHE_HOME: built },
    )
    return { client, folder: repository.root }
  })
})

test('a line that is no frame ends the connection and is quoted', async () => {
  const client = clientOfProcess([
    process.execPath,
    '-e',
    'console.log("Hello from a package"); setTimeout(() => {}, 60000)',
  ])

  expect(await client.closed).toContain('Hello from a package')
})

test('an exit refuses everything that waits and says how it ended', async () => {
  const program = 'process.stdin.once("data", () => { console.error("out of luck"); process.exit(3) })'
  const client = clientOfProcess([process.execPath, '-e', program])

  const answers = await Promise.all([
    client.call('_cleveragents/health/check', {}),
    client.call('_cleveragents/plan/list', {}),
  ])

  for (const answer of answers)
    expect(answer).toMatchObject({
      failure: { errorType: 'connection_lost', message: expect.stringMatching(/ended with 3.*out of luck/) },
    })
})

test('a program that does not exist is said so', async () => {
  expect(await clientOfProcess(['/no/such/program']).closed).toContain('could not be started')
})

test('a backend that does not go when asked is made to', async () => {
  const client = clientOfProcess([
    process.execPath,
    '-e',
    'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)',
  ])

  await client.close()

  expect(await client.closed).toMatch(/ended by SIGKILL|closed/)
})
