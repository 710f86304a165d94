/** What a client asks of the backend itself. */
import * as z from 'zod'
import { healthView } from '../views/health.ts'
import { none, row } from './row.ts'

export const connectionMethods = {
  '_cleveragents/initialize': row(
    'Agree on a version of A2A for this connection; returns the Agent Card. Optional: without it the version is 0.3.',
    z.object({
      /** In order of preference. */
      protocolVersions: z.array(z.string()).default(['0.3']),
      client: z.object({ name: z.string(), version: z.string() }).optional(),
    }),
    z.object({
      protocolVersion: z.string(),
      server: z.object({ name: z.string(), version: z.string() }),
      agentCard: z.record(z.string(), z.unknown()),
      extensions: z.array(z.string()),
      maxFrameBytes: z.number(),
      session: z.string(),
    }),
  ),
  '_cleveragents/health/check': row('Is the backend able to work?', none, healthView),
  '_cleveragents/diagnostics/run': row(
    'What works on this machine, what does not, and why.',
    z.object({ folder: z.string().optional() }),
    healthView,
  ),
  '_cleveragents/backend/keep-running': row(
    'Run on after this client has gone, until nothing runs any more.',
    none,
    z.object({ running: z.number() }),
  ),
  '_cleveragents/demo/create': row(
    'Make a small repository in a temporary folder and register the demo action.',
    none,
    z.object({ folder: z.string(), action_name: z.string() }),
  ),
} as const
