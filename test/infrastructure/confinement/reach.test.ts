import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeConfinement } from '../../../src/infrastructure/confinement/probe-confinement.ts'
import { createSandboxes } from '../../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../../src/infrastructure/system/host.ts'
import { runCommandTool } from '../../../src/infrastructure/tools/run-command.ts'
import { toolContext } from '../../contracts/tool.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { folderForHome } from '../../support/home.ts'
import { repositoryAt, userEnvironment, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { never, planId } from '../../support/sandbox.ts'

const isRoot = process.getuid?.() === 0

/** Takes rights that a command of root has lost, confined or not. */
const unlessRoot = isRoot ? 'denied' : 'got it'

/**
 * What a hostile command of a plan tries: what it is, a command line that ends well where it succeeds, what comes of it
 * confined, and what comes of it where nothing confines it. The last column is what the warning stands for.
 */
const attempts = [
  ['write into the sandbox', 'echo x > made', 'got it', 'got it'],
  [
    'write into a temporary folder',
    'echo x > /tmp/reach-$TEST_PID && rm /tmp/reach-$TEST_PID',
    'got it',
    'got it',
  ],
  [
    'look at the history',
    'git log -1 --format=%s && git status --short && git diff --stat',
    'got it',
    'got it',
  ],
  ['write at the path of the project', 'echo x > $PROJECT/user.txt', 'got it', 'got it'],
  ['write through a link to the project', 'echo x > to-project/link.txt', 'got it', 'got it'],
  ['write into a home folder', 'echo x > $REAL_HOME/made', 'got it', 'got it'],
  [
    'plant a hook',
    'mkdir -p $PROJECT/.git/hooks && echo x > $PROJECT/.git/hooks/pre-commit',
    'denied',
    'got it',
  ],
  ['change the settings of git', 'echo "# x" >> $PROJECT/.git/config', 'denied', 'got it'],
  ['move a branch', 'echo x > $PROJECT/.git/refs/heads/evil', 'denied', 'got it'],
  ['turn its .git elsewhere', 'mv .git .gone && mv .gone .git', 'denied', 'got it'],
  [
    'write into the system',
    'for p in / /etc /usr /var/lib; do touch $p/reach 2>/dev/null && rm $p/reach && exit; done; false',
    'denied',
    isRoot ? 'got it' : 'denied',
  ],
  ['link a file of the user', 'ln $REAL_HOME/notes.txt hard', 'denied', 'got it'],
  ['read a key', 'grep secret $REAL_HOME/.ssh/id', 'denied', 'got it'],
  ['read a key through a link', 'grep secret to-key', 'denied', 'got it'],
  ['read a login of a cloud', 'grep secret $REAL_HOME/.aws/credentials', 'denied', 'got it'],
  ['read a login in a tool folder', 'grep secret $REAL_HOME/.cargo/credentials.toml', 'denied', 'got it'],
  ['read .netrc', 'grep secret $REAL_HOME/.netrc', 'denied', 'got it'],
  ['read what was typed', 'grep secret $REAL_HOME/.bash_history', 'denied', 'got it'],
  ['read other work of the user', 'grep secret $REAL_HOME/notes.txt', 'denied', 'got it'],
  ['read our data', 'grep secret $DATA/store.db', 'denied', 'got it'],
  ['read our settings', 'grep secret $REAL_HOME/.config/cleveragents/config.yaml', 'denied', 'got it'],
  ['read another plan', 'grep -r secret $DATA/plans', 'denied', 'got it'],
  [
    'read the tokens it was started with',
    'tr "\\0" "\\n" < /proc/self/environ | grep top-secret',
    'denied',
    'denied',
  ],
  [
    'read the tokens of another process',
    'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -a top-secret',
    'denied',
    unlessRoot,
  ],
  ['talk to a service of this machine', 'bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"', 'denied', 'got it'],
  ['talk to a socket in the home folder', 'node -e "$CONNECT" $REAL_HOME/daemon.sock', 'denied', 'got it'],
  ['talk to a socket in a tool folder', 'node -e "$CONNECT" $REAL_HOME/.nvm/n.sock', 'denied', 'got it'],
  ['talk to a socket elsewhere', 'node -e "$CONNECT" $ELSEWHERE/daemon.sock', 'denied', 'got it'],
  ['see a process of this machine', 'grep -qa node /proc/$TEST_PID/cmdline', 'denied', 'got it'],
  ['signal a process of this machine', 'kill -0 $TEST_PID', 'denied', 'got it'],
  ['look into the memory of a process', 'head -c 0 /proc/$TEST_PID/mem', 'denied', unlessRoot],
  ['find the sockets of daemons', 'ls -A /run | grep -v agents-git', 'denied', 'got it'],
  ['find what others left in /tmp', 'ls -d $LEFT', 'denied', 'got it'],
  ['make a namespace in which it is root', 'unshare -Ur true', 'denied', unlessRoot],
] as const

const CONNECT = `
  const socket = require('node:net').connect(process.argv[1])
  socket.on('connect', () => process.exit(0)).on('error', () => process.exit(1))`

const probe = await probeConfinement(process.env['PATH'] ?? '')

let base = ''
let left = ''
let root = ''
const servers: Server[] = []
let neighbour: ChildProcess

beforeAll(async () => {
  base = await folderForHome()
  left = join('/tmp', `reach-left-${process.pid}`)
  await mkdir(left)
  await writeFiles(base, {
    'home/notes.txt': 'secret\n',
    'home/.ssh/id': 'secret\n',
    'home/.nvm/nvm.sh': '',
    'home/.aws/credentials': 'secret\n',
    'home/.cargo/credentials.toml': 'secret\n',
    'home/.netrc': 'secret\n',
    'home/.bash_history': 'secret\n',
    'home/.config/cleveragents/config.yaml': 'secret\n',
    'home/.local/share/cleveragents/store.db': 'secret\n',
    'home/.local/share/cleveragents/plans/other/notes': 'secret\n',
    'home/work/app/user.txt': 'mine\n',
    'elsewhere/readme': '',
  })
  const project = repositoryAt(join(base, 'home/work/app'))
  await symlink(join(base, 'home/.ssh/id'), join(project.root, 'to-key'))
  await symlink(project.root, join(project.root, 'to-project'))
  await project.git('init', '-q', '-b', 'main')
  await project.git('add', '-A')
  await project.git('commit', '-q', '-m', 'Start')
  const stateDir = join(base, 'home/.local/share/cleveragents')
  const host = createHost({ pid: process.pid, dataDir: stateDir })
  const strategy = createSandboxes({ stateDir, environment: userEnvironment(), host }).strategy(
    'git_worktree',
  )
  root = expectOk(await expectOk(strategy).open({ planId, projectRoot: project.root }, never)).root
  for (const at of [
    0,
    join(base, 'home/daemon.sock'),
    join(base, 'home/.nvm/n.sock'),
    join(base, 'elsewhere/daemon.sock'),
  ]) {
    const server = createServer().listen(at)
    await once(server, 'listening')
    servers.push(server)
  }
  neighbour = spawn('sleep', ['60'], { env: { NEIGHBOUR_TOKEN: 'top-secret' } })
})

afterAll(async () => {
  neighbour.kill()
  for (const server of servers) server.close()
  await rm(base, { recursive: true, force: true })
  await rm(left, { recursive: true, force: true })
})

/** All attempts in one command, one after the other: what came of each. */
async function tryAll(mode: 'required' | 'off'): Promise<readonly string[]> {
  const home = join(base, 'home')
  const address = servers[0]?.address()
  const tool = runCommandTool({
    keyVariables: () => [],
    environment: {
      PATH: process.env['PATH'],
      HOME: home,
      MY_TOKEN: 'top-secret',
      REAL_HOME: home,
      PROJECT: join(home, 'work/app'),
      DATA: join(home, '.local/share/cleveragents'),
      ELSEWHERE: join(base, 'elsewhere'),
      LEFT: left,
      PORT: String(typeof address === 'object' && address ? address.port : 0),
      TEST_PID: String(process.pid),
      CONNECT,
    },
    confinement: {
      mode,
      home,
      homeVisible: [],
      own: [join(home, '.local/share/cleveragents'), join(home, '.config/cleveragents')],
    },
    probe: async () => probe,
    defaultTimeoutSeconds: 60,
  })
  const tries = attempts.map(([, command]) => `( ${command} ) >/dev/null 2>&1 && echo got it || echo denied`)
  const context = toolContext(root, {
    projectRoot: join(home, 'work/app'),
    outputFolder: join(home, '.local/share/cleveragents/plans/output'),
  })
  const { output } = expectOk(await tool.run({ command: tries.join('\n') }, context))
  return String(output['stdout']).trimEnd().split('\n')
}

describe.runIf(probe.ok)('what a command of a plan reaches', () => {
  let confined: readonly string[] = []
  let open: readonly string[] = []
  let before = {}
  let after = {}

  beforeAll(async () => {
    // The sandbox itself lies below the plans.
    const look = () => snapshotFolder(base, { except: ['plans'] })
    before = await look()
    confined = await tryAll('required')
    after = await look()
    open = await tryAll('off')
  })

  it.each(attempts.map(([what, , inside, outside], i) => ({ i, what, inside, outside })))(
    'when it tries to $what: $inside, and $outside without confinement',
    ({ i, inside, outside }) => {
      expect({ inside: confined[i], outside: open[i] }).toEqual({ inside, outside })
    },
  )

  it('is the sandbox alone, whatever it seemed to write', () => {
    expect(after).toEqual(before)
  })
})
