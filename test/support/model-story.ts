/** A small repository with a check of its own, and a task for a model whose words are in a scenario. */
import type { ScenarioInput } from './model-server/scenario.ts'
import type { ModelServer } from './model-server/server.ts'
import { startModelServer } from './model-server.ts'
import { type Bench, startBench } from './purpose-made.ts'
import type { FileTree } from './repository.ts'

export const KEY = 'key-of-the-story-7f31c0'

export const shopFiles = {
  'price.js': 'export const total = items => items.length\n',
  'notes.md': '# Shop\n',
  // Quick, and no program of a language is needed.
  Makefile: "test:\n\t@grep -q 'item.cents' price.js || (echo 'total must add item.cents' && exit 1)\n",
}

export const TASK = 'Let total add up the cents of the items'

type Reply = NonNullable<ScenarioInput['replies']>[number]

export const used = { input: 1_000, output: 100 }

export function calls(
  name: string,
  args: Record<string, unknown> | string,
  more: Partial<Reply> = {},
): Reply {
  return { tools: [{ name, arguments: args }], usage: used, ...more }
}

export function decides(key: string, options: readonly string[], more: Record<string, unknown> = {}): Reply {
  return calls('record_decision', {
    key,
    question: `Which way for ${key}?`,
    options: options.map(id => ({ id, label: `do ${id}` })),
    chosen: options[0],
    rationale: `${options[0]} is the plainest`,
    confidence: 0.9,
    ...more,
  })
}

export const endsStrategy = calls('finish_strategy', {
  strategy: 'Change total in price.js.\nThen run the test.',
})

export function ends(changed_files: readonly string[]): Reply {
  return calls('finish', { summary: 'total adds up the cents.', changed_files })
}

export interface ModelStory extends Bench {
  readonly server: ModelServer
}

interface StoryOptions {
  readonly files?: FileTree
  readonly environment?: (server: ModelServer) => Record<string, string>
  readonly backend?: Parameters<typeof startBench>[1]
}

/** A bench whose default model is played by a server: by chat completions, unless the environment says otherwise. */
export async function startModelStory(
  replies: readonly Reply[],
  { files = shopFiles, environment = openaiEnvironment, backend }: StoryOptions = {},
): Promise<ModelStory> {
  const server = await startModelServer({ key: KEY, replies: [...replies] })
  const bench = await startBench(files, { ...backend, environment: environment(server) })
  return { ...bench, server }
}

export function openaiEnvironment({ urls }: ModelServer): Record<string, string> {
  return {
    CLEVERAGENTS_ACTOR_DEFAULT: 'openai/test-model',
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: urls.openai,
  }
}
