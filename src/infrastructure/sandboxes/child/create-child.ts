import { lstatSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { bytesOfRelPath } from '../../../domain/sandbox/rel-path.ts'
import { inheritBesides } from '../besides.ts'
import { bringAlong } from '../bring-along.ts'
import type { BringAccess } from '../bring-limits.ts'
import { type BigFile, bigFile } from '../copy/big-files.ts'
import type { CreatedSandbox, FolderSpec } from '../folder-strategy.ts'
import { makeAgentView } from '../store/agent-view.ts'
import { sortIgnored } from '../store/ignored-paths.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { openStore, type PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess } from '../store/project-repository.ts'
import { recordState } from '../store/states.ts'
import { under } from '../writes/parents.ts'
import { type InheritedIgnored, inheritIgnored } from './inherit-ignored.ts'
import { inheritStore } from './inherit-store.ts'
import type { Parent } from './parent.ts'

/** Makes the sandbox of a child as an ordinary folder: a state of its parent's, and what that has besides states. */
export async function createChild(
  access: GitAccess & BringAccess,
  folder: PlanFolder,
  { parent, ...spec }: FolderSpec & { readonly parent: Parent },
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  await mkdir(folder.root, { recursive: true })
  const inherited = await inheritStore(access.git, folder, parent, signal)
  if (!inherited.ok) return inherited
  const { store, tree } = inherited.value
  const state = { tree, parent: null, label: 'baseline', ref: 'baseline' } as const
  const baseline = await recordState(store, state, signal)
  if (!baseline.ok) return baseline
  const filled = await fillRoot(store, tree, signal)
  if (!filled.ok) return filled
  await inheritBesides(parent.folder, folder)
  const view = await viewFor(access, store, spec, signal)
  const ignored = await bringIgnored(
    access,
    { from: openStore(access.git, parent.folder), to: store },
    spec,
    signal,
  )
  if (!ignored.ok) return ignored
  return ok({
    baseline: baseline.value,
    notices: [BEGINS, ...view, ...ignored.value.notices],
    bigFiles: bigFilesIn(folder.root, parent.bigFiles),
    hasIgnored: ignored.value.isWhole,
  })
}

export const BEGINS = 'The sandbox began from the work of the parent plan, not from your files.'

/** The files come from the store: the parent may be writing in its folder in this very moment. */
async function fillRoot(store: PrivateStore, tree: string, signal: AbortSignal): Promise<Result<void>> {
  const place = { workTree: store.folder.root, index: store.folder.workIndex }
  const args = ['read-tree', '--reset', '-u', '--no-recurse-submodules', tree]
  const filled = await store.run({ ...place, args }, signal)
  if (!filled.ok) return filled
  const different = await store.run({ ...place, args: ['diff-files', '--name-only', '-z'] }, signal)
  if (!different.ok) return different
  if (different.value.length === 0) return ok()
  const names = different.value.toString().split('\0').filter(Boolean)
  return refuse(
    'sandbox_failed',
    `The sandbox differs from the state of the parent plan at ${names.slice(0, MOST_NAMES).join(', ')}. Is the disk of another kind?`,
    { paths: names },
  )
}

const MOST_NAMES = 10

async function bringIgnored(
  access: GitAccess & BringAccess,
  stores: { readonly from: PrivateStore; readonly to: PrivateStore },
  spec: FolderSpec,
  signal: AbortSignal,
): Promise<Result<InheritedIgnored>> {
  const inherited = await inheritIgnored(access, stores, spec, signal)
  if (!inherited.ok) return inherited
  if (inherited.value !== null) return ok(inherited.value)
  const { to } = stores
  const found = await sortIgnored(to, { workTree: spec.projectRoot, index: to.folder.userIndex }, signal)
  if (!found.ok) return found
  const move = { from: spec.projectRoot, to: to.folder.root, environment: { ...access.environment } }
  const bringing = { ...move, limits: access.bringLimits() }
  return ok({ notices: await bringAlong(found.value.brought, bringing, signal), isWhole: false })
}

async function viewFor(
  access: GitAccess,
  store: PrivateStore,
  { projectRoot }: FolderSpec,
  signal: AbortSignal,
): Promise<string[]> {
  const repository = await describeRepository(access, projectRoot, signal)
  signal.throwIfAborted()
  if (!repository.ok) return []
  const viewed = await makeAgentView(access.git, store, repository.value, signal)
  return viewed.ok ? [] : [`git commands in the sandbox do not work: ${viewed.failure.message}`]
}

/** What is known of the copies: that nothing wrote to them yet. */
function bigFilesIn(root: string, files: readonly BigFile[]): BigFile[] {
  return files.flatMap(({ path }) => {
    const place = Buffer.from(bytesOfRelPath(path))
    const copy = lstatSync(under(Buffer.from(root), place), { bigint: true, throwIfNoEntry: false })
    return copy?.isFile() ? bigFile(place, copy) : []
  })
}
