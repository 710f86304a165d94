import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox, SandboxState, SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { bytes } from '../support/contract-files.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { writeFiles } from '../support/repository.ts'
import { expectOk } from '../support/result.ts'
import { checkpoint, never, otherPlanId, planId } from '../support/sandbox.ts'
import { openAndEnter } from './sandbox.ts'

interface ChildSubject {
  readonly strategy: SandboxStrategy
  /** With the files of the contract in it. */
  readonly projectRoot: string
}

/** A sandbox that begins from a state of another. */
export function describeChildContract(name: string, makeSubject: () => Promise<ChildSubject>): void {
  const openChild = async ({ strategy, projectRoot }: ChildSubject, state: SandboxState) => {
    const spec = { planId: otherPlanId, projectRoot, startsFrom: { planId, state } }
    const child = expectOk(await strategy.open(spec, never))
    onTestFinished(() => child.close())
    expectOk(await child.enter())
    return child
  }
  const openBoth = async () => {
    const subject = await makeSubject()
    const parent = await openAndEnter(subject)
    await writeFiles(parent.root, {
      'src/one.txt': 'parent\n',
      'made/run.sh': { executable: 'parent\n' },
      'made/link': { link: 'run.sh' },
      'logo.bin': Uint8Array.from([0, 255, 1]),
    })
    await rm(join(parent.root, 'readme.md'))
    const state = await checkpoint(parent)
    const recorded = await bytes(parent.root)
    await writeFiles(parent.root, { 'src/one.txt': 'later\n', 'src/two.txt': 'later\n' })
    await checkpoint(parent)
    return { ...subject, parent, state, recorded }
  }

  describe(`${name} begins a child from a state of its parent`, () => {
    test('with the files of that state, whatever the parent and the user have by then', async () => {
      const subject = await openBoth()
      await writeFiles(subject.projectRoot, { 'src/one.txt': 'user\n' })
      const before = await snapshotFolder(subject.parent.root)

      const child = await openChild(subject, subject.state)

      expect(await bytes(child.root)).toEqual(subject.recorded)
      expect(await snapshotFolder(subject.parent.root)).toEqual(before)
      expect(child.startedFrom).toMatchObject({ planId, state: subject.state })
      const same = expectOk(await subject.parent.receive({ planId: otherPlanId, state: child.baseline }))
      expect(expectOk(await subject.parent.changes(subject.state, same)).files).toEqual([])
      expect(await checkpoint(child)).toBe(child.baseline)
    })

    test('and neither needs the other afterwards', async () => {
      const subject = await openBoth()
      const child = await openChild(subject, subject.state)
      await subject.parent.close()
      await subject.strategy.discard(planId)

      await writeFiles(child.root, { 'src/one.txt': 'child\n', 'more.txt': 'child\n' })
      const work = await checkpoint(child)
      expectOk(await child.restore(child.baseline))
      const first = await bytes(child.root)
      expectOk(await child.restore(work))

      expect(first).toEqual(subject.recorded)
      const files = expectOk(await child.changes(child.baseline, work)).files
      expect(files.map(file => file.path)).toEqual(['more.txt', 'src/one.txt'])
      await child.close()
      const again = await openChild(subject, subject.state)
      expect(await checkpoint(again)).toBe(work)
      expect(again).toMatchObject({ baseline: child.baseline, startedFrom: child.startedFrom })
    })

    test('and what it did is merged into what the parent has by then', async () => {
      const subject = await openBoth()
      const child = await openChild(subject, subject.state)
      await writeFiles(child.root, { 'logo.bin': 'child\n', 'made/deep/new.txt': 'child\n' })
      const work = await checkpoint(child)
      const source = { planId: otherPlanId, from: child.baseline, to: work }

      const report = expectOk(await subject.parent.merge(source, never))

      expect(report).toMatchObject({ outcome: 'merged', written: ['logo.bin', 'made/deep/new.txt'] })
      await child.close()
      await subject.strategy.discard(otherPlanId)
      const { state } = report as { state: SandboxState }
      expectOk(await subject.parent.restore(subject.state))
      expectOk(await subject.parent.restore(state))
      expect(await read(subject.parent)).toEqual(['later\n', 'later\n', 'child\n', 'child\n'])
    })

    test('and refuses one that is not there, leaving nothing behind', async () => {
      const subject = await openBoth()
      const state = '0123456789012345678901234567890123456789' as SandboxState
      const spec = { planId: otherPlanId, projectRoot: subject.projectRoot, startsFrom: { planId, state } }

      const refused = await subject.strategy.open(spec, never)

      expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found' } })
      expect(await checkpoint(await openChild(subject, subject.state))).toBeTruthy()
    })
  })
}

async function read({ root }: Sandbox): Promise<string[]> {
  const names = ['src/one.txt', 'src/two.txt', 'logo.bin', 'made/deep/new.txt']
  return Promise.all(names.map(name => readFile(join(root, name), 'utf8')))
}
