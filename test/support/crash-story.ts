import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ApplyStep, Sandbox } from '../../src/domain/sandbox/strategy.ts'
import type { ApplyJob } from './apply-child.ts'
import { startApply } from './apply-process.ts'
import { expectOk } from './result.ts'
import { never } from './sandbox.ts'

/** A plan that waits before its apply, in a folder with everything that the apply reads and writes. */
export interface CrashScene {
  readonly folder: string
  /** What lies in the folder and is put back after each death. */
  readonly contents: readonly string[]
  readonly job: Omit<ApplyJob, 'way' | 'stopAfter' | 'signal'>
  /** As the next program would. */
  open(): Promise<Sandbox>
  isNew(): Promise<boolean>
  expectOld(): Promise<void>
  expectNew(): Promise<void>
}

export type Way = 'finish' | 'undo'

/** Processes that apply the plan of the scene, are killed, and leave what others settle. */
export function crashStory(scene: CrashScene) {
  const { folder, contents } = scene
  const [saved, dead] = [`${folder}-saved`, `${folder}-dead`]
  const images = `${folder}-images`
  onTestFinished(async () => {
    for (const copy of [saved, dead, images]) await rm(copy, { recursive: true, force: true })
  })
  const keepAs = (copy: string) => execFileSync('cp', ['-a', folder, copy])
  const putBack = async (copy: string) => {
    for (const name of contents) {
      await rm(join(folder, name), { recursive: true })
      await rename(join(copy, name), join(folder, name))
    }
    await rm(copy, { recursive: true })
  }
  const start = (way: ApplyJob['way'], stopAfter: number | null, more: Partial<ApplyJob> = {}) =>
    startApply({ ...scene.job, ...more, way, stopAfter, signal: 'SIGKILL' }).ended

  /** Where it was killed before the journal was there, nothing has happened and nothing is unfinished. */
  async function settle(way: Way): Promise<'nothing to settle' | 'settled'> {
    const sandbox = await scene.open()
    try {
      const unfinished = await sandbox.unfinishedApply()
      if (unfinished) expectOk(await sandbox.settleApply(unfinished.undoing ? 'undo' : way, never))
      expect(await sandbox.unfinishedApply()).toBeNull()
      if (!unfinished) return 'nothing to settle'
      await expectThat(unfinished.undoing ? 'undo' : way)
      return 'settled'
    } finally {
      await sandbox.close()
    }
  }

  const expectThat = (way: Way) => (way === 'finish' ? scene.expectNew() : scene.expectOld())

  /** All of it has happened, or nothing. */
  async function settleWhole(way: Way): Promise<void> {
    const isNew = await scene.isNew()
    if ((await settle(way)) === 'settled') return
    await (isNew ? scene.expectNew() : scene.expectOld())
  }

  return {
    async stepsOf(way: ApplyJob['way']): Promise<ApplyStep['did'][]> {
      keepAs(saved)
      const run = await start(way, null)
      await putBack(saved)
      if (run.ended === 'killed') throw new Error('expected it to end by itself')
      return run.steps
    },
    /** From one and the same moment of death, once in each direction. */
    async killAndSettle(step: number): Promise<void> {
      keepAs(saved)
      expect(await start('apply', step)).toEqual({ ended: 'killed' })
      keepAs(dead)
      await settleWhole('finish')
      await putBack(dead)
      await settleWhole('undo')
      await putBack(saved)
    },
    /** The same for many moments of one apply, from what it had on the disk then. */
    async settleFromEach(steps: readonly number[]): Promise<void> {
      keepAs(saved)
      await mkdir(images)
      await start('apply', null, { images: { of: folder, into: images, after: steps } })
      for (const step of steps) {
        const image = join(images, String(step))
        execFileSync('cp', ['-a', image, dead])
        await putBack(dead)
        await settleWhole('finish')
        await putBack(image)
        await settleWhole('undo')
      }
      await rm(images, { recursive: true })
      await putBack(saved)
    },
    /** Killed, and killed again while it is settled; says whether the second kill came before the end. */
    async killTwice(step: number, second: { way: Way; step: number }, last: Way): Promise<boolean> {
      keepAs(saved)
      expect(await start('apply', step)).toEqual({ ended: 'killed' })
      const run = await start(second.way, second.step)
      if (run.ended === 'killed') await settleWhole(last)
      else await expectThat(second.way)
      await putBack(saved)
      return run.ended === 'killed'
    },
  }
}
