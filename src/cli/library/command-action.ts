import { resolve } from 'node:path'
import { type Command, done, failed, refuse } from '../command.ts'
import { actionLines, actionsLines } from '../render/library.ts'
import { given, simpleCall } from '../simple-call.ts'

export const actionList = simpleCall('_cleveragents/action/list', () => ({}), actionsLines)

export const actionShow = simpleCall(
  '_cleveragents/action/show',
  ({ given: typed }) => ({ name: typed.one('name') }),
  actionLines,
)

export const actionArchive = simpleCall(
  '_cleveragents/action/archive',
  ({ given: typed }) => ({ name: typed.one('name') }),
  actionLines,
)

/** The backend gets the text, not the path: it may run elsewhere. */
export const actionCreate: Command = async ({ given: typed, host, folder, connect }) => {
  const file = typed.one('config')
  const text = await host.readFile(resolve(folder, file))
  if (!text.ok) return refuse(text.errorType, text.message, { file })
  const client = await connect()
  const profile = given('automation_profile', typed.maybe('automation-profile'))
  const created = await client.call('_cleveragents/action/create', { text: text.value, file, ...profile })
  if (!created.ok) return failed(created.failure)
  const messages = created.value.notices.map(notice => ({ level: 'warn', text: notice }) as const)
  return done(created.value, actionLines, { messages })
}
