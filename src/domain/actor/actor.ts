/**
 * The contract of every actor kind: a function from state and last outcome to the next request. Everything an actor
 * wants done it requests; the run loop checks gates, acts and answers, so no actor can go around a gate.
 * An actor knows no disk, no processes and no store. Begin with `Actor`.
 */
import type { ArgumentValue } from '../action.ts'
import type { DecisionOption, DecisionType } from '../decision/decision.ts'
import type { Failure } from '../failure.ts'
import type { DecisionId, MessageId, PlanId } from '../ids.ts'
import type { AssistantMessage, Message } from '../model/message.ts'
import type { Usage } from '../model/usage.ts'
import type { ChangeCounts } from '../sandbox/changeset.ts'
import type { SandboxState } from '../sandbox/strategy.ts'

export interface Actor {
  readonly name: string
  /** Whether its brief is to say what the project is like; gathering that takes time. */
  readonly wantsContext: boolean
  /** The state before the first step of a phase. */
  start(brief: Brief): ActorState
  next(state: ActorState, outcome: Outcome, context: ActorContext): Promise<Turn>
}

/** Plain JSON: content-addressed, and stored before each decision so that reasoning can be rolled back to it. */
export type ActorState = Readonly<Record<string, unknown>>

export interface ActorContext {
  readonly brief: Brief
  readonly signal: AbortSignal
  /** Live text of a model; a recipe has none. */
  readonly emit: (text: string) => void
}

export interface Turn {
  readonly state: ActorState
  readonly request: ActorRequest
}

/** What an actor is told. Plain JSON, the same for all kinds. */
export interface Brief {
  readonly phase: 'strategize' | 'execute'
  readonly plan: { readonly planId: string; readonly name: string; readonly attempt: number }
  readonly project: ProjectBrief
  readonly action: string
  readonly definitionOfDone: string
  readonly args: Readonly<Record<string, ArgumentValue | null>>
  readonly invariants: readonly string[]
  /** Guidance given by people so far, oldest first. */
  readonly guidance: readonly string[]
  /** Why earlier strategies of this plan could not be carried out, oldest first. */
  readonly constraints: readonly string[]
  /** What was decided in Strategize and holds, in order; empty while it lasts. */
  readonly decisions: readonly BriefDecision[]
  /** The strategy in words, as its actor left it or a person edited it; null where there is none. */
  readonly strategy: string | null
  /** Given where a phase begins, to actors that want it. */
  readonly context: ProjectContext | null
  /** Given where a phase begins, to actors that want the context; null for a plan that no other one started. */
  readonly above: BriefAbove | null
  /** The strategy actor's final state, for an execution actor of the same kind. */
  readonly strategyState: ActorState | null
  /**
   * Where the actor begins or resumes: what a correction kept of this phase and it has not come to again. A decision that it asks for under the same
   * key and in the same words is answered with what was decided; what was done under it is in the sandbox.
   */
  readonly kept: readonly KeptDecision[]
}

export interface BriefDecision {
  readonly key: string | null
  readonly question: string
  readonly chosen: string
  readonly rationale: string
  readonly decidedBy: 'actor' | 'human'
}

/** What a child plan is told of the plans above it (requirements CHILD-04), clipped in number and length. */
export interface BriefAbove {
  /** The root first, its parent last. */
  readonly plans: readonly { readonly name: string; readonly action: string; readonly task: string }[]
  /** What its start rests on, in the order of the plans and in each as it was decided. */
  readonly decisions: readonly (Omit<BriefDecision, 'key'> & { readonly plan: string })[]
  /** Which of the work is its own. */
  readonly part: {
    readonly question: string
    readonly key: string
    /** The other children of the same decision. */
    readonly siblings: readonly { readonly key: string; readonly action: string; readonly task: string }[]
  }
}

/** What a model is told of a project before it looks at it. All of it comes from the folder, and is data, not orders. */
export interface ProjectContext {
  /** Files with instructions for agents, e.g. AGENTS.md; the nearest to the root first. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
  /** Folders, files and what they declare, within a budget of tokens. */
  readonly map: string
}

export interface KeptDecision {
  readonly key: string
  readonly type: DecisionType
  readonly question: string
  readonly options: readonly DecisionOption[]
  /** Id of the option that its actor had proposed; a person may have chosen another. */
  readonly proposed: string
  /** Id of the option that was chosen. */
  readonly chosen: string
  /** One line for each step, e.g. "replaced 12 in 3 files". */
  readonly done: readonly string[]
}

export interface ProjectBrief {
  readonly name: string
  readonly root: string
  readonly languages: readonly string[]
  readonly checks: readonly ProjectCheck[]
}

/** A test, lint, type or build command that the project itself declares. */
export interface ProjectCheck {
  readonly name: string
  readonly command: string
  readonly kind: 'test' | 'lint' | 'types' | 'build'
}

export type ActorRequest =
  | DecisionRequest
  | ToolRequest
  | ValidateRequest
  | AskRequest
  | SpawnRequest
  | ModelRequest
  | FinishRequest
  /** The strategy cannot be carried out; the constraint says why. */
  | { readonly kind: 'give_up'; readonly step: string; readonly constraint: string }
  /** The actor itself failed, e.g. an expression or an assertion. */
  | { readonly kind: 'fail'; readonly step: string; readonly failure: Failure }

export interface FinishRequest {
  readonly kind: 'finish'
  readonly step: string
  readonly note: string | null
  /** Whether the actor can do something about a check that fails after its last step. */
  readonly fixesChecks: boolean
  /** The strategy in words, at the end of Strategize; null where the decisions say it all. */
  readonly strategy: string | null
  /** Files that the actor says it changed, which is compared with what did change; null where it says nothing. */
  readonly claims: readonly string[] | null
}

/** One answer of a model. It is asked with everything up to `after`, and with what was said since. */
export interface ModelRequest {
  readonly kind: 'call_model'
  /** `model[3]`. */
  readonly step: string
  /** `openai/gpt-5`, as the action names it. */
  readonly model: string
  readonly after: MessageId | null
  readonly say: readonly Message[]
  /** Names of the tools that it may call in its answer; what they are like is looked up when it is asked. */
  readonly tools: readonly string[]
  readonly maxOutputTokens: number
}

export interface DecisionRequest {
  readonly kind: 'record_decision'
  readonly step: string
  /** Unique within the plan's present line, e.g. `where` or `edit[3]`. */
  readonly key: string
  readonly type: DecisionType
  readonly question: string
  readonly options: readonly DecisionOption[]
  /** Id of the option the actor chose. */
  readonly chosen: string
  readonly confidence: number | null
  readonly rationale: string
  /** Keys of earlier decisions, as declared. */
  readonly dependsOn: readonly string[]
  readonly influencedBy: readonly InfluenceClaim[]
  /** Key of the parent decision in the tree; null = the plan's root decision. */
  readonly parentKey: string | null
  /** Guidance that could not be understood: a person must choose, whatever the threshold says. */
  readonly unclearGuidance: string | null
}

/** A variable or result set under the decision `key` went into this request. */
export interface InfluenceClaim {
  readonly key: string
  readonly why: string
}

export interface ToolRequest {
  readonly kind: 'call_tool'
  /** Step path with the iteration in loops: `execute[3].then[0]`, `execute[2].steps[0]#3`. */
  readonly step: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** US dollars, the most that one call comes to. */
  readonly costUsd: number
  readonly influencedBy: readonly InfluenceClaim[]
}

export interface ValidateRequest {
  readonly kind: 'validate'
  readonly step: string
  readonly command: string
  readonly mode: 'required' | 'informational'
  /** It asks for the network, which a gate must allow. */
  readonly network: boolean
  /** action: written in the action, the user's own word. project: discovered in the folder, needs its trust. */
  readonly origin: 'action' | 'project'
  /** Whether the actor can do something about it when it fails. */
  readonly fixable: boolean
  readonly influencedBy: readonly InfluenceClaim[]
}

export interface AskRequest {
  readonly kind: 'ask'
  readonly step: string
  readonly question: string
  readonly options: readonly DecisionOption[]
  readonly influencedBy: readonly InfluenceClaim[]
}

/**
 * Child plans, below the decision that was recorded for them. The actor goes on when all of them have ended and what
 * they changed is in its sandbox, merged in the order in which they are named here.
 */
export interface SpawnRequest {
  readonly kind: 'spawn_plans'
  readonly step: string
  readonly children: readonly ChildRequest[]
  /** sequential: one after the other, each on what the one before left, until one fails. parallel: at the same time. */
  readonly mode: 'sequential' | 'parallel'
  /** How many run at once, from 1 to 50; the rest waits for its turn. */
  readonly maxParallel: number
  readonly merge: MergeRule
  readonly influencedBy: readonly InfluenceClaim[]
}

export interface ChildRequest {
  /** Unique within the request. */
  readonly key: string
  /** Name of the action it runs. */
  readonly action: string
  readonly args: Readonly<Record<string, unknown>>
  readonly guidance: string | null
  /** Keys of children that end first; it begins on what they left. */
  readonly after: readonly string[]
}

/**
 * What is done about a path that two children changed: three_way asks a person, last_wins takes the later named
 * child's, fail_on_conflict fails the whole request.
 */
export type MergeRule = 'three_way' | 'last_wins' | 'fail_on_conflict'

/** What came of one child; its changes are in the parent's sandbox when it is complete. */
export interface ChildResult {
  readonly key: string
  readonly planId: PlanId
  readonly state: 'complete' | 'errored' | 'cancelled'
  readonly changes: ChangeCounts | null
}

/** What a check was, and what it showed. */
export interface CheckReport {
  /** Name of an attached validation; null for a check that the actor asked for. */
  readonly validation: string | null
  readonly command: string
  readonly mode: ValidateRequest['mode']
  readonly origin: ValidateRequest['origin']
  readonly network: boolean
  /** The recorded state of the sandbox that it looked at. */
  readonly state: SandboxState
  /** The end of what it printed. */
  readonly output: string
  readonly data: unknown
  /** From 1, when the actor is to fix it; 0 otherwise. */
  readonly fixAttempt: number
}

/** What came of the last request. */
export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'decided'; readonly decisionId: DecisionId; readonly optionId: string }
  /** Rejected by a person: choose another option, with the note as guidance. */
  | { readonly kind: 'decision_rejected'; readonly optionId: string; readonly note: string | null }
  /** Changes were asked for, or a correction resumes here: decide again with this guidance. */
  | { readonly kind: 'guided'; readonly guidance: string }
  | { readonly kind: 'tool_result'; readonly output: Readonly<Record<string, unknown>> }
  | { readonly kind: 'tool_refused'; readonly failure: Failure }
  | {
      readonly kind: 'validated'
      readonly result: 'passed' | 'failed' | 'not_run'
      readonly exitCode: number | null
      readonly message: string
      /** Null in records of before it was kept. */
      readonly report: CheckReport | null
    }
  | { readonly kind: 'answered'; readonly optionId: string | null; readonly note: string | null }
  | { readonly kind: 'spawned'; readonly children: readonly ChildResult[] }
  /** `head`: the reply in the tree of messages, which the next request continues. */
  | {
      readonly kind: 'model_replied'
      readonly head: MessageId
      readonly reply: AssistantMessage
      readonly usage: Usage
    }
  /** The model cannot answer, and the actor can do something about it, e.g. say less. */
  | { readonly kind: 'model_refused'; readonly failure: Failure }
  /** What the actor says it has done is not so. */
  | { readonly kind: 'finish_refused'; readonly failure: Failure }
  /** A person chose to try the failed request again. */
  | { readonly kind: 'retry' }
