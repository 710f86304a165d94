/** The protocol's own SDK. It costs a tenth of a second to load, which only callers of the standard methods pay. */
export type Sdk = Awaited<ReturnType<typeof load>>

let loaded: Promise<Sdk> | null = null

export function loadSdk(): Promise<Sdk> {
  loaded ??= load()
  return loaded
}

async function load() {
  const [types, server, legacy, errors] = await Promise.all([
    import('@a2a-js/sdk'),
    import('@a2a-js/sdk/server'),
    import('@a2a-js/sdk/compat/v0_3/server'),
    import('@a2a-js/sdk/errors'),
  ])
  return {
    TaskState: types.TaskState,
    Role: types.Role,
    AgentCard: types.AgentCard,
    Message: types.Message,
    ListTasksRequest: types.ListTasksRequest,
    ServerCallContext: server.ServerCallContext,
    JsonRpcTransportHandler: server.JsonRpcTransportHandler,
    LegacyJsonRpcTransportHandler: legacy.LegacyJsonRpcTransportHandler,
    errors,
  }
}
