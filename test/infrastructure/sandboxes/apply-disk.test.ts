import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ApplyRun, startApply } from '../../support/apply-process.ts'
import { bytes } from '../../support/contract-files.ts'
import { makeRepository, userEnvironment } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { checkpoint, gitWorktreeStrategy, never, planId } from '../../support/sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A process may have mounts that nobody else sees, where the system allows it. */
const cannotMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status !== 0
if (cannotMount)
  console.warn('skipped: tests of full and read-only disks, because nothing can be mounted here')

test.skipIf(cannotMount)('a project on a full disk is not touched, and nothing is left on it', async () => {
  const { root, applyIn, before } = await begin()

  const run = await applyIn(`mount -t tmpfs -o size=300k none "$ROOT" && cp -a "$COPY/." "$ROOT"`)

  expect(run).toMatchObject({
    report: {
      ok: false,
      failure: {
        code: 'disk_full',
        message: `The disk is full. Nothing in ${root} was changed. Free some space and try again.`,
      },
    },
    files: before,
  })
})

test.skipIf(cannotMount)('a full disk below the data folder leaves the project alone', async () => {
  const { applyIn, before, stateDir } = await begin()

  const run = await applyIn(
    `mkdir -p "$PLAN/apply" && mount -t tmpfs -o size=4k,nr_inodes=3 none "$PLAN/apply"`,
  )

  expect(run).toMatchObject({ report: { ok: false, failure: { code: 'disk_full' } }, files: before })
  expect(await readdir(join(stateDir, 'plans', planId, 'apply'))).toEqual([])
})

test.skipIf(cannotMount)('a project that can only be read is found before anything is prepared', async () => {
  const { root, applyIn, before } = await begin()

  const run = await applyIn(`mount --bind "$ROOT" "$ROOT" && mount -o remount,ro,bind "$ROOT"`)

  expect(run).toMatchObject({
    steps: [],
    report: {
      ok: false,
      failure: {
        code: 'sandbox_failed',
        message: `Nothing was written. The folder ${root} cannot be changed: it is on a file system that can only be read.`,
      },
    },
    files: before,
  })
})

test.skipIf(cannotMount)(
  'folders on other file systems inside the project are written and swapped too',
  async () => {
    const { applyIn, wanted } = await begin()

    const run = await applyIn(
      `mount -t tmpfs none "$ROOT/dir" && cp -a "$COPY/dir/." "$ROOT/dir" && mkdir "$ROOT/bound" && cp -a "$COPY/bound/." "$ROOT/bound" && mount --bind "$ROOT/bound" "$ROOT/bound"`,
    )

    expect(run).toMatchObject({
      report: { ok: true, value: { outcome: 'applied', left: [] } },
      files: wanted,
    })
  },
)

/** A plan that makes, edits and deletes, and half a megabyte that does not compress. */
async function begin() {
  const repository = await makeRepository({
    files: { 'a.txt': 'a\n', 'dir/b.txt': 'b\n', 'dir/c.txt': 'c\n', 'bound/d.txt': 'd\n' },
  })
  const { root } = repository
  const strategy = await gitWorktreeStrategy()
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: root }, never))
  await writeFile(join(sandbox.root, 'a.txt'), 'plan\n')
  await writeFile(join(sandbox.root, 'bound/d.txt'), 'plan\n')
  await writeFile(join(sandbox.root, 'dir/c.txt'), 'plan\n')
  await writeFile(join(sandbox.root, 'dir/big.bin'), randomBytes(512 * 1024))
  const to = await checkpoint(sandbox)
  const copy = join(await temporaryFolder(), 'copy')
  await cp(root, copy, { recursive: true })
  const { stateDir } = strategy
  const applyIn = (mounting: string): Promise<ApplyRun> => {
    const names = { ROOT: root, COPY: copy, PLAN: join(stateDir, 'plans', planId) }
    const setting = Object.entries(names).map(([name, value]) => `${name}=${value}`)
    const before = ['env', ...setting, 'unshare', '-m', 'sh', '-ec', `${mounting}; exec "$@"`, 'sh']
    const about = { stateDir, environment: userEnvironment(), planId, projectRoot: root, to }
    return startApply({ ...about, way: 'apply', stopAfter: null, signal: 'SIGKILL' }, before).ended
  }
  return { root, stateDir, applyIn, before: await bytes(root), wanted: await bytes(sandbox.root) }
}
