import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox, SandboxState, SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { expectOk } from '../support/result.ts'
import { all, checkpoint, never, planId } from '../support/sandbox.ts'

/** What a sandbox keeps, whatever that is, seen as a number; the original begins with 0. */
export interface SandboxSubject {
  readonly strategy: SandboxStrategy
  /** Absolute path of a project that the strategy can work on. */
  readonly projectRoot: string
  change(sandbox: Sandbox, content: number): Promise<void>
  read(sandbox: Sandbox): Promise<number>
  changeOriginal(content: number): Promise<void>
  readOriginal(): Promise<number>
}

export type DeclaredStrategy = Pick<SandboxStrategy, 'name' | 'restores' | 'place'>

/**
 * What any sandbox must do, files or not. A strategy's test calls this with a way to make a fresh subject; which parts
 * hold is read from what the strategy declares, never from its name.
 */
export function describeSandboxContract(
  declared: DeclaredStrategy,
  makeSubject: () => Promise<SandboxSubject>,
): void {
  const openOne = async () => {
    const subject = await makeSubject()
    return { ...subject, sandbox: await openAndEnter(subject) }
  }

  describe(`${declared.name} keeps the contract of a sandbox`, () => {
    test('it says in sentences what it protects and what it does not', async () => {
      const { strategy } = await makeSubject()

      const { name, restores, place } = strategy
      expect({ name, restores, place }).toEqual({
        name: declared.name,
        restores: declared.restores,
        place: declared.place,
      })
      for (const sentences of [strategy.protects, strategy.doesNotProtect])
        for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/s)
      expect(strategy.doesNotProtect.length).toBeGreaterThan(0)
    })

    test('it begins with what the original has, and asking or opening changes nothing there', async () => {
      const subject = await makeSubject()

      const reason = await subject.strategy.unavailable({ planId, projectRoot: subject.projectRoot }, never)
      const sandbox = await openAndEnter(subject)

      expect(reason).toBeNull()
      expect(sandbox.strategy).toBe(declared.name)
      expect(await subject.read(sandbox)).toBe(0)
      expect(await subject.readOriginal()).toBe(0)
    })

    test('a checkpoint of nothing new is the state before, and has no changes', async () => {
      const { sandbox } = await openOne()

      const state = await checkpoint(sandbox)

      expect(state).toBe(sandbox.baseline)
      expect(expectOk(await sandbox.changes(sandbox.baseline, state)).files).toEqual([])
    })

    test('what changed can be read between any two checkpoints, and has one digest', async () => {
      const { sandbox, change } = await openOne()
      await change(sandbox, 1)
      const first = await checkpoint(sandbox)
      await change(sandbox, 2)
      const second = await checkpoint(sandbox)

      const whole = expectOk(await sandbox.changes(sandbox.baseline, second))
      const later = expectOk(await sandbox.changes(first, second))

      expect(whole.files).toHaveLength(1)
      expect(later.files).toHaveLength(1)
      expect(later.digest).not.toBe(whole.digest)
      expect(expectOk(await sandbox.changes(sandbox.baseline, second)).digest).toBe(whole.digest)
      expect(expectOk(await sandbox.patch(sandbox.baseline, second)).length).toBeGreaterThan(0)
    })

    test('an unknown state is refused and nothing changes', async () => {
      const { sandbox, change, read } = await openOne()
      await change(sandbox, 1)

      const refused = await sandbox.restore('0123456789012345678901234567890123456789' as SandboxState)

      expect(refused.ok).toBe(false)
      expect(await read(sandbox)).toBe(1)
    })

    test('applying a second time changes nothing', async () => {
      const { sandbox, change, readOriginal } = await openOne()
      await change(sandbox, 1)
      const state = await checkpoint(sandbox)
      expectOk(await sandbox.apply(all(sandbox, state), never))

      const again = expectOk(await sandbox.apply(all(sandbox, state), never))

      expect(again).toMatchObject({ outcome: 'applied', written: [], state })
      expect(await readOriginal()).toBe(1)
    })

    test('closing and discarding twice is fine and leaves the original alone', async () => {
      const { strategy, sandbox, readOriginal } = await openOne()
      await sandbox.close()
      await sandbox.close()

      await strategy.discard(planId)
      await strategy.discard(planId)

      expect(await readOriginal()).toBe(0)
    })

    if (declared.restores === 'never') describeNoReturn(openOne)
    else describeReturn(openOne)
    if (declared.place === 'in_place') describeInPlace(openOne)
    else describeBeside(openOne)
    if (declared.restores !== 'while_open') describeLasting(openOne)
    if (declared.restores === 'while_open') describeNoReplay(openOne)
    else describeReplay(openOne)
    if (declared.place === 'beside' && declared.restores !== 'while_open') describeMeanwhile(openOne)
  })
}

type OpenOne = () => Promise<SandboxSubject & { readonly sandbox: Sandbox }>

function describeReturn(openOne: OpenOne): void {
  test('every checkpoint can be returned to, forward and back', async () => {
    const { sandbox, change, read } = await openOne()
    await change(sandbox, 1)
    const first = await checkpoint(sandbox)
    await change(sandbox, 2)
    const second = await checkpoint(sandbox)
    const seen: number[] = []

    for (const state of [first, sandbox.baseline]) {
      expectOk(await sandbox.restore(state))
      seen.push(await read(sandbox))
    }
    for (const state of await isKept(sandbox, second)) {
      expectOk(await sandbox.restore(state))
      seen.push(await read(sandbox))
    }

    expect(seen).toEqual([1, 0, 2].slice(0, seen.length))
    expect(seen.length).toBeGreaterThanOrEqual(2)
  })
}

/** A transaction forgets what comes after the savepoint it goes back to, and says so. */
async function isKept(sandbox: Sandbox, state: SandboxState): Promise<SandboxState[]> {
  const changes = await sandbox.changes(sandbox.baseline, state)
  return changes.ok ? [state] : []
}

function describeNoReturn(openOne: OpenOne): void {
  test('a restore is refused in words that name the way to correct, and changes nothing', async () => {
    const { sandbox, change, read } = await openOne()
    await change(sandbox, 1)
    await checkpoint(sandbox)

    const refused = await sandbox.restore(sandbox.baseline)

    expect(refused).toMatchObject({
      ok: false,
      failure: { code: 'not_available', message: expect.stringContaining('--mode append') },
    })
    expect(await read(sandbox)).toBe(1)
  })
}

function describeInPlace(openOne: OpenOne): void {
  test('a change is in the original at once, and apply has nothing left to write', async () => {
    const { sandbox, change, readOriginal } = await openOne()
    await change(sandbox, 1)
    const state = await checkpoint(sandbox)

    const atOnce = await readOriginal()
    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(atOnce).toBe(1)
    expect(report).toMatchObject({ outcome: 'applied', written: [], state })
    expect(report.outcome === 'applied' && report.unchanged).toHaveLength(1)
  })
}

function describeBeside(openOne: OpenOne): void {
  test('the original has its old content until apply, and the new one after it', async () => {
    const { sandbox, change, readOriginal } = await openOne()
    await change(sandbox, 1)
    const state = await checkpoint(sandbox)
    const before = await readOriginal()

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(before).toBe(0)
    expect(report).toMatchObject({ outcome: 'applied', unchanged: [], state })
    expect(report.outcome === 'applied' && report.written).toHaveLength(1)
    expect(await readOriginal()).toBe(1)
  })
}

/** The work outlives the program. */
function describeLasting(openOne: OpenOne): void {
  test('opening again gives the same sandbox with the work in it', async () => {
    const subject = await openOne()
    const { sandbox, change, read } = subject
    await change(sandbox, 1)
    const state = await checkpoint(sandbox)
    await sandbox.close()

    const again = await openAndEnter(subject)

    expect(again).toMatchObject({
      root: sandbox.root,
      baseline: sandbox.baseline,
      notices: sandbox.notices,
    })
    expect(await read(again)).toBe(1)
    expect(await checkpoint(again)).toBe(state)
  })
}

function describeReplay(openOne: OpenOne): void {
  test('work laid on where it began is its end, and laid where it is already changes nothing', async () => {
    const { sandbox, change } = await openOne()
    await change(sandbox, 1)
    const first = await checkpoint(sandbox)
    await change(sandbox, 2)
    const second = await checkpoint(sandbox)
    const work = { from: first, to: second }

    expect(expectOk(await sandbox.replay(first, work))).toEqual({ outcome: 'merged', state: second })
    expect(expectOk(await sandbox.replay(second, work))).toEqual({ outcome: 'merged', state: second })
    const none = { from: first, to: first }
    expect(expectOk(await sandbox.replay(second, none))).toEqual({ outcome: 'merged', state: second })
  })

  test('work that needs what is not there is a conflict: named, and nothing is written', async () => {
    const { sandbox, change, read } = await openOne()
    await change(sandbox, 1)
    const first = await checkpoint(sandbox)
    await change(sandbox, 2)
    const second = await checkpoint(sandbox)

    const report = expectOk(await sandbox.replay(sandbox.baseline, { from: first, to: second }))

    expect(report).toMatchObject({ outcome: 'constrained', conflicts: [{ kind: 'content' }] })
    expect(await read(sandbox)).toBe(2)
    expect(await checkpoint(sandbox)).toBe(second)
  })

  test('an unknown state is not laid on', async () => {
    const { sandbox, change } = await openOne()
    await change(sandbox, 1)
    const work = { from: sandbox.baseline, to: await checkpoint(sandbox) }

    const refused = await sandbox.replay('0123456789012345678901234567890123456789' as SandboxState, work)

    expect(refused).toMatchObject({ ok: false, failure: { code: 'not_found' } })
  })
}

/** One transaction holds all of its work, in the order in which it was done. */
function describeNoReplay(openOne: OpenOne): void {
  test('work is laid on nothing but where it began, and the refusal says why', async () => {
    const { sandbox, change } = await openOne()
    await change(sandbox, 1)
    const first = await checkpoint(sandbox)
    await change(sandbox, 2)
    const second = await checkpoint(sandbox)
    const work = { from: first, to: second }

    expect(expectOk(await sandbox.replay(first, work))).toEqual({ outcome: 'merged', state: second })
    expect(await sandbox.replay(sandbox.baseline, work)).toMatchObject({
      ok: false,
      failure: { code: 'not_available', message: expect.stringContaining('can only go back') },
    })
  })
}

/** The original goes on living while the plan works. */
function describeMeanwhile(openOne: OpenOne): void {
  test('a change made meanwhile to the same place is a conflict: named, and nothing is written', async () => {
    const { sandbox, change, changeOriginal, readOriginal } = await openOne()
    await change(sandbox, 1)
    const state = await checkpoint(sandbox)
    await changeOriginal(2)

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report.outcome).toBe('constrained')
    expect(report.outcome === 'constrained' && report.conflicts).toHaveLength(1)
    expect(await readOriginal()).toBe(2)
  })

  test('the same change made meanwhile is no conflict and no write', async () => {
    const { sandbox, change, changeOriginal, readOriginal } = await openOne()
    await change(sandbox, 1)
    const state = await checkpoint(sandbox)
    await changeOriginal(1)

    const report = expectOk(await sandbox.apply(all(sandbox, state), never))

    expect(report).toMatchObject({ outcome: 'applied', written: [] })
    expect(await readOriginal()).toBe(1)
  })
}

export async function openAndEnter({
  strategy,
  projectRoot,
}: Pick<SandboxSubject, 'strategy' | 'projectRoot'>): Promise<Sandbox> {
  const sandbox = expectOk(await strategy.open({ planId, projectRoot }, never))
  onTestFinished(() => sandbox.close())
  expectOk(await sandbox.enter())
  return sandbox
}
