import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ProcessSpec, runProcess } from '../../../src/infrastructure/system/run-process.ts'
import { eventually } from '../../support/wait-for.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function shell(command: string, more: Partial<ProcessSpec> = {}) {
  return runProcess({
    argv: ['/bin/sh', '-c', command],
    cwd: folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 60_000,
    graceMs: 200,
    signal: new AbortController().signal,
    outputFile: join(folder, 'out.log'),
    ...more,
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process that nobody has collected yet is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function pidFrom(file: string): Promise<number> {
  const path = join(folder, file)
  return eventually(() => {
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^\d+\n$/)
    return Number(text)
  })
}

describe('runProcess', () => {
  it('reports the exit code and both streams', async () => {
    const report = await shell('echo out; echo err >&2; exit 3')
    expect(report.end).toEqual({ kind: 'exited', code: 3 })
    expect(report.stdout).toEqual({ head: 'out\n', tail: '', bytes: 4, omittedBytes: 0 })
    expect(report.stderr.head).toBe('err\n')
    expect(readFileSync(join(folder, 'out.log'), 'utf8').split('\n').sort()).toEqual(['', 'err', 'out'])
  })

  it('reports the signal that ended the command', async () => {
    expect((await shell('kill -SEGV $$')).end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
  })

  it('gives the command the environment it was handed and nothing of its own', async () => {
    const report = await shell('env', { environment: { PATH: process.env['PATH'] ?? '', ONE: '1' } })
    const names = report.stdout.head.split('\n').map(line => line.split('=')[0])
    expect(names.filter(name => name && !['PWD', 'OLDPWD', '_', 'SHLVL'].includes(name)).sort()).toEqual([
      'CLEVERAGENTS_RUN',
      'ONE',
      'PATH',
    ])
  })

  it('makes no file for a command that prints nothing', async () => {
    const report = await shell('true')
    expect(report.kept).toEqual({ path: null, cut: 'no' })
    expect(existsSync(join(folder, 'out.log'))).toBe(false)
  })

  it('keeps memory bounded while a command prints 100 MB, and all of it in a file up to the cap', async () => {
    const before = process.memoryUsage().rss
    const report = await shell('head -c 104857600 /dev/zero | tr "\\0" x', { maxFileBytes: 10_000_000 })
    expect(report.stdout.bytes).toBe(104_857_600)
    expect(report.stdout.head.length + report.stdout.tail.length + report.stdout.omittedBytes).toBe(
      104_857_600,
    )
    expect(report.stdout.tail).toHaveLength(48 * 1024)
    expect(report.kept.cut).toBe('too_long')
    expect(statSync(join(folder, 'out.log')).size).toBeLessThan(10_000_200)
    expect(process.memoryUsage().rss - before).toBeLessThan(90_000_000)
  })

  it('goes on when the output cannot be kept', async () => {
    const report = await shell('echo hello', { outputFile: '/dev/full' })
    expect(report.end).toEqual({ kind: 'exited', code: 0 })
    expect(report.kept.cut).toBe('cannot_write')
    expect(report.stdout.head).toBe('hello\n')
  })

  it('passes on live text without breaking a character in two', async () => {
    const texts: string[] = []
    await shell("printf '\\303'; sleep 0.2; printf '\\251!'", { onOutput: text => texts.push(text) })
    expect(texts.join('')).toBe('é!')
  })

  it('stops the whole group when its time is over', async () => {
    const report = shell('sleep 300 & echo $! > child; wait', { timeoutMs: 3_000 })
    const child = await pidFrom('child')
    expect((await report).end).toEqual({ kind: 'timed_out' })
    await eventually(() => expect(isAlive(child)).toBe(false))
  })

  it('lets a command clean up before it is killed', async () => {
    const controller = new AbortController()
    const report = shell('trap "echo bye; exit 0" TERM; echo $$ > ready; while :; do sleep 0.05; done', {
      signal: controller.signal,
      graceMs: 20_000,
    })
    await pidFrom('ready')
    controller.abort()
    expect((await report).end).toEqual({ kind: 'aborted' })
    expect((await report).stdout.head).toBe('bye\n')
  })

  it('kills a command that ignores the polite signal', async () => {
    const controller = new AbortController()
    const report = shell('trap "" TERM; echo $$ > ready; while :; do sleep 0.05; done', {
      signal: controller.signal,
    })
    const pid = await pidFrom('ready')
    controller.abort()
    expect((await report).end).toEqual({ kind: 'aborted' })
    await eventually(() => expect(isAlive(pid)).toBe(false))
  })

  it('starts nothing when it is already aborted', async () => {
    const report = await shell('touch started', { signal: AbortSignal.abort() })
    expect(report.end).toEqual({ kind: 'aborted' })
    expect(existsSync(join(folder, 'started'))).toBe(false)
  })

  it('ends with its command although a grandchild holds the pipe open, and kills the grandchild', async () => {
    const report = await shell('sleep 300 & echo $! > child; echo done')
    expect(report.stdout.head).toBe('done\n')
    const child = await pidFrom('child')
    await eventually(() => expect(isAlive(child)).toBe(false))
  })

  it.runIf(process.platform === 'linux')('kills a grandchild that started its own session', async () => {
    const report = await shell(
      'setsid sh -c "echo \\$\\$ > child; exec sleep 300" & while ! [ -s child ]; do sleep 0.05; done',
    )
    expect(report.end).toEqual({ kind: 'exited', code: 0 })
    const child = await pidFrom('child')
    await eventually(() => expect(isAlive(child)).toBe(false))
  })

  it('leaves no process when its owner is killed hard', async () => {
    const script = `
      import { runProcess } from ${JSON.stringify(join(process.cwd(), 'src/infrastructure/system/run-process.ts'))}
      await runProcess({ argv: ['/bin/sh', '-c', ${JSON.stringify(
        'echo $$ > direct; setsid sh -c "echo \\$\\$ > escaped; exec sleep 300" & trap "" TERM; sleep 300 & echo $! > child; wait',
      )}], cwd: ${JSON.stringify(folder)}, environment: process.env, timeoutMs: 1e6,
        signal: new AbortController().signal, outputFile: ${JSON.stringify(join(folder, 'out.log'))} })`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    const pids = await Promise.all(['direct', 'child', 'escaped'].map(pidFrom))
    expect(pids.map(isAlive)).toEqual([true, true, true])
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await eventually(() => expect(pids.map(isAlive)).toEqual([false, false, false]))
  })
})
