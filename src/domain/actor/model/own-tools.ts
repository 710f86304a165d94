/**
 * Tools that are requests of the actor itself; everything else that a model can call is a tool of the product. A name
 * stands for one tool wherever it is offered.
 */
import * as z from 'zod'
import type { OfferedTool } from '../../model/message.ts'

const key = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'a short name: letters, digits, - and _, beginning with a letter')

const words = z.string().trim().min(1)

export const decisionInput = z.strictObject({
  key: key.describe('Your own short name for this choice, e.g. where-to-cache'),
  type: z
    .enum(['strategy_choice', 'resource_selection', 'implementation_choice', 'error_recovery'])
    .optional()
    .describe(
      'While strategising strategy_choice (the default) or resource_selection; in Execute implementation_choice (the default), resource_selection or error_recovery',
    ),
  question: words.describe('What is to be decided, as a question'),
  options: z
    .array(
      z.strictObject({
        id: key,
        label: words.describe('What would be done'),
        why: z.string().optional().describe('What speaks for it or against it'),
      }),
    )
    .min(1)
    .max(12)
    .describe('Every option that you weighed, the chosen one included'),
  chosen: key.describe('id of the option that you choose'),
  rationale: words.describe('Why this one'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('How sure you are, 0 to 1. A low number makes a person look; a high one changes nothing'),
  depends_on: z
    .array(key)
    .default([])
    .describe('Keys of earlier decisions without which this one would be another'),
  under: key
    .nullish()
    .describe('Key of the earlier decision that this one is a part of; left out, it stands on its own'),
})

const taskAction = 'builtin/task'

const childInput = z.strictObject({
  key,
  prompt: z.string().optional().describe(`The task in words; required unless an action is named`),
  action: words.default(taskAction).describe('Name of the action that it runs'),
  args: z.record(z.string(), z.unknown()).optional().describe('Arguments of a named action'),
  after: z.array(key).default([]).describe('Keys of children that end first'),
})

export const spawnInput = z.strictObject({
  key: key.describe('Your own short name for the decision to start these'),
  question: words.optional(),
  rationale: words.describe('Why this work is better done by plans of its own'),
  confidence: decisionInput.shape.confidence,
  depends_on: decisionInput.shape.depends_on,
  children: z.array(childInput).min(1).max(50),
  mode: z
    .enum(['sequential', 'parallel'])
    .default('sequential')
    .describe('sequential: each begins on what the one before left. parallel: at the same time'),
  max_parallel: z.int().min(1).max(50).default(4),
  merge: z
    .enum(['three_way', 'last_wins', 'fail_on_conflict'])
    .default('three_way')
    .describe('What is done about a file that two of them changed; three_way asks a person'),
})

export const askInput = z.strictObject({
  question: words,
  options: z
    .array(z.strictObject({ id: key, label: words, why: z.string().optional() }))
    .max(12)
    .default([])
    .describe('Answers to choose from; a person may also answer in words'),
})

export const checkInput = z.strictObject({ name: words.describe("Name of one of the project's checks") })

export const giveUpInput = z.strictObject({ constraint: words.describe('What stands in the way') })

export const finishStrategyInput = z.strictObject({
  strategy: words.describe(
    'The strategy in words: what will be changed where, in which order, how it will be checked, and what could go wrong. A person reads it, may change it, and approves it.',
  ),
  note: z.string().nullish().describe('One line for the person, where there is something to say'),
})

export const finishInput = z.strictObject({
  summary: words.describe('What was done, in a few sentences'),
  changed_files: z
    .array(words)
    .describe(
      'Paths of every file that you created, changed or deleted. It is compared with what did change',
    ),
  not_done: z.array(words).default([]).describe('What was asked for and is not done, and why'),
})

interface OwnTool {
  readonly description: string
  readonly input: z.ZodType
}

const table = {
  record_decision: {
    description:
      'Record a choice before you act on it. A person may have to agree; the result says what holds.',
    input: decisionInput,
  },
  ask_person: {
    description: 'Ask a person something that you cannot find out, and wait for the answer.',
    input: askInput,
  },
  finish_strategy: {
    description: 'End the strategy. A person sees it before anything is changed.',
    input: finishStrategyInput,
  },
  spawn_plans: {
    description:
      'Start child plans, each in a sandbox of its own, and wait until all have ended. What they changed is then in your sandbox.',
    input: spawnInput,
  },
  run_check: {
    description: "Run one of the project's own checks on the sandbox as it is.",
    input: checkInput,
  },
  give_up: {
    description:
      'Say that the strategy cannot be carried out. The plan is planned anew, or a person decides.',
    input: giveUpInput,
  },
  finish: { description: 'Say that the work is done.', input: finishInput },
} as const satisfies Readonly<Record<string, OwnTool>>

export type OwnToolName = keyof typeof table

export const ownToolNames = {
  strategize: ['record_decision', 'ask_person', 'finish_strategy'],
  execute: ['record_decision', 'ask_person', 'spawn_plans', 'run_check', 'give_up', 'finish'],
} as const satisfies Readonly<Record<'strategize' | 'execute', readonly OwnToolName[]>>

/** Undefined for a name of none of ours. */
export function ownTool(name: string): Pick<OfferedTool, 'description' | 'inputSchema'> | undefined {
  if (!Object.hasOwn(table, name)) return undefined
  const { description, input } = table[name as OwnToolName] // its own key, as was just seen
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return { description, inputSchema }
}
