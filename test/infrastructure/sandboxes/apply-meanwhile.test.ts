import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { chmod, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Result } from '../../../src/domain/failure.ts'
import type {
  ApplyReport,
  ApplyStep,
  OnApplyStep,
  Sandbox,
  SandboxState,
} from '../../../src/domain/sandbox/strategy.ts'
import { findRespelled } from '../../../src/infrastructure/sandboxes/journal/respelled.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { type FileTree, makeRepository, repositoryAt, type TestRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, applyAll, checkpoint, never, openSandbox } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('what an editor writes into a file that is being replaced stays, and the plan is merged into it afterwards', async () => {
  const story = await begin({ 'a.txt': lines(20), 'b.txt': 'b\n' })
  await writeFile(join(story.sandbox.root, 'a.txt'), lines(20).replace('line 2\n', 'plan\n'))
  await writeFile(join(story.sandbox.root, 'b.txt'), 'plan\n')
  const editor = openSync(join(story.root, 'a.txt'), 'r+')
  const saved = lines(20).replace('line 19\n', 'late 19\n')

  const report = await story.applyWhile({ after: 'swap', number: 1 }, () => writeSync(editor, saved, 0))
  closeSync(editor)

  expect(report).toMatchObject({
    outcome: 'applied',
    written: ['b.txt'],
    left: [
      { path: 'a.txt', kind: 'foreign', reason: 'a.txt: it was saved while the plan was being applied.' },
    ],
  })
  expect(await readFile(join(story.root, 'a.txt'), 'utf8')).toBe(saved)
  expect(await story.applyRest(report)).toMatchObject({ written: ['a.txt'], left: [], state: story.to() })
  expect(await readFile(join(story.root, 'a.txt'), 'utf8')).toBe(saved.replace('line 2\n', 'plan\n'))
})

test('what an editor writes into a file that is being deleted brings it back', async () => {
  const story = await begin({ 'dir/a.txt': 'old text\n' })
  await rm(join(story.sandbox.root, 'dir'), { recursive: true })
  const editor = openSync(join(story.root, 'dir/a.txt'), 'r+')

  const report = await story.applyWhile({ after: 'swap', number: 1 }, () => writeSync(editor, 'new', 0))
  closeSync(editor)

  expect(report).toMatchObject({ outcome: 'applied', written: [], left: [{ path: 'dir/a.txt' }] })
  expect(await readFile(join(story.root, 'dir/a.txt'), 'utf8')).toBe('new text\n')
})

test('two versions that were saved meanwhile are both kept', async () => {
  const story = await begin({ 'a.txt': 'old text\n', 'b.txt': 'b\n' })
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(story.sandbox.root, name), 'plan\n')
  const editor = openSync(join(story.root, 'a.txt'), 'r+')

  const report = await story.applyWhile({ after: 'swap', number: 1 }, () => {
    writeSync(editor, 'one', 0)
    writeFileSync(join(story.root, 'a.txt'), 'two\n')
  })
  closeSync(editor)

  const [notice = ''] = report.outcome === 'applied' ? report.notices : []
  expect(notice).toContain('a.txt was saved twice while the plan was being applied.')
  expect(await readFile(notice.split(' is kept at ')[1]?.slice(0, -1) ?? '', 'utf8')).toBe('one text\n')
  expect(await readFile(join(story.root, 'a.txt'), 'utf8')).toBe('two\n')
})

const meanwhile: {
  title: string
  files: FileTree
  plan: (root: string) => Promise<unknown>
  user: (root: string, outside: string) => void
  left: [path: string, kind: string]
}[] = [
  {
    title: 'a file that an editor replaced in the last moment',
    files: { 'a.txt': 'a\n' },
    plan: root => writeFile(join(root, 'a.txt'), 'plan\n'),
    user: root => {
      writeFileSync(join(root, 'a.txt~'), 'user\n')
      renameSync(join(root, 'a.txt~'), join(root, 'a.txt'))
    },
    left: ['a.txt', 'foreign'],
  },
  {
    title: 'a file that the plan deletes and the user edits',
    files: { 'a.txt': 'a\n' },
    plan: root => rm(join(root, 'a.txt')),
    user: root => writeFileSync(join(root, 'a.txt'), 'user\n'),
    left: ['a.txt', 'foreign'],
  },
  {
    title: 'a file that the plan makes and the user has made by now',
    files: {},
    plan: root => writeFile(join(root, 'new.txt'), 'plan\n'),
    user: root => writeFileSync(join(root, 'new.txt'), 'user\n'),
    left: ['new.txt', 'foreign'],
  },
  {
    title: 'a file in a folder that has become a link to elsewhere',
    files: { 'dir/a.txt': 'a\n' },
    plan: root => writeFile(join(root, 'dir/a.txt'), 'plan\n'),
    user: (root, outside) => {
      rmSync(join(root, 'dir'), { recursive: true })
      symlinkSync(outside, join(root, 'dir'))
    },
    left: ['dir/a.txt', 'unsafe_parent'],
  },
  {
    title: 'a new file in a folder that has become a link to elsewhere',
    files: { 'dir/a.txt': 'a\n' },
    plan: root => writeFile(join(root, 'dir/new.txt'), 'plan\n'),
    user: (root, outside) => {
      rmSync(join(root, 'dir'), { recursive: true })
      symlinkSync(outside, join(root, 'dir'))
    },
    left: ['dir/new.txt', 'unsafe_parent'],
  },
  {
    title: 'a file where the user has made a folder',
    files: {},
    plan: root => writeFile(join(root, 'new'), 'plan\n'),
    user: root => mkdirSync(join(root, 'new/mine'), { recursive: true }),
    left: ['new', 'file_directory'],
  },
]

test.for(meanwhile)('$title is left as the user has it, and the rest is written', async story => {
  const outside = await temporaryFolder()
  const { left, files, plan, user } = story
  const { root, sandbox, applyWhile } = await begin({ ...files, 'z.txt': 'z\n' })
  await plan(sandbox.root)
  await writeFile(join(sandbox.root, 'z.txt'), 'plan\n')

  const report = await applyWhile({ after: 'write_journal', number: 1 }, () => user(root, outside))

  expect(report.outcome === 'applied' && report.left.map(({ path, kind }) => [path, kind])).toEqual([left])
  expect(report).toMatchObject({ written: ['z.txt'] })
  expect(await bytes(outside)).toEqual({})
  const [path] = left
  if (report.outcome !== 'applied') throw new Error('expected applied')
  const remaining = expectOk(await sandbox.changes(report.state, await checkpoint(sandbox)))
  expect(remaining.files.map(file => file.path)).toEqual([path])
})

test('a save between the last look and the swap is not lost', async () => {
  const story = await begin({ 'a.txt': 'a\n' })
  await writeFile(join(story.sandbox.root, 'a.txt'), 'plan\n')

  const report = await story.applyWhile({ after: 'keep_old', number: 1 }, () => {
    writeFileSync(join(story.root, 'a.txt~'), 'user\n')
    renameSync(join(story.root, 'a.txt~'), join(story.root, 'a.txt'))
  })

  expect(report).toMatchObject({ written: [], left: [{ path: 'a.txt', kind: 'foreign' }] })
  expect(await readFile(join(story.root, 'a.txt'), 'utf8')).toBe('user\n')
})

test('a file keeps its old name when somebody takes the new one', async () => {
  const story = await begin({ 'old.txt': lines(20) })
  await rename(join(story.sandbox.root, 'old.txt'), join(story.sandbox.root, 'new.txt'))

  const report = await story.applyWhile({ after: 'write_journal', number: 1 }, () =>
    writeFileSync(join(story.root, 'new.txt'), 'user\n'),
  )

  expect(report).toMatchObject({ written: [], left: [{ path: 'new.txt' }, { path: 'old.txt' }] })
  expect(await readFile(join(story.root, 'old.txt'), 'utf8')).toBe(lines(20))
  expect(await readFile(join(story.root, 'new.txt'), 'utf8')).toBe('user\n')
})

test('when the disk refuses half-way, everything is put back and nothing is left behind', async () => {
  const story = await begin({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n' })
  await repositoryAt(story.sandbox.root).write({ 'a.txt': 'plan\n', 'b.txt': 'plan\n', 'new/d.txt': 'd\n' })
  await rm(join(story.sandbox.root, 'dir'), { recursive: true })
  const before = await snapshotFolder(story.root, { except: [] })

  const refused = await story.tryApply({ after: 'swap', number: 3 }, () => {
    throw new Error('ENOSPC: no space left on device, link')
  })

  expect(refused).toMatchObject({
    ok: false,
    failure: {
      code: 'disk_full',
      message: `The disk is full. ${story.root} is as it was. Free some space and try again.`,
    },
  })
  expect(await snapshotFolder(story.root, { except: [] })).toEqual(before)
  expect(await story.sandbox.unfinishedApply()).toBeNull()
  expect(await applyAll(story.sandbox)).toMatchObject({ outcome: 'applied' })
})

test('an interrupt while it prepares leaves nothing, one while it writes comes too late', async () => {
  const story = await begin({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(story.sandbox.root, name), 'plan\n')
  const before = await snapshotFolder(story.root, { except: [] })
  const [early, late] = [new AbortController(), new AbortController()]

  const stopped = await story.tryApply({ after: 'stage', number: 1 }, () => early.abort(), early.signal)
  const afterStop = await snapshotFolder(story.root, { except: [] })
  const finished = await story.tryApply({ after: 'swap', number: 1 }, () => late.abort(), late.signal)

  expect(stopped).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
  expect(afterStop).toEqual(before)
  expect(finished).toMatchObject({ ok: true, value: { outcome: 'applied', written: ['a.txt', 'b.txt'] } })
})

test('a file keeps its permissions when it is replaced or moved; only the executable bit is the plan’s', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': lines(9), 'c.sh': 'c\n' } })
  for (const name of ['a.txt', 'b.txt', 'c.sh']) await chmod(join(repository.root, name), 0o640)
  const sandbox = await openSandbox(repository)
  await writeFile(join(sandbox.root, 'a.txt'), 'plan\n')
  await rename(join(sandbox.root, 'b.txt'), join(sandbox.root, 'moved.txt'))
  await chmod(join(sandbox.root, 'c.sh'), 0o755)

  await applyAll(sandbox)

  const modes = ['a.txt', 'moved.txt', 'c.sh'].map(async name =>
    ((await stat(join(repository.root, name))).mode & 0o777).toString(8),
  )
  expect(await Promise.all(modes)).toEqual(['640', '640', '750'])
})

test('a file with other names is replaced under this one only, and that is said', async () => {
  const story = await begin({ 'a.txt': 'a\n' })
  await writeFile(join(story.sandbox.root, 'a.txt'), 'plan\n')
  const other = join(await temporaryFolder(), 'other.txt')
  await link(join(story.root, 'a.txt'), other)

  expect(await applyAll(story.sandbox)).toMatchObject({
    notices: ['a.txt has other names on the disk (hard links). They keep the old content.'],
  })
  expect(await readFile(other, 'utf8')).toBe('a\n')
})

test('a folder with ignored files in it does not make room for a file, and nothing is written', async () => {
  const story = await begin({ '.gitignore': '*.log\n', 'dir/a.txt': 'a\n' })
  await rm(join(story.sandbox.root, 'dir'), { recursive: true })
  await writeFile(join(story.sandbox.root, 'dir'), 'now a file\n')
  await writeFile(join(story.root, 'dir/mine.log'), 'mine\n')
  const before = await snapshotFolder(story.root, { except: [] })

  expect(await applyAll(story.sandbox)).toMatchObject({
    outcome: 'constrained',
    conflicts: [{ path: 'dir', kind: 'file_directory' }],
  })
  expect(await snapshotFolder(story.root, { except: [] })).toEqual(before)
})

test('two names that differ in capitals only are refused where capitals do not count', () => {
  const entry = { mode: '100644', object: '0'.repeat(40) } as const
  const changes = ['Readme.md', 'a/x', 'README.md', 'a/y'].map(name => ({
    path: Buffer.from(name),
    old: null,
    new: entry,
  }))

  expect(findRespelled('/', changes, () => false)).toEqual([])
  expect(findRespelled('/', changes, () => true)).toEqual([
    {
      path: 'README.md',
      kind: 'foreign',
      reason:
        'README.md: another file of the plan has the same name but for capitals, which do not count here.',
    },
  ])
})

test('a name that changes in capitals only is taken away before it is given again', async () => {
  const story = await begin({ 'README.md': lines(9), 'Src/a.ts': 'a\n' })
  await rename(join(story.sandbox.root, 'README.md'), join(story.sandbox.root, 'Readme.md'))
  await rename(join(story.sandbox.root, 'Src'), join(story.sandbox.root, 'src'))
  const there: string[][] = []

  const report = await story.applyWhile({ after: 'swap' }, () => there.push(readdirSync(story.root)))

  expect(report).toMatchObject({ written: ['README.md', 'Readme.md', 'Src/a.ts', 'src/a.ts'], left: [] })
  for (const names of there) expect(new Set(names.map(name => name.toLowerCase())).size).toBe(names.length)
  expect(await bytes(story.root)).toEqual(await bytes(story.sandbox.root))
})

interface Story {
  readonly repository: TestRepository
  readonly root: string
  readonly sandbox: Sandbox
  to(): SandboxState
  tryApply(moment: Moment, act: () => unknown, signal?: AbortSignal): Promise<Result<ApplyReport>>
  applyWhile(moment: Moment, act: () => unknown): Promise<ApplyReport>
  applyRest(report: ApplyReport): Promise<ApplyReport>
}

/** A kind of step, and which of them; every one where no number is given. */
interface Moment {
  readonly after: ApplyStep['did']
  readonly number?: number
}

async function begin(files: FileTree): Promise<Story> {
  const repository = await makeRepository({ files })
  const sandbox = await openSandbox(repository)
  let to = sandbox.baseline
  const tryApply: Story['tryApply'] = async ({ after, number }, act, signal = never) => {
    to = await checkpoint(sandbox)
    let count = 0
    const onStep: OnApplyStep = ({ did }) => {
      if (did !== after) return
      count++
      if (number === undefined || count === number) act()
    }
    return sandbox.apply(all(sandbox, to), signal, { onStep })
  }
  return {
    repository,
    root: repository.root,
    sandbox,
    to: () => to,
    tryApply,
    applyWhile: async (moment, act) => expectOk(await tryApply(moment, act)),
    applyRest: async report => {
      if (report.outcome !== 'applied') throw new Error('expected applied')
      return expectOk(await sandbox.apply({ from: report.state, to, choice: { kind: 'all' } }, never))
    },
  }
}
