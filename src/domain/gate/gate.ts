import type { ChildRequest, MergeRule, SpawnRequest } from '../actor/actor.ts'
import type { ConfidenceFactors, DecisionOption, DecisionType, GateConfidence } from '../decision/decision.ts'
import type { Excess } from '../guardrails/limits.ts'
import type { GuardName, GuardScope } from '../guards/guard.ts'
import type { GateId, PlanId } from '../ids.ts'
import type { StrategyText } from '../plan/plan.ts'
import type { RelPath } from '../sandbox/rel-path.ts'
import type { ApplyConflict, DriftedPath } from '../sandbox/strategy.ts'
import type { AutomationGate } from './automation.ts'

export const gateKinds = [
  'phase',
  'decision',
  'child',
  'tool',
  'guard',
  'step_approval',
  'validation_fix',
  'strategy_revision',
  'retry',
  'restore',
  'constrained',
  'budget',
  'confirmation',
  'ask',
  'merge_conflict',
  'drift',
  'resume',
  'error',
  'trust',
] as const
export type GateKind = (typeof gateKinds)[number]

/** A question that waits for a human. It survives restarts; none can hide another; no answer takes effect twice. */
export interface Gate {
  readonly gateId: GateId
  readonly planId: PlanId
  /** Which request of the plan it is about; the run loop finds the answer by it. */
  readonly requestKey: string
  /** Names from the root plan down to the plan that asks. */
  readonly path: readonly string[]
  readonly kind: GateKind
  /** The automation gate behind it, where a profile's threshold decided that a human is needed. */
  readonly automation: AutomationGate | null
  readonly phase: 'action' | 'strategize' | 'execute' | 'apply'
  readonly question: string
  /** What exactly will happen on approval, unshortened. */
  readonly subject: GateSubject
  readonly options: readonly GateOption[]
  /** Why it is asked, in one sentence, e.g. "confidence .54, profile cautious needs .80". */
  readonly reason: string
  readonly confidence: number | null
  readonly threshold: number | null
  readonly factors: ConfidenceFactors | null
  /** The whole comparison behind these numbers; null where nothing was compared, and for gates of before it was kept. */
  readonly comparison: GateConfidence | null
  /** Digest of exactly what is shown; an answer that names another digest is refused as stale. */
  readonly digest: string
  /** A destructive act is approved by typing this word instead of one key. */
  readonly confirmWord: string | null
  readonly openedAt: string
  readonly status: GateStatus
}

/** Whether a digest that a person or program names, whole or by its beginning, is this one. */
export function namesDigest(digest: string, named: string): boolean {
  return named.length >= SHORTEST_DIGEST && digest.startsWith(named)
}

const SHORTEST_DIGEST = 8

export type GateSubject =
  | {
      readonly kind: 'phase'
      readonly from: string
      readonly to: string
      /** Digest of the change set at an Apply gate. */
      readonly changesDigest: string | null
      readonly summary: string
      /** In words, before Execute; null where there is none. */
      readonly strategy: StrategyText | null
    }
  | {
      readonly kind: 'decision'
      readonly type: DecisionType
      readonly proposed: DecisionOption
      readonly rationale: string
      /** Guidance that the actor could not turn into a choice by itself. */
      readonly guidance: string | null
    }
  | {
      readonly kind: 'tool'
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>>
      readonly folder: string
    }
  /** A call that a guard stopped. */
  | {
      readonly kind: 'guard'
      readonly guard: GuardName
      readonly scope: GuardScope
      readonly tool: string
      readonly folder: string
      /** The whole command line, for the tool that runs commands. */
      readonly command: string | null
      readonly input: Readonly<Record<string, unknown>>
      /** Which parts of the command line the guard is about, by their place in it. */
      readonly marked: readonly MarkedPart[]
    }
  | {
      readonly kind: 'children'
      readonly mode: SpawnRequest['mode']
      readonly maxParallel: number
      readonly merge: MergeRule
      /** Under which they run; never more than the plan's own. */
      readonly profile: string
      readonly children: readonly ChildRequest[]
    }
  | {
      readonly kind: 'merge_conflict'
      readonly child: { readonly planId: PlanId; readonly name: string }
      readonly conflicts: readonly ApplyConflict[]
      /** Each path as a patch: what the plan made of it since the child began, and what the child did. */
      readonly sides: readonly { readonly path: RelPath; readonly ours: string; readonly theirs: string }[]
    }
  | { readonly kind: 'ask' }
  | { readonly kind: 'error'; readonly step: string; readonly message: string }
  | { readonly kind: 'resume'; readonly underWay: string }
  | {
      readonly kind: 'unfinished_apply'
      /** The user's folder. */
      readonly folder: string
      /** As the plan wants them. */
      readonly written: readonly RelPath[]
      /** As they were before. */
      readonly waiting: readonly RelPath[]
    }
  | {
      readonly kind: 'constrained'
      readonly conflicts: readonly ApplyConflict[]
      /** What can be applied without them; empty when nothing can. */
      readonly others: readonly RelPath[]
    }
  | { readonly kind: 'validation'; readonly command: string; readonly output: string }
  | {
      readonly kind: 'drift'
      /** Where it was found. */
      readonly folder: string
      readonly changes: readonly Pick<DriftedPath, 'path' | 'how'>[]
    }
  | ({
      readonly kind: 'limit'
      /** What an approval makes of it; null where it is not raised by an answer. */
      readonly raiseTo: number | null
    } & Omit<Excess, 'reason'>)
  | { readonly kind: 'trust'; readonly folder: string; readonly wouldRun: readonly string[] }

export interface MarkedPart {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly why: string
}

/** Whether it is about going on to the next phase, whoever wanted it asked. */
export function isPhaseQuestion({ kind, subject }: Pick<Gate, 'kind' | 'subject'>): boolean {
  // A confirmation shows where the plan goes as well, and lets it go on with the phase that it is in.
  return subject.kind === 'phase' && kind !== 'confirmation'
}

const heardKinds: readonly GateKind[] = [
  'phase',
  'decision',
  'ask',
  'tool',
  'step_approval',
  'child',
  'guard',
  'confirmation',
  'validation_fix',
]

/** Whether somebody is there to hear what should be different; in Apply nobody hears it about an error. */
export function takesChanges({ kind, phase }: Pick<Gate, 'kind' | 'phase'>): boolean {
  return heardKinds.includes(kind) || (kind === 'error' && phase !== 'apply')
}

export interface GateOption {
  readonly id: string
  readonly label: string
  readonly description: string | null
  /** approve lets the work go on with this option; reject stops it. */
  readonly effect: 'approve' | 'reject'
}

export type GateStatus =
  | { readonly kind: 'open' }
  | { readonly kind: 'resolved'; readonly answer: GateAnswer; readonly by: string; readonly at: string }
  | { readonly kind: 'void'; readonly reason: string; readonly at: string }

/** The one answer shape, everywhere. */
export interface GateAnswer {
  readonly decision: 'approve' | 'reject' | 'request_changes'
  readonly optionId: string | null
  readonly note: string | null
  readonly guidance: string | null
  /** The part of the changes that an approval of Apply is for; null: all of them, and at every other gate. */
  readonly part: ChosenPart | null
  /** How far an approval reaches: this one question, all alike in this plan, or under this profile. */
  readonly grant: 'once' | 'plan' | 'profile'
}

/** Plain JSON, so that it can be kept with the answer. */
export type ChosenPart =
  | { readonly kind: 'paths'; readonly only: readonly RelPath[] }
  /** A patch with some of the hunks that were shown. */
  | { readonly kind: 'hunks'; readonly patchBase64: string }
