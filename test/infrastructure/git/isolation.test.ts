import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { makeRepository, userEnvironment, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { applyAll, checkpoint, never, planId, strategyNamed } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** What a person, or whoever started the program, may have set that makes git run something or write elsewhere. */
async function hostileSurroundings() {
  const home = await temporaryFolder()
  const outer = await makeRepository({ files: { 'outer.txt': 'outer\n' } })
  const marker = join(home, 'ran')
  const spy = join(home, 'spy')
  await writeFile(spy, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat > /dev/null\n`, { mode: 0o755 })
  const hooks = join(home, 'hooks')
  const hookNames = 'pre-commit post-commit post-checkout post-index-change reference-transaction'.split(' ')
  await writeFiles(
    hooks,
    Object.fromEntries(hookNames.map(name => [name, { executable: `#!/bin/sh\n${spy}\n` }])),
  )
  const settings = [
    ...[
      'core.fsmonitor',
      'core.editor',
      'core.pager',
      'core.sshCommand',
      'core.askPass',
      'credential.helper',
    ].map(key => [key, spy]),
    ...[
      'gpg.program',
      'diff.external',
      'filter.spy.clean',
      'filter.spy.smudge',
      'uploadpack.packObjectsHook',
    ].map(key => [key, spy]),
    ...['add', 'write-tree', 'update-index', 'cat-file', 'rev-parse'].map(name => [
      `alias.${name}`,
      `!${spy}`,
    ]),
    ['core.hooksPath', hooks],
    ['commit.gpgSign', 'true'],
    ['user.useConfigOnly', 'true'],
    ['core.autocrlf', 'true'],
    ['core.worktree', outer.root],
    ['gc.auto', '1'],
  ]
  const config = settings.map(([key = '', value = '']) => section(key, value)).join('')
  await writeFile(join(home, '.gitconfig'), config)
  await writeFiles(home, { 'attributes/git/attributes': '* filter=spy\n' })
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'attributes'),
    GIT_DIR: join(outer.root, '.git'),
    GIT_WORK_TREE: outer.root,
    GIT_INDEX_FILE: join(outer.root, '.git', 'index'),
    GIT_OBJECT_DIRECTORY: join(outer.root, '.git', 'objects'),
    GIT_EXTERNAL_DIFF: spy,
    GIT_SSH_COMMAND: spy,
    GIT_ASKPASS: spy,
    GIT_EDITOR: spy,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: spy,
    GIT_TRACE: join(home, 'trace'),
    GIT_AUTHOR_NAME: 'Somebody Else',
  }
  return { environment, marker, outer, trace: environment.GIT_TRACE }
}

function section(key: string, value: string): string {
  const parts = key.split('.')
  const [head, last] = [parts.slice(0, -1), parts.at(-1)]
  const title = head.length > 1 ? `${head[0]} "${head.slice(1).join('.')}"` : head[0]
  return `[${title}]\n\t${last} = ${JSON.stringify(value)}\n`
}

interface RecordedCall {
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/** A git that writes down how it was called before it does what it was asked. */
async function recordingGit() {
  const bin = await temporaryFolder()
  const calls = join(bin, 'calls')
  await mkdir(calls)
  const script = `#!/bin/sh
call=$(mktemp ${calls}/XXXXXXXX)
printf '%s\\0' "$@" > "$call.args"
env -0 > "$call.env"
PATH=\${PATH#*:} exec git "$@"
`
  await writeFile(join(bin, 'git'), script, { mode: 0o755 })
  return {
    path: `${bin}:${process.env['PATH']}`,
    async calls(): Promise<RecordedCall[]> {
      const names = (await readdir(calls)).filter(name => name.endsWith('.args'))
      return Promise.all(names.map(name => readCall(join(calls, name.slice(0, -'.args'.length)))))
    },
  }
}

async function readCall(file: string): Promise<RecordedCall> {
  const [args, variables] = await Promise.all([
    readFile(`${file}.args`, 'utf8'),
    readFile(`${file}.env`, 'utf8'),
  ])
  const pairs = variables
    .split('\0')
    .filter(line => line !== '')
    .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
  return { args: args.split('\0').slice(0, -1), variables: Object.fromEntries(pairs) }
}

/** Everything that the program does with a sandbox, on a project that invites git to convert and to sign. */
async function workWith(name: SandboxStrategyName, environment: Record<string, string>): Promise<void> {
  const repository = await makeRepository({
    files: { '.gitattributes': '*.txt filter=spy text=auto\n', 'a.txt': 'a\n', '.gitignore': '*.log\n' },
  })
  await writeFiles(repository.root, { 'dirty.txt': 'dirty\n' })
  const strategy = await strategyNamed(name, environment)
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: repository.root }, never))
  await writeFiles(sandbox.root, { 'a.txt': 'changed\n', 'b.txt': 'new\n' })
  const state = await checkpoint(sandbox)
  await writeFiles(sandbox.root, { 'a.txt': 'named\n' })
  const named = expectOk(await sandbox.checkpoint('named', ['a.txt'] as never))
  const about = { scope: { kind: 'all' }, since: '2026-01-01T00:00:00Z' } as const
  expectOk(await sandbox.drift(named, []))
  expectOk(await sandbox.previewRestore(sandbox.baseline, about))
  expectOk(await sandbox.restore(sandbox.baseline))
  expectOk(await sandbox.restore(state))
  expectOk(await sandbox.changes(sandbox.baseline, state))
  expectOk(await sandbox.patch(sandbox.baseline, state))
  expect(await applyAll(sandbox)).toMatchObject({ outcome: 'applied', written: ['a.txt', 'b.txt'] })
  await sandbox.close()
  await strategy.release(planId)
  await strategy.discard(planId)
}

/** What a call in which the person's own settings count may ask; each only answers. */
const QUESTIONS = new Set([
  'rev-parse',
  'rev-list',
  'symbolic-ref',
  'config',
  'check-attr',
  'for-each-ref',
  'ls-files',
  'version',
])

/** The variables of git that may reach it. */
const KNOWN = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_ATTR_NOSYSTEM',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMON_DIR',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_LFS_SKIP_SMUDGE',
  'GIT_OPTIONAL_LOCKS',
  'GIT_TERMINAL_PROMPT',
  'GIT_WORK_TREE',
]

describe.each(['git_worktree', 'filesystem_copy'] as const)('under hostile settings, %s', name => {
  test('starts git only isolated, or with a question; nothing that is configured runs', async () => {
    const surroundings = await hostileSurroundings()
    const git = await recordingGit()
    const before = await stat(join(surroundings.outer.root, '.git', 'index'), { bigint: true })

    await workWith(name, { ...surroundings.environment, PATH: git.path })

    const calls = await git.calls()
    expect(calls.length).toBeGreaterThan(5)
    for (const { args, variables } of calls) {
      expect(Object.keys(variables).filter(key => key.startsWith('GIT_') && !KNOWN.includes(key))).toEqual([])
      for (const setting of [
        'core.hooksPath=/dev/null',
        'core.fsmonitor=false',
        'commit.gpgSign=false',
        'gc.auto=0',
      ])
        expect(args).toContain(setting)
      expect(args.join(' ')).not.toContain('safe.directory')
      expect(variables).toMatchObject({
        GIT_AUTHOR_NAME: 'CleverAgents',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
      })
      if (variables['GIT_CONFIG_GLOBAL'] === '/dev/null') continue
      expect(QUESTIONS).toContain(subcommandOf(args))
    }
    await expect(stat(surroundings.marker)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(stat(surroundings.trace)).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await stat(join(surroundings.outer.root, '.git', 'index'), { bigint: true })).mtimeNs).toBe(
      before.mtimeNs,
    )
  })
})

test('a repository of another user is refused with the owner and what to do, and never trusted by itself', async context => {
  if (process.getuid?.() !== 0) return context.skip('only root can give a folder to another user')
  const repository = await makeRepository()
  await chown(repository.root, 65_534, 65_534)
  await chown(join(repository.root, '.git'), 65_534, 65_534)
  const strategy = await strategyNamed('git_worktree', {
    ...userEnvironment(),
    HOME: await temporaryFolder(),
  })

  const refused = await strategy.open({ planId, projectRoot: repository.root }, never)

  expect(refused).toMatchObject({ ok: false, failure: { code: 'sandbox_failed' } })
  if (refused.ok) throw new Error('it was opened')
  expect(refused.failure.message).toContain('safe.directory')
  expect(refused.failure.message).toContain('belongs to')
})

function subcommandOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '-c') at += 1
    else if (!args[at]?.startsWith('-')) return args[at] ?? ''
  }
  return ''
}
