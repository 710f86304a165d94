/**
 * A model server for people who develop without a key: `npm run model-server [SCENARIO.yaml]`. It listens on a free port
 * of 127.0.0.1 until it is interrupted, and says which variables lead `agents` to it. See docs/model-server.md.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { serveModels } from '../test/support/model-server/server.ts'

const example = resolve(import.meta.dirname, '../test/support/model-server/example.yaml')

if (import.meta.main) await main(process.argv[2] ?? example)

async function main(file: string): Promise<void> {
  const server = await serveModels(readFileSync(file, 'utf8'), line => process.stderr.write(`${line}\n`))
  const { openai, anthropic, google } = server.urls
  process.stdout.write(`# Scenario ${file}. In another terminal, one of:
export OPENAI_BASE_URL=${openai} OPENAI_API_KEY=scenario
export ANTHROPIC_BASE_URL=${anthropic} ANTHROPIC_API_KEY=scenario
export GOOGLE_GENERATIVE_AI_BASE_URL=${google} GOOGLE_GENERATIVE_AI_API_KEY=scenario
# and its model, with the provider of that line:
export CLEVERAGENTS_ACTOR_DEFAULT=openai/${server.models[0] ?? 'MODEL'}
`)
}
