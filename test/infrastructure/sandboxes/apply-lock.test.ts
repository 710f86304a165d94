import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PlanId } from '../../../src/domain/ids.ts'
import type { OnApplyStep } from '../../../src/domain/sandbox/strategy.ts'
import type { ApplyJob } from '../../support/apply-child.ts'
import { startApply, stopped } from '../../support/apply-process.ts'
import { lines } from '../../support/contract-files.ts'
import { makeRepository, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, gitWorktreeStrategy, never, otherPlanId, planId } from '../../support/sandbox.ts'

test('two plans are applied to one folder one after the other, the second around what the first left', async () => {
  const { first, second, text } = await twoPlans()
  let meanwhile: ReturnType<typeof second.apply> | null = null

  const one = await first.apply(({ did }) => {
    if (did === 'write_journal') meanwhile = second.apply()
  })
  const refused = await meanwhile
  const two = await second.apply()

  expect(refused).toMatchObject({
    ok: false,
    failure: {
      code: 'transient',
      message: expect.stringMatching(
        new RegExp(
          `^Plan ${planId} \\(process ${process.pid}, since .*\\) is being applied to this folder\\.`,
        ),
      ),
    },
  })
  expect([one, two]).toMatchObject([
    { ok: true, value: { outcome: 'applied' } },
    { ok: true, value: { outcome: 'applied' } },
  ])
  expect(await text()).toBe(lines(20).replace('line 2\n', 'first\n').replace('line 19\n', 'second\n'))
})

test('a plan that another process applies is named with that process, and waits for nobody who is dead', async () => {
  const { first, second, text } = await twoPlans()
  const running = startApply(first.job({ stopAfter: 1, signal: 'SIGSTOP' }))
  await stopped(running.pid)

  const refused = await second.apply()
  const looked = await first.sandbox.unfinishedApply()
  running.goOn()
  await running.ended
  const dead = startApply(second.job({ stopAfter: 1, signal: 'SIGKILL' }))
  await dead.ended

  expect(refused).toMatchObject({ ok: false, failure: { code: 'transient', facts: { pid: running.pid } } })
  expect(looked).toBeNull()
  expect(await second.apply()).toMatchObject({ ok: true, value: { outcome: 'applied' } })
  expect(await text()).toBe(lines(20).replace('line 2\n', 'first\n').replace('line 19\n', 'second\n'))
})

test('no plan is applied over the half of another', async () => {
  const { first, second } = await twoPlans()
  const killed = startApply(first.job({ stopAfter: 2, signal: 'SIGKILL' }))
  await killed.ended

  const refused = await second.apply()
  expectOk(await first.sandbox.settleApply('undo', never))

  expect(refused).toMatchObject({
    ok: false,
    failure: {
      code: 'invalid_state',
      message: `The apply of plan ${planId} to this folder was interrupted half-way. Finish it or undo it first.`,
    },
  })
  expect(await second.apply()).toMatchObject({ ok: true, value: { outcome: 'applied' } })
})

/** Two plans that change the same file in different places. */
async function twoPlans() {
  const repository = await makeRepository({ files: { 'a.txt': lines(20) } })
  const { root } = repository
  const strategy = await gitWorktreeStrategy()
  const plan = async (id: PlanId, line: string, word: string) => {
    const sandbox = expectOk(await strategy.open({ planId: id, projectRoot: root }, never))
    await writeFile(join(sandbox.root, 'a.txt'), lines(20).replace(line, word))
    const to = await checkpoint(sandbox)
    const about = {
      stateDir: strategy.stateDir,
      environment: userEnvironment(),
      planId: id,
      projectRoot: root,
    }
    return {
      sandbox,
      apply: (onStep: OnApplyStep = () => {}) => sandbox.apply(all(sandbox, to), never, { onStep }),
      job: (stop: Pick<ApplyJob, 'stopAfter' | 'signal'>): ApplyJob => ({
        ...about,
        way: 'apply',
        to,
        ...stop,
      }),
    }
  }
  return {
    first: await plan(planId, 'line 2\n', 'first\n'),
    second: await plan(otherPlanId, 'line 19\n', 'second\n'),
    text: () => readFile(join(root, 'a.txt'), 'utf8'),
  }
}
