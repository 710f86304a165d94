import { ok, refuse } from '../../domain/failure.ts'
import { EXTENSION_URI, MAX_FRAME_BYTES } from '../protocol/envelope.ts'
import { agentCard } from './agent-card.ts'
import type { Handler } from './call.ts'
import { generationOf, SUPPORTED_VERSIONS } from './service-parameters.ts'

export const initialize: Handler<'_cleveragents/initialize'> = (
  { protocolVersions },
  { session, version },
) => {
  const chosen = protocolVersions.map(generationOf).find(each => each !== null)
  if (!chosen)
    return refuse('version_mismatch', `None of the versions ${protocolVersions.join(', ')} is spoken here.`, {
      supported: SUPPORTED_VERSIONS,
    })
  session.version = chosen
  return ok({
    protocolVersion: chosen,
    server: { name: 'cleveragents', version },
    agentCard: agentCard({ binding: session.binding, version }),
    extensions: [EXTENSION_URI],
    maxFrameBytes: MAX_FRAME_BYTES,
    session: session.id,
  })
}
