import { onTestFinished } from 'vitest'
import type { ScenarioInput } from './model-server/scenario.ts'
import { type ModelServer, serveModels } from './model-server/server.ts'

/** Speaks as every provider does, from a scenario or its YAML text, until the running test ends. */
export async function startModelServer(scenario: ScenarioInput | string): Promise<ModelServer> {
  const server = await serveModels(scenario)
  onTestFinished(() => server.stop())
  return server
}
