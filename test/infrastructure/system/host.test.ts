import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createHost } from '../../../src/infrastructure/system/host.ts'
import { identify } from '../../../src/infrastructure/system/process-identity.ts'
import { eventually } from '../../support/wait-for.ts'

test('a host knows its own process, and that it lives', () => {
  const host = createHost({ pid: process.pid, dataDir: '/data' })
  expect(host.process).toEqual(createHost({ pid: process.pid, dataDir: '/data' }).process)
  expect(host.isAlive(host.process)).toBe(true)
  expect(host.user).not.toBe('')
})

test('a process is dead when it ended, and when another one has its id', async () => {
  const host = createHost({ pid: process.pid, dataDir: '/data' })
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  const identity = identify(child.pid ?? 0)
  if (!identity) throw new Error('no identity')
  expect(host.isAlive(identity)).toBe(true)
  expect(host.isAlive({ ...identity, startedAt: 'earlier' })).toBe(false)
  child.kill()
  await once(child, 'exit')
  expect(host.isAlive(identity)).toBe(false)
})

test.runIf(existsSync('/proc/self/stat'))('a process that ended and was not waited for is dead', async () => {
  // A background command has no standard input of its own, so it reads a copy.
  // The shell becomes `sleep`, which never asks what became of the child it inherits.
  const script = 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 60'
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [chunk] = await once(parent.stdout, 'data')
  const pid = Number(String(chunk))
  await eventually(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'))
  expect(identify(pid)).not.toBeNull()
  parent.stdin.end()
  await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '))
  expect(identify(pid)).toBeNull()
})
