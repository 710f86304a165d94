import * as z from 'zod'
import { decisionLogView } from '../../src/a2a/protocol/views/decision-log.ts'

/** docs/decision-log.schema.json: the published shape of what `plan export --to json` writes. */
export function decisionLogSchema(): string {
  const schema = z.toJSONSchema(decisionLogView, { io: 'output', unrepresentable: 'any' })
  return `${JSON.stringify({ title: 'Decision log of CleverAgents', ...schema }, null, 2)}\n`
}
