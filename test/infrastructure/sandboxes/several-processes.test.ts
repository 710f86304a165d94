import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asId, type PlanId } from '../../../src/domain/ids.ts'
import type { ChangeSet } from '../../../src/domain/sandbox/changeset.ts'
import type { Sandbox, SandboxState, SandboxStrategyName } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, contractFiles, lines } from '../../support/contract-files.ts'
import { snapshotFolder } from '../../support/folder-snapshot.ts'
import { makeRepository, userEnvironment, writeFiles } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { never, planId, strategyAt } from '../../support/sandbox.ts'
import { type SandboxProcess, startSandboxProcess } from '../../support/sandbox-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const strategies: readonly SandboxStrategyName[] = ['git_worktree', 'filesystem_copy']

describe.each(strategies)('with several processes, %s', strategy => {
  const settingsFor = (id: PlanId, projectRoot: string, stateDir: string) =>
    ({ stateDir, strategy, spec: { planId: id, projectRoot }, environment: userEnvironment() }) as const

  test('keeps plans on one project apart until both are in the files', async () => {
    const repository = await makeRepository({ files: contractFiles })
    const stateDir = await temporaryFolder()
    const before = await snapshotFolder(repository.root, { except: [] })
    const plans = await Promise.all(
      ['01JZZZZZZZZZZZZZZZZZZZZZZ1', '01JZZZZZZZZZZZZZZZZZZZZZZ2', '01JZZZZZZZZZZZZZZZZZZZZZZ3'].map(id =>
        startSandboxProcess(settingsFor(asId<PlanId>(id), repository.root, stateDir)),
      ),
    )

    const opened = await Promise.all(plans.map(open))
    expect(new Set(opened.map(each => each.root)).size).toBe(plans.length)
    for (const [number, { root }] of opened.entries()) {
      const own = lines(30).replace(`line ${10 * number + 1}\n`, `plan ${number}\n`)
      await writeFiles(root, { 'src/one.txt': own, [`plan-${number}.txt`]: 'own\n' })
    }
    const states = await Promise.all(plans.map(record))
    expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
    for (const [number, plan] of plans.entries())
      await applied(plan, opened[number]?.baseline, states[number])

    const merged = [0, 1, 2].reduce(
      (text, number) => text.replace(`line ${10 * number + 1}\n`, `plan ${number}\n`),
      lines(30),
    )
    expect(await readFile(join(repository.root, 'src/one.txt'), 'utf8')).toBe(merged)
    const names = Object.keys(await bytes(repository.root))
    expect(names.filter(name => name.startsWith('plan-'))).toEqual(['plan-0.txt', 'plan-1.txt', 'plan-2.txt'])
  })

  test('lets one look while another works, and disturbs neither', async () => {
    const repository = await makeRepository({ files: contractFiles })
    const stateDir = await temporaryFolder()
    const worker = await startSandboxProcess(settingsFor(planId, repository.root, stateDir))
    const { root, baseline } = await open(worker)
    await writeFiles(root, { 'src/one.txt': 'first\n' })
    const first = await record(worker)
    const looker = expectOk(
      await strategyAt(stateDir, strategy).open({ planId, projectRoot: repository.root }, never),
    )
    let isWorking = true
    const lookAllTheTime = async () => {
      const seen: (ChangeSet | string)[] = []
      while (isWorking) seen.push(await look(looker, baseline, first))
      return seen
    }
    const work = async () => {
      for (let round = 0; round < 3; round++) {
        await writeFiles(root, { 'src/one.txt': `round ${round}\n`, [`new-${round}.txt`]: 'new\n' })
        expect(await record(worker)).toMatch(/^[0-9a-f]{40}/)
        expect(await worker.perform({ do: 'restore', state: round % 2 ? first : baseline })).toMatchObject({
          answer: { ok: true },
        })
      }
    }
    // Together, so that whichever fails is the failure of this test.
    const [seen] = await Promise.all([
      lookAllTheTime(),
      work().finally(() => {
        isWorking = false
      }),
    ])

    expect(seen.length).toBeGreaterThan(0)
    for (const each of seen)
      expect(each).toMatchObject({ files: [{ path: 'src/one.txt', status: 'modified' }] })
    expect(await bytes(root)).toEqual(await bytes(repository.root))
  })
})

async function open(plan: SandboxProcess) {
  const performed = await plan.perform({ do: 'open' })
  if (performed === null) throw new Error('the process died')
  return performed.answer as { readonly root: string; readonly baseline: SandboxState }
}

async function record(plan: SandboxProcess): Promise<SandboxState> {
  const performed = await plan.perform({ do: 'checkpoint', label: 'work', written: 'unknown' })
  expect(performed).toMatchObject({ answer: { ok: true } })
  if (performed === null) throw new Error('the process died')
  return (performed.answer as { readonly value: SandboxState }).value
}

async function applied(plan: SandboxProcess, from?: SandboxState, to?: SandboxState): Promise<void> {
  if (!from || !to) throw new Error('no state')
  expect(await plan.perform({ do: 'apply', from, to })).toMatchObject({
    answer: { ok: true, value: { outcome: 'applied' } },
  })
}

/** The change set, after everything else that only looks answered too. */
async function look(sandbox: Sandbox, from: SandboxState, to: SandboxState): Promise<ChangeSet | string> {
  const about = { scope: { kind: 'all' }, since: '2026-01-01T00:00:00Z' } as const
  const answers = [
    await sandbox.drift(to, []),
    await sandbox.previewRestore(from, about),
    await sandbox.patch(from, to),
  ]
  for (const answer of answers) if (!answer.ok) return answer.failure.message
  const changes = await sandbox.changes(from, to)
  return changes.ok ? changes.value : changes.failure.message
}
