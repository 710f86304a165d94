/** A session as a file: everything that was said, with a checksum. Plans are named, not carried along. */
import * as z from 'zod'
import { canonicalJson } from '../canonical-json.ts'
import { type Result, refuse } from '../failure.ts'
import type { Message } from '../model/message.ts'
import { messageSchema } from '../model/message-schema.ts'
import { withHiddenShown } from '../model/untrusted.ts'

const FORMAT = 'cleveragents.session'
const VERSION = 1

const bodySchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  session: z.object({
    session_id: z.string(),
    name: z.string().nullable(),
    actor: z.string().nullable(),
    folder: z.string().nullable(),
    state: z.enum(['open', 'closed']),
    created_at: z.string(),
    updated_at: z.string(),
    closed_at: z.string().nullable(),
  }),
  // Our own words to a model are never taken from a file.
  messages: z.array(messageSchema.refine(({ role }) => role !== 'system', 'is of a system')),
  plans: z.array(z.object({ plan_id: z.string(), name: z.string(), state: z.string() })),
})

export const sessionFileSchema = bodySchema.extend({
  /** SHA-256, in hex, of the rest as canonical JSON. */
  checksum: z.string(),
})

export type SessionFile = z.infer<typeof sessionFileSchema>
type Body = z.infer<typeof bodySchema>

type Digest = (text: string) => string

export function sealed(body: Omit<Body, 'format' | 'version'>, digest: Digest): SessionFile {
  const whole = { format: FORMAT, version: VERSION, ...body } as const
  return { ...whole, checksum: digest(canonicalJson(whole)) }
}

/** What a file holds, if it is whole: one that was changed by hand is refused. */
export function readSessionFile(text: string, digest: Digest): Result<SessionFile> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse('invalid_input', `The file is no JSON: ${String(error)}`)
  }
  const format = z.object({ format: z.string(), version: z.number() }).safeParse(value)
  if (!format.success || format.data.format !== FORMAT)
    return refuse(
      'invalid_input',
      'The file is no exported session. Export one with: agents session export ID',
    )
  if (format.data.version > VERSION)
    return refuse(
      'version_mismatch',
      `The file has version ${format.data.version}; this program reads ${VERSION}.`,
    )
  const parsed = sessionFileSchema.safeParse(value)
  if (!parsed.success)
    return refuse('invalid_input', `The file is no whole session: ${z.prettifyError(parsed.error)}`)
  const { checksum, ...body } = parsed.data
  if (digest(canonicalJson(body)) !== checksum)
    return refuse(
      'invalid_input',
      'The checksum of the file does not fit: it was changed or cut after its export.',
    )
  return { ok: true, value: parsed.data }
}

/** For people, who may read it on a terminal: what hides in it is shown. It cannot be imported. */
export function asMarkdown({ session, messages, plans }: SessionFile): string {
  const title = session.name ?? session.session_id
  const about = [`Session ${session.session_id}, ${session.state}, begun ${session.created_at}.`]
  if (session.actor !== null) about.push(`Answered by ${session.actor}.`)
  const names = plans.map(plan => `- ${plan.name} (${plan.plan_id}): ${plan.state}`)
  const said = messages.flatMap(sectionsOf)
  const lines = [
    `# ${title}`,
    '',
    ...about,
    '',
    ...(names.length > 0 ? ['## Plans', '', ...names, ''] : []),
    ...said,
  ]
  return `${withHiddenShown(lines.join('\n')).trimEnd()}\n`
}

function sectionsOf(message: Message): string[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return ['## You', '', message.text, '']
    case 'summary':
      return ['## Summary of what came before', '', message.text, '']
    case 'tool':
      return message.results.flatMap(({ tool, text }) => [`Answer of \`${tool}\`:`, '', fenced(text), ''])
    case 'assistant': {
      const parts = message.parts.flatMap(part => {
        if (part.kind === 'text') return [part.text, '']
        return part.kind === 'tool_call' ? [`Calls \`${part.tool}\`:`, '', fenced(part.input), ''] : []
      })
      return parts.length === 0
        ? []
        : ['## Answer', '', ...parts, ...(message.isCut ? ['(cut here)', ''] : [])]
    }
  }
}

/** Whatever is in the text, the fence around it is longer. */
function fenced(text: string): string {
  const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 2) ?? 2
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
