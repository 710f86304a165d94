import { resolve } from 'node:path'
import { type Command, type CommandContext, done, failed, refuse } from '../command.ts'
import { projectRef } from '../plan/command-plan-use.ts'
import { cleaned } from '../render/clean.ts'
import { projectLines, projectsLines, trustTexts } from '../render/surroundings.ts'
import { given, simpleCall } from '../simple-call.ts'

export const projectList = simpleCall('_cleveragents/project/list', () => ({}), projectsLines)

export const projectShow = simpleCall(
  '_cleveragents/project/show',
  context => ({ project: meantProject(context) }),
  projectLines,
)

export const projectCreate = simpleCall(
  '_cleveragents/project/create',
  ({ given: typed, folder }) => ({
    path: resolve(folder, typed.maybe('folder') ?? '.'),
    ...given('name', typed.maybe('name')),
  }),
  projectLines,
)

/** What would run is shown before the question, not after the yes. */
export const projectTrust: Command = async context => {
  const client = await context.connect()
  const shown = await client.call('_cleveragents/project/show', { project: meantProject(context) })
  if (!shown.ok) return failed(shown.failure)
  const project = shown.value
  const wouldRun = trustTexts(cleaned(project))
  if (!context.saysYes && !project.trusted && wouldRun.length > 0) {
    context.tell(`These commands of ${cleaned(project.root)} could run:`)
    for (const text of wouldRun) context.tell(`  ${text}`)
    const answer = await context.ask('Trust this folder? [y/N] ')
    if (answer === null)
      return refuse('invalid_input', 'Trusting a folder needs a yes. Repeat it with --yes.')
    if (!/^y(es)?$/i.test(answer.trim())) return refuse('interrupted', 'Not trusted: none of it runs.')
  }
  const { name, trust_digest } = project
  const trusted = await client.call('_cleveragents/project/trust', { project: name, digest: trust_digest })
  return trusted.ok ? done(trusted.value, projectLines) : failed(trusted.failure)
}

export const projectUntrust = simpleCall(
  '_cleveragents/project/untrust',
  context => ({ project: meantProject(context) }),
  projectLines,
)

/** The yes for the network is remembered with the project: plans that nobody watches count on it. */
export const projectSetUp: Command = async context => {
  const { given: typed } = context
  const command = typed.maybe('command') ?? null
  if ((command === null) !== typed.has('none'))
    return refuse('invalid_input', 'Say what runs with --command "npm ci", or with --none that nothing does.')
  const network = command !== null && typed.has('network')
  if (network && !context.saysYes) {
    context.tell('With the network a command can send what it reads, and reach services of this machine.')
    const answer = await context.ask(`Run ${cleaned(command)} with the network in every new sandbox? [y/N] `)
    if (answer === null)
      return refuse('invalid_input', 'Allowing the network needs a yes. Repeat it with --yes.')
    if (!/^y(es)?$/i.test(answer.trim())) return refuse('interrupted', 'Not allowed: nothing was changed.')
  }
  const client = await context.connect()
  const changed = await client.call('_cleveragents/project/set-up', {
    project: meantProject(context),
    command,
    network,
  })
  return changed.ok ? done(changed.value, projectLines) : failed(changed.failure)
}

function meantProject(context: CommandContext): string {
  const named = context.given.maybe('project')
  return named === undefined ? context.folder : projectRef(named, context)
}
