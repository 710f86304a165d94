/**
 * What any sandbox strategy must promise. It never touches the user's tree before apply; closing twice is fine;
 * everything is addressed explicitly, nothing is discovered from inside the sandbox. Begin with `SandboxStrategy`.
 */

import type { Result } from '../failure.ts'
import type { PlanId } from '../ids.ts'
import type { ChangeSet } from './changeset.ts'
import type { Databases } from './database.ts'
import type { RelPath } from './rel-path.ts'

export const sandboxStrategyNames = [
  'git_worktree',
  'filesystem_copy',
  'overlay',
  'transaction_rollback',
  'none',
] as const
export type SandboxStrategyName = (typeof sandboxStrategyNames)[number]

export interface SandboxStrategy {
  readonly name: SandboxStrategyName
  /** Plain sentences shown to the user. */
  readonly protects: readonly string[]
  readonly doesNotProtect: readonly string[]
  /** What a rollback can count on: states that outlive the program, states that end with it, or none. */
  readonly restores: 'always' | 'while_open' | 'never'
  /** Where the work is done: beside what the user has, until Apply, or in it, where each write is final at once. */
  readonly place: 'beside' | 'in_place'
  /** Why it cannot be had for this project here and now; null when it can. Leaves nothing behind. */
  unavailable(spec: SandboxSpec, signal: AbortSignal): Promise<Unavailable | null>
  /** Opens the plan's sandbox, creating it from the project's present tree the first time. Idempotent per plan. */
  open(spec: SandboxSpec, signal: AbortSignal): Promise<Result<Sandbox>>
  /**
   * Removes the working folder of an ended plan; its recorded states stay readable. Nothing can be done in it again.
   * A folder with the only copy of work that no state has is left as it is.
   */
  release(planId: PlanId): Promise<void>
  /**
   * Removes the working folder of a plan that is made anew: the next `open` makes a new one from the project's present
   * tree. States of files from before can be compared, and not returned to.
   */
  renew(planId: PlanId): Promise<void>
  /** Removes everything of a plan. */
  discard(planId: PlanId): Promise<void>
}

/** A refusal is never a silent fallback: the user is told why, and what comes nearest. */
export interface Unavailable {
  /** One sentence with what to do about it. */
  readonly reason: string
  readonly nextBest: SandboxStrategyName | null
}

export interface SandboxSpec {
  readonly planId: PlanId
  /** Absolute path of the project's root folder. */
  readonly projectRoot: string
  /** Databases that lie in the project: they have sandboxes of their own, and the folder's states leave them out. */
  readonly apart?: readonly RelPath[]
  /** Where a child begins: a state of its parent's sandbox, never the user's tree. Only for a sandbox that is made anew. */
  readonly startsFrom?: Origin
}

/** A recorded state of another plan's sandbox. */
export interface Origin {
  readonly planId: PlanId
  readonly state: SandboxState
}

/** Where a child's sandbox began. */
export interface ChildOrigin extends Origin {
  /** Whether what is part of no state came along as it was there, so that nothing has to be set up again. */
  readonly hasIgnored: boolean
}

/** A state of the sandbox that can be returned to: a commit in the plan's private store. */
export type SandboxState = string & { readonly sandboxState: true }

export interface Sandbox {
  readonly strategy: SandboxStrategyName
  /**
   * Absolute path of the folder in which tools and commands work, the same whenever the plan is opened. It can be used
   * once `enter` has answered.
   */
  readonly root: string
  /**
   * Makes the root usable for as long as the sandbox is open: one that is mounted for a few processes only is mounted
   * now. Looking at recorded states needs none of it. Entering twice is fine.
   */
  enter(): Promise<Result<SandboxEntry | null>>
  /** The databases that belong to the plan; null where there are none. */
  readonly databases: Databases | null
  /** The state captured when the plan started: the merge base of the first apply. */
  readonly baseline: SandboxState
  /** Null where it began from the user's tree. */
  readonly startedFrom: ChildOrigin | null
  /** What a person should know, e.g. "node_modules was brought along by copy", "merge in progress". */
  readonly notices: readonly string[]
  /**
   * Records the present state and verifies that it was written whole. `written` names the paths touched since the
   * last checkpoint; `'unknown'` (after a command) scans.
   */
  checkpoint(label: string, written: readonly RelPath[] | 'unknown'): Promise<Result<SandboxState>>
  /** Returns the sandbox to a state, writing only files that differ; all or nothing. All of it unless a scope is given. */
  restore(state: SandboxState, scope?: RestoreScope): Promise<Result<RestoreReport>>
  /** What `restore` would do now; writes nothing in the sandbox. `since` is when that state was the present one. */
  previewRestore(
    state: SandboxState,
    about: { readonly scope: RestoreScope; readonly since: string },
  ): Promise<Result<RestorePreview>>
  /**
   * What neither a step nor a checkpoint accounts for: paths that differ from `recorded` and are not among `written`.
   * By content; the cost is one look at the times of all files.
   */
  drift(recorded: SandboxState, written: readonly RelPath[]): Promise<Result<readonly DriftedPath[]>>
  /**
   * The user's own tree as it is now, as a state to compare and merge with `known`, from which it has whatever cannot be
   * looked at. Null where nobody can tell.
   */
  captureProject(known: SandboxState): Promise<Result<SandboxState | null>>
  /**
   * Files that were written to and are in no state, e.g. too big to be recorded, and that the user's tree does not have
   * as they are here: the only copy of that work.
   */
  unrecorded(): Promise<readonly RelPath[]>
  /** The files that differ between two recorded states. */
  changes(from: SandboxState, to: SandboxState): Promise<Result<ChangeSet>>
  /** Unified diff with full index lines and binary patches, as `git apply` accepts it. Bytes: files have no encoding. */
  patch(from: SandboxState, to: SandboxState, only?: readonly RelPath[]): Promise<Result<Uint8Array>>
  /** The state that has of from..to only what the request chooses; refuses what `apply` would refuse of a choice. */
  choose(request: ApplyRequest): Promise<Result<SandboxState>>
  /**
   * Merges what the request chooses of from..to into the user's tree as it is now (three-way). Nothing is written when
   * a path conflicts. Never touches the user's index, HEAD, branches, stash or untouched files. The signal stops it
   * until the first file is written; from then on it goes to its end, because half of it is what nobody wants.
   */
  apply(request: ApplyRequest, signal: AbortSignal, watch?: ApplyWatch): Promise<Result<ApplyReport>>
  /** What an apply left half done when its process ended; null when nothing is. */
  unfinishedApply(): Promise<UnfinishedApply | null>
  /**
   * Brings an unfinished apply to its end, or puts the user's tree back as it was. Both can be interrupted and
   * repeated; an undo that has begun can only go on.
   */
  settleApply(way: 'finish' | 'undo', signal: AbortSignal, watch?: ApplyWatch): Promise<Result<ApplyReport>>
  /**
   * Lays what changed between two states of another plan's sandbox into this one as it is now, by three-way merge: all
   * of it or, where a path conflicts, nothing. Afterwards nothing here depends on the other sandbox.
   *
   * What is here before it and what it leads to are both recorded before the first file is written. Cut short, it leaves
   * files of both, from which a restore leads to either, exactly; asked again, it begins from what it finds.
   */
  merge(source: MergeSource, signal: AbortSignal): Promise<Result<MergeReport>>
  /**
   * The state that `onto` becomes when what changed between two states is laid on it by three-way merge: all of it or,
   * where a path conflicts, nothing. Nothing in the sandbox is read or written; the state can be restored like any other,
   * and asking again gives the same one.
   */
  replay(onto: SandboxState, work: ReplayedWork): Promise<Result<ReplayReport>>
  /** A state of another plan's sandbox, brought here to be compared with; of all of it there is nothing in the folder. */
  receive(source: Origin): Promise<Result<SandboxState>>
  /** Ends what is held open (processes, locks). The state on disk stays. */
  close(): Promise<void>
}

export interface RestoreReport {
  readonly restored: readonly RelPath[]
  readonly removed: readonly RelPath[]
}

/** Which paths a restore is about. Every other keeps what it has. */
export type RestoreScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'only' | 'except'; readonly paths: readonly RelPath[] }

export interface RestorePreview {
  readonly restored: readonly RestoredPath[]
  /** No part of any state, and changed after the asked-for moment. A folder stands for all that is in it. */
  readonly leftAlone: readonly { readonly path: RelPath; readonly changedAt: string }[]
  /** What the sandbox holds besides files and cannot return, each with the reason in words. */
  readonly cannotRestore: readonly { readonly what: string; readonly why: string }[]
}

export interface RestoredPath {
  readonly path: RelPath
  /** rewritten: it is another now; brought_back: it is missing now; removed: it was not there then. */
  readonly how: 'rewritten' | 'brought_back' | 'removed'
}

export interface DriftedPath {
  readonly path: RelPath
  readonly how: 'added' | 'changed' | 'removed'
  /** Names exactly what is there now; null when nothing is. */
  readonly content: string | null
}

/**
 * How a command gets to a sandbox that is mounted for a few processes only: what stands before its argv, and where the
 * root is for it. Null where the root is an ordinary folder.
 */
export interface SandboxEntry {
  /** Keeps rights and working folder as they are; whoever runs a command under it sets both afterwards. */
  readonly prefix: readonly string[]
  readonly root: string
}

export interface ApplyRequest {
  /** What the user's tree has of the plan already: the baseline, or the state that an earlier apply reported. */
  readonly from: SandboxState
  readonly to: SandboxState
  /** What is not chosen stays in the plan's remaining diff. */
  readonly choice: ApplyChoice
}

export type ApplyChoice =
  | { readonly kind: 'all' }
  /** A folder stands for all files in it; a rename is chosen as a whole by either of its names. */
  | { readonly kind: 'paths'; readonly only: readonly RelPath[] }
  /** A patch with some of the hunks of `patch(from, to)`; one that holds anything else is refused. */
  | { readonly kind: 'hunks'; readonly patch: Uint8Array }

export type ApplyReport =
  | {
      readonly outcome: 'applied'
      readonly written: readonly RelPath[]
      /** Chosen, and already as wanted in the user's tree. */
      readonly unchanged: readonly RelPath[]
      /** Not written, because somebody changed them while the rest was written: they stay in the remaining diff. */
      readonly left: readonly ApplyConflict[]
      /** What a person should know of what was written, e.g. that a file has other names. */
      readonly notices: readonly string[]
      /** What the user's tree has of the plan now; equals `to` once everything was applied. */
      readonly state: SandboxState
    }
  | { readonly outcome: 'constrained'; readonly conflicts: readonly ApplyConflict[] }
  | {
      readonly outcome: 'undone'
      /** Put back as they were before the apply. */
      readonly restored: readonly RelPath[]
      /** Somebody changed them since; they are as that person left them. */
      readonly left: readonly ApplyConflict[]
    }

/** An apply that its process did not bring to an end. Paths that somebody changed since are in neither list. */
export interface UnfinishedApply {
  readonly startedAt: string
  /** As the plan wants them. */
  readonly written: readonly RelPath[]
  /** As they were before. */
  readonly waiting: readonly RelPath[]
  /** It is being put back; what is written has still to be. */
  readonly undoing: boolean
}

export type AppliedReport = Extract<ApplyReport, { outcome: 'applied' }>

export interface ApplyWatch {
  readonly onStep?: OnApplyStep
  /**
   * Told what was done when all of it is on the disk and the apply can still be settled either way, so that whoever has
   * more to do can write it down without a gap. Where it throws, everything is taken back.
   */
  readonly onWritten?: (report: AppliedReport) => Promise<void>
}

/** Called after each change on the disk that an apply makes; `done` of `total` paths have their new content. */
export type OnApplyStep = (step: ApplyStep) => void

export interface ApplyStep {
  readonly did:
    | 'stage'
    | 'write_journal'
    | 'keep_old'
    | 'make_folder'
    | 'swap'
    | 'remove_folder'
    | 'put_back'
    | 'close_journal'
    | 'sweep'
    | 'write_record'
    | 'commit'
    | 'remove_record'
  readonly done: number
  readonly total: number
}

/** From the later to the earlier state it takes back what was done between them. */
export interface MergeSource {
  readonly planId: PlanId
  readonly from: SandboxState
  readonly to: SandboxState
  /** What happens where both changed one thing; nothing is merged then, unless it says otherwise. */
  readonly onConflict?: OnConflict
}

/** For each path by itself: whatever else changed in the same files is merged. */
export type OnConflict = 'refuse' | 'take_theirs' | 'keep_ours'

export type MergeReport =
  | {
      readonly outcome: 'merged'
      readonly written: readonly RelPath[]
      /** Where both met, and one of them was taken as asked. */
      readonly decided: readonly RelPath[]
      /** The sandbox with the merge in it, recorded. */
      readonly state: SandboxState
    }
  | { readonly outcome: 'constrained'; readonly conflicts: readonly ApplyConflict[] }

export interface ReplayedWork {
  readonly from: SandboxState
  readonly to: SandboxState
}

export type ReplayReport =
  | { readonly outcome: 'merged'; readonly state: SandboxState }
  | { readonly outcome: 'constrained'; readonly conflicts: readonly ApplyConflict[] }

export interface ApplyConflict {
  readonly path: RelPath
  readonly kind:
    | 'content'
    | 'binary'
    | 'modify_delete'
    | 'rename'
    | 'file_directory'
    | 'foreign'
    | 'unsafe_parent'
    | 'too_big'
  /** One sentence for people. */
  readonly reason: string
}
