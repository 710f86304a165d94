import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitEnvironment, quoteObjectsPath } from '../../../src/infrastructure/git/environment.ts'
import { createGit } from '../../../src/infrastructure/git/git.ts'
import { makeRepository, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const git = createGit(userEnvironment())

test('input and output are bytes', async () => {
  const { root } = await makeRepository()
  const content = Buffer.from([0, 255, 10, 13, 0, 128])

  const written = expectOk(await git({ args: ['hash-object', '-w', '--stdin'], cwd: root, stdin: content }))
  const object = written.stdout.toString().trim()
  const read = expectOk(await git({ args: ['cat-file', 'blob', object], cwd: root }))

  expect(read.stdout.equals(content)).toBe(true)
})

test('output can be taken as it comes', async () => {
  const { root } = await makeRepository({ files: { 'big.txt': 'x'.repeat(1_000_000) } })
  let size = 0

  const ran = expectOk(
    await git({
      args: ['cat-file', 'blob', 'HEAD:big.txt'],
      cwd: root,
      onOutput: chunk => {
        size += chunk.length
      },
    }),
  )

  expect(size).toBe(1_000_000)
  expect(ran.stdout.length).toBe(0)
})

test('a failure is a value with what git said; an accepted exit code is an answer', async () => {
  const { root } = await makeRepository()

  const failed = await git({ args: ['cat-file', 'blob', 'missing'], cwd: root })
  const answered = await git({ args: ['symbolic-ref', '--quiet', 'NOTHING'], cwd: root, accept: [1] })

  expect(failed).toMatchObject({
    ok: false,
    failure: { code: 'sandbox_failed', message: expect.stringContaining('Not a valid object name') },
  })
  expect(answered).toMatchObject({ ok: true, value: { code: 1 } })
})

test.for(['No space left on device', 'Disk quota exceeded'])('"%s" is a full disk', async message => {
  const bin = await temporaryFolder()
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho "error: ${message}" >&2\nexit 128\n`, { mode: 0o755 })
  const failing = createGit({ ...userEnvironment(), PATH: bin })

  expect(await failing({ args: ['add'], cwd: bin })).toMatchObject({
    ok: false,
    failure: { code: 'disk_full' },
  })
})

test('a stopped git is interrupted and ends', async () => {
  const bin = await temporaryFolder()
  await writeFile(join(bin, 'git'), '#!/bin/sh\necho started\nexec sleep 600\n', { mode: 0o755 })
  const slow = createGit({ ...userEnvironment(), PATH: `${bin}:${process.env['PATH']}` })
  const stopping = new AbortController()

  const ran = await slow({ args: ['add'], cwd: bin, onOutput: () => stopping.abort() }, stopping.signal)

  expect(ran).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
})

test('nothing of git is inherited, and the settings of the machine and the person are left out', () => {
  const inherited = {
    PATH: '/bin',
    HOME: '/home/ada',
    GIT_DIR: '/other',
    GIT_CONFIG_COUNT: '1',
    git_index_file: 'x',
  }
  const dirs = { gitDir: '/store', workTree: '/tree', indexFile: '/index' }

  const environment = gitEnvironment(inherited, { dirs })

  expect(environment).toMatchObject({
    PATH: '/bin',
    HOME: '/home/ada',
    GIT_DIR: '/store',
    GIT_WORK_TREE: '/tree',
    GIT_INDEX_FILE: '/index',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  })
  expect(environment).not.toHaveProperty('GIT_CONFIG_COUNT')
  expect(environment).not.toHaveProperty('git_index_file')
  expect(gitEnvironment(inherited, { settings: 'user' })).not.toHaveProperty('GIT_CONFIG_GLOBAL')
})

test('a folder of objects is quoted where its name would be read as something else', () => {
  expect(quoteObjectsPath('/plain path/objects')).toBe('/plain path/objects')
  expect(quoteObjectsPath('/a:b"c\n\\d')).toBe('"/a:b\\"c\\n\\\\d"')
})
