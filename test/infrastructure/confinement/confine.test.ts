import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { confinementNotice } from '../../../src/infrastructure/confinement/confine.ts'
import { probeConfinement } from '../../../src/infrastructure/confinement/probe-confinement.ts'
import { type CommandSurroundings, runCommandTool } from '../../../src/infrastructure/tools/run-command.ts'
import { toolContext } from '../../contracts/tool.ts'
import { makeRepository, repositoryAt } from '../../support/repository.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { eventually } from '../../support/wait-for.ts'
import { commandSurroundings } from '../tools/command-surroundings.ts'

const path = process.env['PATH'] ?? ''
const probe = await probeConfinement(path)
const isRoot = process.getuid?.() === 0

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'sandbox/sub'), { recursive: true })
  await mkdir(join(folder, 'project'))
  await writeFile(join(folder, 'project/user.txt'), 'mine\n')
})

async function run(
  command: string,
  more: Partial<CommandSurroundings> = {},
  access: 'read_write' | 'read_only' = 'read_write',
  cwd?: string,
) {
  const tool = runCommandTool(commandSurroundings(more))
  const context = toolContext(join(folder, 'sandbox'), {
    projectRoot: join(folder, 'project'),
    outputFolder: join(folder, 'output'),
    access,
  })
  return tool.run({ command, ...(cwd && { cwd }) }, context)
}

async function outputOf(...parameters: Parameters<typeof run>) {
  const result = await run(...parameters)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value.output as { exit_code: number; stdout: string; stderr: string; confined: boolean }
}

function countProcesses(commandLine: string): number {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === commandLine
    } catch {
      return false
    }
  }).length
}

describe.runIf(probe.ok)('a confined command', () => {
  it('works in the sandbox, which it sees at the path of the project', async () => {
    const project = await realpath(join(folder, 'project'))
    const output = await outputOf(`pwd; echo new > made.txt; echo abs > ${project}/sub/abs.txt; ls`)
    expect(output).toMatchObject({ exit_code: 0, confined: true, stderr: '' })
    expect(output.stdout).toBe(`${project}\nmade.txt\nsub\n`)
    expect(await readFile(join(folder, 'sandbox/sub/abs.txt'), 'utf8')).toBe('abs\n')
    expect(await readFile(join(folder, 'project/user.txt'), 'utf8')).toBe('mine\n')
  })

  it('runs in the folder it was asked to run in', async () => {
    const output = await outputOf('pwd', {}, 'read_write', 'sub')
    expect(output.stdout).toBe(`${join(folder, 'project/sub')}\n`)
  })

  it('cannot write anywhere else', async () => {
    const places = ['/', '/etc', '/usr', '/var/lib'].join(' ')
    const output = await outputOf(
      `for p in ${places}; do touch $p/x-confined 2>/dev/null && echo $p; done; true`,
    )
    expect(output).toMatchObject({ exit_code: 0, stdout: '' })
  })

  it('has a temporary folder of its own', async () => {
    // Programs on the path are shown where they lie, which may be here too.
    const other = basename(await temporaryFolder())
    const output = await outputOf(`ls -A /tmp | grep -cx ${other}; echo x > $TMPDIR/y && cat /tmp/y`)
    expect(output.stdout).toBe('0\nx\n')
  })

  it('reaches no service of this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    // Not our own node: a checkout below the temporary folder is hidden from confined commands, its node with it.
    const command = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo in || echo out`
    expect((await outputOf(command)).stdout).toBe('out\n')
    server.close()
  })

  it('sees no processes but its own', async () => {
    const output = await outputOf(
      `ls -d /proc/${process.pid} 2>/dev/null; kill -0 ${process.pid} 2>/dev/null || echo none`,
    )
    expect(output.stdout).toBe('none\n')
  })

  it('cannot make a namespace of its own', async () => {
    const output = await outputOf('unshare -U true')
    expect(output.exit_code).not.toBe(0)
  })

  it.runIf(isRoot)('has no rights of root and cannot turn the switches of the kernel', async () => {
    const output = await outputOf(
      'grep CapEff /proc/self/status; cat /proc/sys/kernel/printk > /proc/sys/kernel/printk; echo $?',
    )
    expect(output.stdout).toMatch(/^CapEff:\t0000000000000000\n[^0]/)
  })

  it('leaves no process behind when it is stopped', async () => {
    const controller = new AbortController()
    const tool = runCommandTool(commandSurroundings())
    const sleepers: number[] = []
    const seconds = 100_000 + process.pid
    const running = tool.run(
      {
        command: `setsid sleep ${seconds} & while ! grep -qa ^sleep /proc/[0-9]*/cmdline; do sleep 0.05; done; echo ready; sleep ${seconds}`,
      },
      toolContext(join(folder, 'sandbox'), {
        outputFolder: join(folder, 'output'),
        signal: controller.signal,
        onOutput: () => {
          sleepers.push(countProcesses(`sleep\0${seconds}\0`))
          controller.abort()
        },
      }),
    )
    expect(await running).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
    expect(sleepers[0]).toBeGreaterThan(0)
    await eventually(() => expect(countProcesses(`sleep\0${seconds}\0`)).toBe(0))
  })

  it('cannot write in a phase that only reads', async () => {
    const output = await outputOf('touch made.txt || echo refused', {}, 'read_only')
    expect(output.stdout).toBe('refused\n')
  })

  it('can look at the history of a linked worktree but not change it', async () => {
    const { root, git } = await makeRepository({ files: { 'a.txt': 'one\n' } })
    const sandbox = join(folder, 'worktree')
    await git('worktree', 'add', '-q', '--detach', sandbox)
    const tool = runCommandTool(commandSurroundings())
    const context = toolContext(sandbox, { projectRoot: root, outputFolder: join(folder, 'output') })
    const command = `git log --format=%s; echo two >> a.txt; git status --short; git commit -qam no || echo refused; echo x > .git || echo kept`
    const result = await tool.run({ command }, context)
    expect(result).toMatchObject({
      ok: true,
      value: { output: { stdout: 'Start\n M a.txt\nrefused\nkept\n' } },
    })
    expect(await git('status', '--short')).toBe('')
  })

  it('can look at the history of a linked worktree in which it works in place', async () => {
    const { git } = await makeRepository({ files: { 'a.txt': 'one\n' } })
    const worktree = join(folder, 'worktree')
    await git('worktree', 'add', '-q', '--detach', worktree)
    const tool = runCommandTool(commandSurroundings())
    const context = toolContext(worktree, { projectRoot: worktree, outputFolder: join(folder, 'output') })
    const result = await tool.run({ command: 'git log --format=%s' }, context)
    expect(result).toMatchObject({ ok: true, value: { output: { stdout: 'Start\n' } } })
  })

  it('is not shown the folder around the project by a git pointer made in the project itself', async () => {
    const project = join(folder, 'outer/worktrees/project')
    await mkdir(join(folder, 'outer/objects'), { recursive: true })
    await mkdir(project, { recursive: true })
    await writeFile(join(folder, 'outer/HEAD'), 'secret')
    await writeFile(join(project, '.git'), `gitdir: ${project}\n`)
    await writeFile(join(project, 'commondir'), '../..\n')
    await writeFile(join(project, 'gitdir'), `${project}/.git\n`)
    const tool = runCommandTool(commandSurroundings())
    const context = toolContext(project, { projectRoot: project, outputFolder: join(folder, 'output') })
    const result = await tool.run({ command: 'cat /run/agents-git/HEAD 2>/dev/null; true' }, context)
    expect(result).toMatchObject({ ok: true, value: { output: { stdout: '', confined: true } } })
  })

  it("can look at the history of a plan's own sandbox", async () => {
    const upstream = await makeRepository({ files: { 'a.txt': 'one\n' } })
    const root = join(folder, 'borrower')
    await upstream.git('clone', '-q', '--shared', '.', root)
    await writeFile(join(root, 'a.txt'), 'mine\n')
    const sandbox = await openSandbox(repositoryAt(root))
    const tool = runCommandTool(commandSurroundings())
    const context = toolContext(sandbox.root, { projectRoot: root, outputFolder: join(folder, 'output') })
    const command =
      'git log --format=%s; git status --short; git diff --stat HEAD; git fsck; git commit -qam no 2>&1 | grep -c Read-only'
    expect(await tool.run({ command }, context)).toMatchObject({
      ok: true,
      value: { output: { stdout: expect.stringMatching(/^Start\n M a.txt\n a.txt.*1\n$/s), stderr: '' } },
    })
  })

  it('is not shown another folder as git because the sandbox says so', async () => {
    await mkdir(join(folder, 'project/.git'))
    await mkdir(join(folder, 'elsewhere'))
    await writeFile(join(folder, 'elsewhere/secret'), 'secret')
    await writeFile(join(folder, 'sandbox/.git'), `gitdir: ${folder}/elsewhere\n`)
    const output = await outputOf('ls /run/agents-git 2>/dev/null; cat .git')
    expect(output.stdout).toBe(`gitdir: ${folder}/elsewhere\n`)
  })

  it('is not shown another folder by a git folder that a command made in the project itself', async () => {
    const project = join(folder, 'project')
    await mkdir(join(folder, 'elsewhere'))
    await writeFile(join(folder, 'elsewhere/secret'), 'secret')
    await mkdir(join(project, '.git/objects/info'), { recursive: true })
    await writeFile(join(project, '.git/objects/info/alternates'), `${folder}/elsewhere\n`)
    const tool = runCommandTool(commandSurroundings())
    const context = toolContext(project, { projectRoot: project, outputFolder: join(folder, 'output') })
    const result = await tool.run({ command: 'find /run/agents-git -name secret 2>/dev/null' }, context)
    expect(result).toMatchObject({ ok: true, value: { output: { stdout: '', confined: true } } })
  })

  it.runIf(isRoot)('runs as the owner of the project when root started us', async () => {
    await chmod(folder, 0o755)
    for (const name of ['project', 'sandbox', 'sandbox/sub']) await chown(join(folder, name), 1234, 1234)
    const output = await outputOf('id -u; id -G; touch made.txt; stat -c %u made.txt')
    expect(output).toMatchObject({ stdout: '1234\n1234\n1234\n', confined: true })
  })
})

describe('where confinement cannot be had', () => {
  const without: Partial<CommandSurroundings> = {
    probe: async () => ({ ok: false, reason: 'bwrap missing' }),
  }

  it('runs the command in the sandbox and says that it is not confined', async () => {
    const output = await outputOf('pwd', without)
    expect(output).toMatchObject({ stdout: `${join(folder, 'sandbox')}\n`, confined: false })
  })

  it('runs nothing when confinement is required', async () => {
    const confinement = { ...commandSurroundings().confinement, mode: 'required' } as const
    const result = await run('touch made.txt', { ...without, confinement })
    expect(result).toMatchObject({ ok: false, failure: { code: 'preflight_failed' } })
    expect(await outputOf('ls')).toMatchObject({ stdout: 'sub\n' })
  })

  it('runs nothing in a phase that only reads', async () => {
    const result = await run('true', without, 'read_only')
    expect(result).toMatchObject({ ok: false, failure: { code: 'denied' } })
  })

  it.runIf(isRoot)('takes away the rights of root', async () => {
    expect((await outputOf('grep CapEff /proc/self/status', without)).stdout).toBe(
      'CapEff:\t0000000000000000\n',
    )
  })
})

describe('the notice', () => {
  const works = { ok: true, disablesUserNamespaces: true } as const
  it.each([
    ['preferred', works, 'none', 'Confinement: bubblewrap (filesystem + network + processes).'],
    ['preferred', works, 'full', 'Confinement: bubblewrap (filesystem + processes).'],
    [
      'preferred',
      { ok: false, reason: 'bwrap missing' },
      'none',
      'Confinement: NONE. Commands run with your full rights, the network included. Reason: bwrap missing.',
    ],
    [
      'off',
      works,
      'none',
      'Confinement: NONE. Commands run with your full rights, the network included. Reason: switched off by the setting.',
    ],
  ] as const)('for the setting %s and %j with network %s is exact', (mode, found, network, notice) => {
    expect(confinementNotice(mode, found, network)).toBe(notice)
  })

  it('names bubblewrap as missing where it is', async () => {
    const found = await probeConfinement(join(folder, 'project'))
    expect(found).toEqual({ ok: false, reason: 'bwrap missing' })
  })
})
