import { resolve } from 'node:path'
import { type Command, done, failed, refuse } from '../command.ts'
import { projectRef } from '../plan/command-plan-use.ts'
import { attachmentLines, validationLines, validationsLines } from '../render/validation.ts'
import { given, simpleCall } from '../simple-call.ts'

export const validationList = simpleCall('_cleveragents/validation/list', () => ({}), validationsLines)

/** The backend gets the text, not the path: it may run elsewhere. */
export const validationAdd: Command = async ({ given: typed, host, folder, connect }) => {
  const file = typed.one('config')
  const text = await host.readFile(resolve(folder, file))
  if (!text.ok) return refuse(text.errorType, text.message, { file })
  const client = await connect()
  const added = await client.call('_cleveragents/validation/add', { text: text.value, file })
  return added.ok ? done(added.value, validationLines) : failed(added.failure)
}

export const validationAttach = simpleCall(
  '_cleveragents/validation/attach',
  context => {
    const { given: typed } = context
    const project = typed.maybe('project')
    return {
      name: typed.one('name'),
      ...given('resource', typed.maybe('resource')),
      ...given('project', project === undefined ? undefined : projectRef(project, context)),
      ...given('plan_id', typed.maybe('plan')),
    }
  },
  attachmentLines,
)

export const validationDetach = simpleCall(
  '_cleveragents/validation/detach',
  ({ given: typed }) => ({ attachment_id: typed.one('attachment') }),
  attachment => ['Detached:', ...attachmentLines(attachment)],
)
