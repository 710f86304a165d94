import { chmod, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApplyReport, Sandbox, SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { type FileTree, makeRepository, repositoryAt, type TestRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, openSandbox } from '../../support/sandbox.ts'
import { joinPatch, type PatchPiece, splitPatch } from '../../support/split-patch.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a hunk goes to the lines it is of, also where the same code stands elsewhere', async () => {
  const block = (name: string) => `function ${name}() {\n${'  // same\n'.repeat(8)}  return 1\n}\n\n`
  const names = ['f1', 'f2', 'f3', 'f4']
  const story = await begin({ 'a.js': names.map(block).join('') })
  const edited = (...changed: string[]) =>
    names
      .map(name => (changed.includes(name) ? `${block(name)}${'// more\n'.repeat(9)}` : block(name)))
      .join('')
  await writeFile(join(story.sandbox.root, 'a.js'), edited('f1', 'f3'))
  await story.record()

  await story.apply((_, index) => index === 1)

  expect(await story.text('a.js')).toBe(edited('f3'))
})

test('pieces of any kind of change can be chosen, and with the rest they come to the whole', async () => {
  const story = await begin({
    'text.txt': lines(60),
    'crlf.txt': lines(40).replaceAll('\n', '\r\n'),
    'latin.txt': Buffer.from(lines(30).replace('line 7', 'caf\xe9'), 'latin1'),
    'open end.txt': lines(30).trimEnd(),
    'moved.txt': lines(80),
    'run.sh': 'run\n',
    'gone.txt': 'gone\n',
    'becomes-link': 'file\n',
    'b.bin': Uint8Array.from([0, 1, 2]),
  })
  const { root } = story.sandbox
  await repositoryAt(root).write({
    'text.txt': lines(60).replace('line 3\n', 'three\n').replace('line 50\n', ''),
    'crlf.txt': lines(40).replaceAll('\n', '\r\n').replace('line 2\r\n', 'two\n').replace('line 33', 'x'),
    'latin.txt': Buffer.from(
      lines(30).replace('line 7', 'caf\xe9 \xe0').replace('line 28', '\xff'),
      'latin1',
    ),
    'open end.txt': lines(30).replace('line 2\n', 'two\n').trimEnd().concat(' more'),
    'moved.txt': lines(80).replace('line 5\n', 'five\n').replace('line 70\n', 'seventy\n'),
    'run.sh': 'run faster\n',
    'b.bin': Uint8Array.from([0, 9, 255, 10]),
    'new "quoted"\tname': 'new\n',
    empty: '',
  })
  await rename(join(root, 'moved.txt'), join(root, 'placed.txt'))
  await chmod(join(root, 'run.sh'), 0o755)
  for (const name of ['gone.txt', 'becomes-link']) await rm(join(root, name))
  await symlink('text.txt', join(root, 'becomes-link'))
  await story.record()
  expect((await story.pieces()).length).toBeGreaterThan(15)

  while ((await story.pieces()).length > 0) {
    const { length } = await story.pieces()
    await story.apply((_, at) => at % 3 === 0)
    expect((await story.pieces()).length).toBeLessThan(length)
  }

  expect(await bytes(story.root)).toEqual(await bytes(root))
})

test('random hunks of random edits land as git itself lays them, and the rest completes them', async () => {
  const edits = fc.array(fc.record({ at: fc.nat(99), how: fc.constantFrom('change', 'drop', 'add') }), {
    minLength: 2,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(
      edits,
      edits,
      fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
      async (one, two, take) => {
        const story = await begin({ 'one.txt': lines(100), 'two.txt': lines(100) })
        await writeFile(join(story.sandbox.root, 'one.txt'), edited(one))
        await writeFile(join(story.sandbox.root, 'two.txt'), edited(two).trimEnd())
        await story.record()
        const chosen = (await story.pieces()).filter((_, index) => take[index])
        fc.pre(chosen.length > 0)
        const expected = await laidByGit(story.repository, joinPatch(chosen))

        await story.apply((_, index) => take[index] === true)
        expect(await bytes(story.root)).toEqual(expected)
        await story.apply(() => true)
        expect(await bytes(story.root)).toEqual(await bytes(story.sandbox.root))
      },
    ),
    { numRuns: process.env['LONG'] === '1' ? 100 : 2, seed: 11 },
  )
})

const strange: { title: string; change: (patch: string) => string; named: string }[] = [
  {
    title: 'a line that was edited',
    change: patch => patch.replace('+three', '+four'),
    named: 'a/a.txt b/a.txt: the hunk at line 1',
  },
  {
    title: 'another file',
    change: patch => patch.replaceAll('a.txt', 'other.txt'),
    named: 'diff --git a/other.txt b/other.txt',
  },
  {
    title: 'another mode',
    change: patch => patch.replace('new mode 100755', 'new mode 120000'),
    named: 'a/m.sh b/m.sh: new mode 120000',
  },
  { title: 'something else in it', change: () => 'hello\n', named: 'hello' },
]

test.for(strange)('a patch with $title is refused and names it', async ({ change, named }) => {
  const story = await begin({ 'a.txt': lines(20), 'm.sh': 'm\n' })
  await writeFile(join(story.sandbox.root, 'a.txt'), lines(20).replace('line 3\n', 'three\n'))
  await chmod(join(story.sandbox.root, 'm.sh'), 0o755)
  const state = await story.record()
  const patch = Buffer.from(expectOk(await story.sandbox.patch(story.sandbox.baseline, state))).toString()
  const before = await bytes(story.root)

  const refused = await story.sandbox.apply(
    { from: story.sandbox.baseline, to: state, choice: { kind: 'hunks', patch: Buffer.from(change(patch)) } },
    never,
  )

  expect(refused).toMatchObject({
    ok: false,
    failure: { code: 'invalid_input', message: expect.stringContaining(named) },
  })
  expect(await bytes(story.root)).toEqual(before)
})

interface Story {
  readonly repository: TestRepository
  readonly root: string
  readonly sandbox: Sandbox
  record(): Promise<SandboxState>
  /** What is left of the plan's changes, in pieces. */
  pieces(): Promise<PatchPiece[]>
  apply(take: (piece: PatchPiece, index: number) => boolean): Promise<ApplyReport>
  text(name: string): Promise<string>
}

/** A plan whose changes are applied piece by piece. */
async function begin(files: FileTree): Promise<Story> {
  const repository = await makeRepository({ files })
  const sandbox = await openSandbox(repository)
  let from = sandbox.baseline
  let to = sandbox.baseline
  const pieces = async () =>
    splitPatch(expectOk(await sandbox.patch(from, to))).filter(piece => piece.head !== '')
  return {
    repository,
    root: repository.root,
    sandbox,
    pieces,
    record: async () => {
      to = await checkpoint(sandbox)
      return to
    },
    apply: async take => {
      const patch = joinPatch((await pieces()).filter(take))
      const report = expectOk(await sandbox.apply({ from, to, choice: { kind: 'hunks', patch } }, never))
      if (report.outcome !== 'applied') throw new Error('expected no conflict')
      from = report.state
      return report
    },
    text: name => readFile(join(repository.root, name), 'utf8'),
  }
}

async function laidByGit(repository: TestRepository, patch: Uint8Array): Promise<Record<string, string>> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'chosen.patch'), patch)
  await repository.git('clone', '-q', repository.root, join(folder, 'clone'))
  await repositoryAt(join(folder, 'clone')).git('apply', '--recount', join(folder, 'chosen.patch'))
  return bytes(join(folder, 'clone'))
}

function edited(edits: readonly { readonly at: number; readonly how: string }[]): string {
  const text = lines(100).split(/(?<=\n)/)
  for (const { at, how } of edits) {
    if (how === 'change') text[at] = `changed ${at}\n`
    if (how === 'drop') text[at] = ''
    if (how === 'add') text[at] = `${text[at]}added after ${at}\n`
  }
  return text.join('')
}
