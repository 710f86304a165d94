import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../support/contract-files.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { writeFiles } from '../support/repository.ts'
import { expectOk } from '../support/result.ts'
import { never, otherPlanId, planId } from '../support/sandbox.ts'
import { openAndEnter } from './sandbox.ts'

interface MergeSubject {
  readonly strategy: SandboxStrategy
  /** With the files of the contract in it. */
  readonly projectRoot: string
}

/** Laying what one plan did into the sandbox of another. */
export function describeMergeContract(name: string, makeSubject: () => Promise<MergeSubject>): void {
  const openTwo = async () => {
    const { strategy, projectRoot } = await makeSubject()
    const source = await openAndEnter({ strategy, projectRoot })
    const target = expectOk(await strategy.open({ planId: otherPlanId, projectRoot }, never))
    expectOk(await target.enter())
    return { strategy, source, target }
  }

  describe(`${name} merges what another plan did`, () => {
    test('lays what another plan changed, or its inverse, around what this one has, and needs it no longer', async () => {
      const { strategy, source, target } = await openTwo()
      await writeFiles(source.root, {
        'src/one.txt': lines(30).replace('line 1\n', 'plan\n'),
        'new/file.bin': Uint8Array.from([0, 1, 255]),
      })
      await rm(join(source.root, 'logo.bin'))
      const changed = expectOk(await source.checkpoint('work', 'unknown'))
      await writeFiles(target.root, { 'src/one.txt': lines(30).replace('line 30\n', 'here\n') })
      const before = await bytes(target.root)

      const laid = expectOk(await target.merge({ planId, from: source.baseline, to: changed }, never))

      if (laid.outcome !== 'merged') throw new Error('expected no conflict')
      expect([...laid.written].sort()).toEqual(['logo.bin', 'new/file.bin', 'src/one.txt'])
      const both = lines(30).replace('line 1\n', 'plan\n').replace('line 30\n', 'here\n')
      expect(await readFile(join(target.root, 'src/one.txt'), 'utf8')).toBe(both)
      expect(await readFile(join(target.root, 'new/file.bin'))).toEqual(Buffer.from([0, 1, 255]))
      const twice = expectOk(await target.merge({ planId, from: source.baseline, to: changed }, never))
      expect(twice).toMatchObject({ outcome: 'merged', written: [] })

      expectOk(await target.merge({ planId, from: changed, to: source.baseline }, never))
      expect(await bytes(target.root)).toEqual(before)

      await source.close()
      await strategy.discard(planId)
      expectOk(await target.restore(laid.state))
      expect(await readFile(join(target.root, 'src/one.txt'), 'utf8')).toBe(both)
      expect(await target.merge({ planId, from: source.baseline, to: changed }, never)).toMatchObject({
        ok: false,
        failure: { code: 'not_found' },
      })
    })

    test('lays nothing of another plan where the two met, and names each path', async () => {
      const { source, target } = await openTwo()
      await writeFiles(source.root, {
        'src/one.txt': lines(30).replace('line 5\n', 'plan\n'),
        'fine.txt': 'fine\n',
      })
      const changed = expectOk(await source.checkpoint('work', 'unknown'))
      await writeFiles(target.root, { 'src/one.txt': lines(30).replace('line 5\n', 'here\n') })
      const before = await snapshotFolder(target.root)

      const met = expectOk(await target.merge({ planId, from: source.baseline, to: changed }, never))

      expect(met).toMatchObject({
        outcome: 'constrained',
        conflicts: [{ path: 'src/one.txt', kind: 'content' }],
      })
      expect(await snapshotFolder(target.root)).toEqual(before)
    })

    test.each([
      { onConflict: 'take_theirs', one: 'theirs', held: null, thing: { 'thing/in.txt': 'theirs\n' } },
      { onConflict: 'keep_ours', one: 'ours', held: 'ours\n', thing: { thing: 'ours\n' } },
    ] as const)('decides each path where the two met by $onConflict, and merges the rest', async wanted => {
      const { source, target } = await openTwo()
      const changed = (who: string) => lines(30).replace('line 5\n', `${who}\n`)
      await writeFiles(source.root, {
        'src/one.txt': changed('theirs'),
        'src/two.txt': lines(30).replace('line 1\n', 'theirs\n'),
        'thing/in.txt': 'theirs\n',
        'fine.txt': 'theirs\n',
      })
      await rm(join(source.root, 'readme.md'))
      const work = expectOk(await source.checkpoint('work', 'unknown'))
      await writeFiles(target.root, {
        'src/one.txt': changed('ours'),
        'src/two.txt': lines(30).replace('line 30\n', 'ours\n'),
        'readme.md': 'ours\n',
        thing: 'ours\n',
      })
      const before = expectOk(await target.checkpoint('before', 'unknown'))
      const { onConflict } = wanted

      const laid = expectOk(
        await target.merge({ planId, from: source.baseline, to: work, onConflict }, never),
      )

      if (laid.outcome !== 'merged') throw new Error('expected no conflict')
      expect([...laid.decided].sort()).toEqual(['readme.md', 'src/one.txt', 'thing'])
      expect(await textAt(target.root, 'src/one.txt')).toBe(changed(wanted.one))
      const both = lines(30).replace('line 1\n', 'theirs\n').replace('line 30\n', 'ours\n')
      expect(await textAt(target.root, 'src/two.txt')).toBe(both)
      expect(await textAt(target.root, 'readme.md')).toBe(wanted.held)
      expect(await textAt(target.root, 'fine.txt')).toBe('theirs\n')
      const { files } = expectOk(await target.changes(before, laid.state))
      const names = Object.keys(await bytes(target.root))
      for (const [path, text] of Object.entries(wanted.thing))
        expect(await textAt(target.root, path)).toBe(text)
      expect(names.filter(name => name.includes('~'))).toEqual([])
      expect(files.map(file => file.path)).toContain('fine.txt')
      expectOk(await target.restore(before))
      expect(await textAt(target.root, 'readme.md')).toBe('ours\n')
    })
  })
}

/** Null where there is no such file. */
function textAt(root: string, path: string): Promise<string | null> {
  return readFile(join(root, path), 'utf8').catch(() => null)
}
