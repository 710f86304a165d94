import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ResourceId } from '../../../src/domain/ids.ts'
import { asId } from '../../../src/domain/ids.ts'
import type { ApplyStep } from '../../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../../src/infrastructure/system/host.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { crashStory, type Way } from '../../support/crash-story.ts'
import { makeDatabase, shopTables, statement, type UserDatabase } from '../../support/database.ts'
import { aResource } from '../../support/records.ts'
import { makeRepository, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, never, planId } from '../../support/sandbox.ts'

const isLong = process.env['LONG'] === '1'

// Each kill is a process with its own start; on a busy machine that takes seconds.
describe('an apply of files and two databases that is killed', {
  timeout: isLong ? 7_200_000 : 300_000,
}, () => {
  test('ends with all of them as before or all of them as wanted, whichever way it is settled', async () => {
    const story = await begin()
    const steps = await story.stepsOf('apply')
    const between = steps.flatMap((did, index) => (betweenParts.has(did) ? [index + 1] : []))
    expect(between.length).toBe(8)

    await story.settleFromEach(between)
    await story.killAndSettle(steps.indexOf('close_journal') + 1)
  })

  test.runIf(isLong)(
    'can be killed again while it is taken back, before and after the first database',
    async () => {
      const story = await begin()
      const steps = await story.stepsOf('apply')

      const deaths = [steps.indexOf('close_journal') + 1, steps.lastIndexOf('commit') + 1]
      for (const [index, first] of deaths.entries())
        for (const step of isLong ? [1, 2, 4] : [4 - 2 * index])
          expect(await story.killTwice(first, { way: 'undo', step }, 'undo')).toBe(true)
    },
  )

  test.runIf(isLong)('at every single step', async () => {
    const story = await begin()
    const steps = await story.stepsOf('apply')
    await story.settleFromEach(steps.map((_did, index) => index + 1))
  })

  test.runIf(isLong)('between any two parts, and again at every single step of settling', async () => {
    const story = await begin()
    const steps = await story.stepsOf('apply')
    for (const first of steps.flatMap((did, index) => (betweenParts.has(did) ? [index + 1] : [])))
      for (const [way, last] of [
        ['undo', 'undo'],
        ['finish', 'finish'],
        ['finish', 'undo'],
      ] as const)
        await untilOver(story, { first, way, last })
  })
})

/** Where one part has ended and the next has not begun. */
const betweenParts: ReadonlySet<ApplyStep['did']> = new Set([
  'write_record',
  'close_journal',
  'commit',
  'remove_record',
])

type Story = Awaited<ReturnType<typeof begin>>

/** Each step of settling in turn, until the second process gets to its end. */
async function untilOver(
  story: Story,
  { first, way, last }: { first: number; way: Way; last: Way },
): Promise<void> {
  for (let step = 1; ; step++) if (!(await story.killTwice(first, { way, step }, last))) return
}

/** A project with a database in it, another beside it, and a plan that changed all three. */
async function begin() {
  const { root, git } = await makeRepository({
    files: { 'a.txt': lines(10), 'gone/b.txt': 'b\n', '.gitignore': 'data/\n' },
  })
  await git('repack', '-adq')
  const folder = dirname(root)
  const user = {
    stock: await makeDatabase(`PRAGMA journal_mode = WAL; ${shopTables}`, join(root, 'data/stock.db')),
    shop: await makeDatabase(`PRAGMA journal_mode = WAL; ${shopTables}`, join(folder, 'beside/shop.db')),
  }
  const resources = [
    aResource({ name: 'stock', location: user.stock.file }),
    aResource({
      name: 'shop',
      location: user.shop.file,
      resourceId: asId<ResourceId>('01JZZZZZZZZZZZZZZZZZZZZZD2'),
    }),
  ]
  const stateDir = join(folder, 'state')
  const open = async () => {
    const host = createHost({ pid: process.pid, dataDir: stateDir })
    const sandboxes = createSandboxes({ stateDir, environment: userEnvironment(), host })
    return expectOk(
      await expectOk(sandboxes.strategy('git_worktree', resources)).open(
        { planId, projectRoot: root },
        never,
      ),
    )
  }
  const sandbox = await open()
  await work(sandbox.root)
  for (const { name } of resources)
    for (const text of changes)
      expectOk((await sandbox.databases?.change(name, statement(text))) ?? missing())
  const to = await checkpoint(sandbox)
  await sandbox.close()

  const look = async () => ({
    files: withoutDatabases(await bytes(root)),
    rows: [rowsOf(user.stock), rowsOf(user.shop)],
  })
  const before = await look()
  const wanted = { files: withoutDatabases(await bytes(sandbox.root)), rows: [wantedRows, wantedRows] }
  return crashStory({
    folder,
    contents: ['project', 'state', 'beside'],
    job: { stateDir, environment: userEnvironment(), planId, projectRoot: root, to, resources },
    open,
    isNew: async () => JSON.stringify(await look()) === JSON.stringify(wanted),
    expectOld: async () => expect(await look()).toEqual(before),
    expectNew: async () => expect(await look()).toEqual(wanted),
  })
}

async function work(root: string): Promise<void> {
  await writeFile(join(root, 'a.txt'), `${lines(10)}plan\n`)
  await mkdir(join(root, 'new'))
  await writeFile(join(root, 'new/c.txt'), 'c\n')
}

const changes = [
  "UPDATE users SET name = 'Anna' WHERE id = 1",
  "INSERT INTO users (name, mail) VALUES ('Dan', 'dan@x')",
  'DELETE FROM orders WHERE id = 2',
]
const wantedRows = {
  users: [
    [1, 'Anna'],
    [2, 'Ben'],
    [3, 'Cay'],
    [4, 'Dan'],
  ],
  orders: [[1]],
}

function rowsOf({ rows }: UserDatabase) {
  return {
    users: rows('SELECT id, name FROM users ORDER BY id'),
    orders: rows('SELECT id FROM orders ORDER BY id'),
  }
}

function missing(): never {
  throw new Error('the plan has no databases')
}

/** Their pages are compared row by row. */
function withoutDatabases(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith('data/')))
}
