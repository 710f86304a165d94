import { ok, type Result } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import { BEGINS } from '../child/create-child.ts'
import { inheritStore } from '../child/inherit-store.ts'
import { openParent, type Parent } from '../child/parent.ts'
import type { CreatedSandbox, FolderSpec, FolderStrategy } from '../folder-strategy.ts'
import { layState } from '../restore.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { describeRepository, type GitAccess } from '../store/project-repository.ts'
import { recordState, treeOf } from '../store/states.ts'
import { makeView } from './create-overlay.ts'
import { ignoreRules } from './ignore-rules.ts'
import { makePlaces } from './make-places.ts'
import { overlayPlaces } from './places.ts'
import { readUpper } from './read-upper.ts'

interface ChildSpec extends FolderSpec {
  readonly parent: Parent
  readonly present: FolderStrategy['present']
}

/** A layer of its own over the user's folder, into which the state of the parent is laid. */
export async function createChildOverlay(
  access: GitAccess,
  folder: PlanFolder,
  { parent, present, projectRoot }: ChildSpec,
  signal: AbortSignal,
): Promise<Result<CreatedSandbox>> {
  const lower = await lowerTree(access, parent)
  if (!lower.ok) return lower
  const inherited = await inheritStore(access.git, folder, { ...parent, further: [lower.value] }, signal)
  if (!inherited.ok) return inherited
  const { store, tree } = inherited.value
  // First the state that the layer lies over: until something is laid in it, that is what there is.
  const user = await recordBaseline(store, lower.value, signal)
  if (!user.ok) return user
  const baseline = await recordState(store, { tree, parent: null, label: 'baseline', ref: null }, signal)
  if (!baseline.ok) return baseline
  await makePlaces(overlayPlaces(folder), projectRoot)
  const repository = await describeRepository(access, projectRoot, signal)
  signal.throwIfAborted()
  const view = repository.ok ? await makeView(access, store, repository.value, signal) : []
  const work = present(store, { projectRoot, lower: user.value })
  const asked = { state: baseline.value, scope: { kind: 'all' } } as const
  const laid = await layState(store, work, asked, signal).finally(() => work.leave())
  if (!laid.ok) return laid
  const began = await recordBaseline(store, tree, signal)
  if (!began.ok) return began
  const changed = await changedIgnored(store, { parent, projectRoot, lower: lower.value, tree }, signal)
  if (!changed.ok) return changed
  return ok({
    baseline: began.value,
    lower: user.value,
    notices: [BEGINS, ...(changed.value ? [IGNORED_AS_YOURS] : []), ...view],
    hasIgnored: !changed.value,
  })
}

const IGNORED_AS_YOURS =
  'Dependency folders and other ignored files are the ones in your folder; what the parent plan changed in them is not in this sandbox.'

function recordBaseline(
  store: PrivateStore,
  tree: string,
  signal: AbortSignal,
): Promise<Result<SandboxState>> {
  return recordState(store, { tree, parent: null, label: 'baseline', ref: 'baseline' }, signal)
}

async function lowerTree({ git }: GitAccess, parent: Parent): Promise<Result<string>> {
  const from = await openParent(git, parent)
  if (!from.ok) return from
  return parent.lower === null ? ok(from.value.tree) : treeOf(from.value.store, parent.lower)
}

/** Whether the parent's layer has anything that is part of no state. */
async function changedIgnored(
  store: PrivateStore,
  { parent, projectRoot, lower, tree }: ChangedIn,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const { upper } = overlayPlaces(parent.folder)
  const found = await readUpper(
    {
      store,
      upper: Buffer.from(upper),
      projectRoot: Buffer.from(projectRoot),
      base: { tree: lower, known: new Map() },
      recorded: { tree, known: new Map() },
      rules: ignoreRules(store, upper, lower),
    },
    signal,
  )
  return found.ok ? ok(found.value.ignored.length > 0) : found
}

interface ChangedIn {
  readonly parent: Parent
  readonly projectRoot: string
  readonly lower: string
  readonly tree: string
}
