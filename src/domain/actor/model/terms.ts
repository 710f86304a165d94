import type { ToolDeclaration } from '../../tool.ts'

/** What a model actor is opened with. It looks up nothing itself. */
export interface Terms {
  /** `openai/gpt-5`. */
  readonly model: string
  /** How much the model reads and writes in one call. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** How often in a row it may call a tool in a way that nobody understands. */
  readonly maxMalformed: number
  /** What the action is for, in its author's words. */
  readonly purpose: string
  /** Tools of the product that nothing forbids outright. */
  readonly tools: readonly ToolDeclaration[]
}

/** How often in a row it may answer without calling a tool, and make the very same calls. */
export const MOST_SILENT = 3
export const MOST_REPEATED = 6

/** Answers in one phase before a person is asked whether it shall go on. */
export const MOST_ANSWERS = 200

/** Of one answer; what it asks for beyond that it is told to ask for again. */
export const MOST_CALLS = 16
