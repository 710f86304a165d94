import { resolve } from 'node:path'
import * as z from 'zod'
import type { CallResult, RpcFailure } from '../../a2a/client/rpc-failure.ts'
import { type ErrorType, errorCodes } from '../../a2a/protocol/error-codes.ts'
import { type Command, type CommandContext, done, failed, refuse } from '../command.ts'
import type { CliClient } from '../host.ts'
import { followPlan } from '../plan/follow-plan.ts'
import { planEnd, unsettled } from '../plan/plan-outcome.ts'
import { planLines } from '../render/plan.ts'
import {
  deletedLines,
  replyLines,
  sessionDetailsLines,
  sessionLines,
  sessionsLines,
} from '../render/session.ts'
import { given, simpleCall } from '../simple-call.ts'

const named = ({ given: typed }: CommandContext) => ({ session_id: typed.one('session') })

export const sessionCreate = simpleCall(
  'session.create',
  ({ given: typed, folder }) => ({
    folder,
    ...given('session_id', typed.maybe('id')),
    ...given('name', typed.maybe('name')),
    ...given('actor', typed.maybe('actor')),
  }),
  sessionLines,
)
export const sessionList = simpleCall('_cleveragents/session/list', () => ({}), sessionsLines)
export const sessionShow = simpleCall('_cleveragents/session/show', named, sessionDetailsLines)
export const sessionClose = simpleCall('session.close', named, sessionLines)
export const sessionDelete = simpleCall('_cleveragents/session/delete', named, deletedLines)

/** To stdout, or to a file that is not there yet. */
export const sessionExport: Command = async context => {
  const { given: typed, folder, host } = context
  const format = typed.maybe('to') === 'md' ? 'md' : 'json'
  const client = await context.connect()
  const exported = await client.call('_cleveragents/session/export', { ...named(context), format })
  if (!exported.ok) return failed(exported.failure)
  const { text } = exported.value
  const file = typed.maybe('output')
  if (file === undefined)
    return done(exported.value, () => text.trimEnd().split('\n'), { bytes: new TextEncoder().encode(text) })
  const path = resolve(folder, file)
  const problem = await host.writeNewFile(path, text)
  if (problem !== null) return refuse('invalid_input', `${problem}.`, { file: path })
  return done({ file: path }, ({ file: written }) => [`Written to ${written}`])
}

export const sessionImport: Command = async context => {
  const { given: typed, folder, host } = context
  const read = await host.readFile(resolve(folder, typed.one('file')))
  if (!read.ok) return refuse(read.errorType, read.message)
  const client = await context.connect()
  const imported = await client.call('_cleveragents/session/import', {
    text: read.value,
    ...given('session_id', typed.maybe('id')),
  })
  return imported.ok ? done(imported.value, sessionLines) : failed(imported.failure)
}

/** Says something and prints the answer; a plan that it started is followed like one of `plan use`. */
export const sessionTell: Command = async context => {
  const client = await context.connect()
  const found = await client.call('_cleveragents/session/show', named(context))
  if (!found.ok) return failed(found.failure)
  const { session_id } = found.value
  const said = await say(client, context, { contextId: session_id, text: context.given.one('text') })
  if (!said.ok) return failed(said.failure)
  const reply = { session_id, ...said.value }
  const [plan_id] = reply.started
  if (plan_id === undefined) return done(reply, replyLines)
  context.page(paper => replyLines(reply, paper))
  const followed = await followPlan(
    context,
    () => client.call('_cleveragents/plan/status', { plan_id }),
    plan => plan.plan_id,
  )
  if (followed.kind !== 'settled') return unsettled(followed)
  return done(
    { ...reply, plan: followed.plan },
    ({ plan }, paper) => planLines(plan, paper),
    planEnd(followed.plan),
  )
}

interface Reply {
  readonly text: string
  readonly started: readonly string[]
}

async function say(
  client: CliClient,
  { signal }: CommandContext,
  { contextId, text }: { contextId: string; text: string },
): Promise<CallResult<Reply>> {
  const message = {
    kind: 'message',
    role: 'user',
    messageId: crypto.randomUUID(),
    contextId,
    parts: [{ kind: 'text', text }],
  }
  const answer = await client.raw.unary('message/send', { message }, signal)
  return answer.ok ? readReply(answer.value) : answer
}

const part = z.looseObject({ kind: z.string(), text: z.string().optional(), data: z.unknown().optional() })
/** What was said could not be done: the conversation goes on, and the command has failed. */
const failurePart = z.looseObject({
  type: z.literal('cleveragents.failure'),
  error_type: z.enum(Object.keys(errorCodes) as ErrorType[]), // keys of a constant literal
  code: z.number(),
  message: z.string(),
  facts: z.record(z.string(), z.unknown()),
})
const startedPart = z.looseObject({ type: z.literal('cleveragents.started'), plan_id: z.string() })
/** A conversation, or the plan that the message started by itself. */
const task = z.looseObject({
  id: z.string(),
  contextId: z.string(),
  status: z.looseObject({ message: z.looseObject({ parts: z.array(part) }).optional() }),
})

function readReply(answer: unknown): CallResult<Reply> {
  const { id, contextId, status } = task.parse(answer)
  if (id !== contextId) return { ok: true, value: { text: '', started: [id] } }
  const parts = status.message?.parts ?? []
  for (const { data } of parts) {
    const failure = failurePart.safeParse(data)
    if (failure.success) return { ok: false, failure: asFailure(failure.data) }
  }
  const texts = parts.flatMap(({ kind, text }) => (kind === 'text' && text !== undefined ? [text] : []))
  const started = parts.flatMap(({ data }) => {
    const read = startedPart.safeParse(data)
    return read.success ? [read.data.plan_id] : []
  })
  return { ok: true, value: { text: texts.join('\n\n'), started } }
}

function asFailure({ error_type, code, message, facts }: z.infer<typeof failurePart>): RpcFailure {
  return { errorType: error_type, code, message, facts }
}
