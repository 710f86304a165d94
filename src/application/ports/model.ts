import type { Result } from '../../domain/failure.ts'
import type { AssistantMessage, Message, OfferedTool } from '../../domain/model/message.ts'
import type { Price, Usage } from '../../domain/model/usage.ts'

/** The providers of models, loaded when they are used. */
export interface Models {
  /** Those that are configured or have a key, and those that are known and lack one. */
  providers(): readonly ModelProvider[]
  /** What is wrong with the providers of the settings file, a sentence each. */
  problems(): readonly string[]
  /**
   * What a name stands for, as PROVIDER/MODEL: `model` is the one of the settings, else the default of the only provider
   * that can be used. Refuses with how to get going where there is none. Nothing falls back to another provider.
   */
  resolve(name: string, use?: ModelUse): Result<string>
  facts(model: string): ModelFacts
  /** The names that the provider's server lists. */
  list(provider: string, signal: AbortSignal): Promise<Result<readonly string[]>>
  /**
   * One answer. Tries once: a failure that another try may pass is `transient`, with `retry_after_ms` where the server
   * said how long to wait; one of too long a history has the fact `reason: 'context_length'`. Where `signal` ended it,
   * what had arrived is the reply, with `isCut` and a usage that nobody told.
   */
  call(call: ModelCall, hands: ModelHands): Promise<Result<ModelReply>>
}

export interface ModelProvider {
  /** The prefix of its models' names, e.g. `openai`. */
  readonly name: string
  /** For people, e.g. `OpenAI`. */
  readonly label: string
  readonly kind: 'openai' | 'anthropic' | 'google' | 'openai_compatible'
  /** Where requests go. */
  readonly endpoint: string
  /** Where its key comes from, never the key: `OPENAI_API_KEY`, a file, or null where it needs none. */
  readonly keyFrom: string | null
  /** What `model` means where this provider alone can be used; null where none is known. */
  readonly defaultModel: string | null
  /** Somebody named it, by a variable or in the settings file. */
  readonly isConfigured: boolean
  /** Why it cannot be used, and what to do; null when it can. */
  readonly problem: string | null
}

/** What a model is wanted for. */
export interface ModelUse {
  readonly role: 'strategy' | 'execution' | null
  readonly project: string | null
}

export interface ModelFacts {
  /** How much it reads and writes in one call. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** Null where nobody told what it costs. */
  readonly price: Price | null
}

export interface ModelCall {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  readonly maxOutputTokens: number
}

export interface ModelHands {
  readonly signal: AbortSignal
  /** What the model writes, as it arrives. */
  readonly onPart: (part: {
    readonly kind: 'text' | 'reasoning' | 'tool_call'
    readonly text: string
  }) => void
}

export interface ModelReply {
  readonly message: AssistantMessage
  readonly usage: Usage
}
