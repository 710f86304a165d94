import { resolve } from 'node:path'
import type { CallResult } from '../../a2a/client/rpc-failure.ts'
import type { Output, Params } from '../../a2a/protocol/methods.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import type { CliClient } from '../host.ts'
import { projectRef } from '../plan/command-plan-use.ts'
import {
  deletedProfileLines,
  previewLines,
  profileLines,
  profilesLines,
  registeredProfileLines,
} from '../render/profile.ts'
import { given, simpleCall } from '../simple-call.ts'

export const profileList = simpleCall('_cleveragents/automation-profile/list', () => ({}), profilesLines)

export const profileShow = simpleCall(
  '_cleveragents/automation-profile/show',
  ({ given: typed }) => ({ name: typed.one('name') }),
  profileLines,
)

export const profileAdd: Command = context =>
  register(context, (client, source) => client.call('_cleveragents/automation-profile/add', source))

export const profileUpdate: Command = context => {
  const name = context.given.one('name')
  return register(context, (client, source) =>
    client.call('_cleveragents/automation-profile/update', { ...source, name }),
  )
}

export const profileDelete = simpleCall(
  '_cleveragents/automation-profile/delete',
  ({ given: typed }) => ({ name: typed.one('name'), force: typed.has('force') }),
  deletedProfileLines,
)

export const profilePreview = simpleCall(
  '_cleveragents/automation-profile/preview',
  context => ({
    action_name: context.given.one('action'),
    project: projectRef(context.given.maybe('project') ?? '.', context),
    ...given('automation_profile', context.given.maybe('automation-profile')),
  }),
  previewLines,
)

/** The backend gets the text, not the path: it may run elsewhere. */
async function register(
  { given: typed, host, folder, connect }: CommandContext,
  call: (
    client: CliClient,
    source: Params<'_cleveragents/automation-profile/add'>,
  ) => Promise<CallResult<Output<'_cleveragents/automation-profile/add'>>>,
): Promise<CommandResult> {
  const file = typed.one('config')
  const text = await host.readFile(resolve(folder, file))
  if (!text.ok) return refuse(text.errorType, text.message, { file })
  const answer = await call(await connect(), { text: text.value, file, strict: typed.has('strict') })
  if (!answer.ok) return failed(answer.failure)
  const messages = answer.value.notices.map(notice => ({ level: 'warn', text: notice }) as const)
  return done(answer.value, registeredProfileLines, { messages })
}
