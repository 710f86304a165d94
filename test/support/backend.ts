import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { checkingReader } from '../../src/a2a/client/checking-reader.ts'
import { type Client, createClient } from '../../src/a2a/client/client.ts'
import { connectInMemory } from '../../src/a2a/client/in-memory.ts'
import type { MethodName, Output, Params } from '../../src/a2a/protocol/methods.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { openConnection } from '../../src/a2a/server/connection.ts'
import { createDispatcher } from '../../src/a2a/server/dispatcher.ts'
import { buildBackend } from '../../src/application/build-backend.ts'
import type { Ports } from '../../src/application/ports.ts'
import { composeBackend } from '../../src/compose-backend.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestBackend {
  readonly client: Client
  readonly ports: Ports
  readonly dataDir: string
  /** Lines of its log, as far as the use cases wrote them. */
  readonly logged: readonly string[]
  /** Calls a method and insists on a result. */
  call<Name extends MethodName>(method: Name, params: Params<Name>): Promise<Output<Name>>
  /** Calls a method and insists on a refusal. */
  refusal<Name extends MethodName>(
    method: Name,
    params: Params<Name>,
  ): Promise<{ errorType: string; message: string }>
  /** Makes a plan and follows it until it waits or ends. */
  use(params: Params<'_cleveragents/plan/use'>): Promise<PlanView>
  stop(): Promise<void>
}

/** The real backend on a real store, behind the real dispatcher, every answer held against its schema. */
export async function startBackend(
  options: {
    dataDir?: string
    /** A living process under whose identity it runs, so that two backends of one test are two processes. */
    pid?: number
    recover?: 'look' | 'serve'
    /** Where its programs are found; the test's own PATH when left out. */
    path?: string
    /** Besides PATH and HOME. */
    environment?: Readonly<Record<string, string>>
    /** Settings as the command line gives them. */
    flags?: Readonly<Record<string, string>>
    /** In the place of the system's clock, e.g. one that the test moves. */
    clock?: Ports['clock']
    /** Puts something in the place of a tool, e.g. one that throws. */
    tools?: (tools: Ports['tools']) => Ports['tools']
    /** Hands in other surroundings, e.g. a scripted model. */
    ports?: (ports: Ports) => Ports
  } = {},
): Promise<TestBackend> {
  const logged: string[] = []
  const dataDir = options.dataDir ?? (await temporaryFolder())
  const composed = composeBackend({
    env: { PATH: options.path ?? process.env['PATH'], HOME: dataDir, ...options.environment },
    platform: process.platform,
    pid: options.pid ?? process.pid,
    nodeVersion: process.version,
    dataDir,
    configFile: join(dataDir, 'config.yaml'),
    flags: options.flags ?? {},
    openLog: () => (message, facts) => void logged.push(`${message} ${JSON.stringify(facts)}`),
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { ports } = composed.value
  const { tools = each => each, clock = ports.clock, ports: surround = each => each } = options
  const isChanged = [options.tools, options.clock, options.ports].some(each => each !== undefined)
  const backend = isChanged
    ? buildBackend(surround({ ...ports, clock, tools: tools(ports.tools) }))
    : composed.value.backend
  await backend.recover(options.recover ?? 'look')
  const dispatcher = createDispatcher({
    backend,
    here: ports.host.process,
    user: 'tester',
    version: '0',
    log: () => {},
  })
  const client = createClient(
    connectInMemory(deliver => openConnection(dispatcher, { send: deliver, room: () => null }, 'memory')),
    checkingReader,
  )
  let stopped = false
  onTestFinished(stop)
  return { client, ports, dataDir, logged, call, refusal, use, stop }

  async function call<Name extends MethodName>(method: Name, params: Params<Name>): Promise<Output<Name>> {
    const answer = await client.call(method, params)
    if (!answer.ok) throw new Error(`${method}: ${answer.failure.message}`)
    return answer.value
  }

  async function refusal<Name extends MethodName>(method: Name, params: Params<Name>) {
    const answer = await client.call(method, params)
    if (answer.ok) throw new Error(`${method} was not refused: ${JSON.stringify(answer.value)}`)
    return answer.failure
  }

  function use(params: Params<'_cleveragents/plan/use'>): Promise<PlanView> {
    return call('_cleveragents/plan/use', { wait: true, ...params })
  }

  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await client.close()
    await backend.stop()
  }
}
