import { resolve } from 'node:path'
import { errorCodes } from '../../a2a/protocol/error-codes.ts'
import { type LogVerdict, logPhases } from '../../a2a/protocol/views/decision-log.ts'
import { type Command, type CommandContext, type CommandResult, done, failed, refuse } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { decisionLogMarkdown } from '../render/decision-log.ts'
import { verdictLines } from '../render/log-verdict.ts'
import { given } from '../simple-call.ts'

/** Printed as it is: a document for programs must not gain a character on the way. */
export const planExport: Command = async ({ given: typed, connect, signal, host, folder }) => {
  const client = await connect()
  const answer = await client.call('_cleveragents/plan/export', { plan_id: typed.one('plan') }, { signal })
  if (!answer.ok) return failed(answer.failure)
  const log = answer.value
  const text = typed.one('to') === 'md' ? decisionLogMarkdown(log) : `${JSON.stringify(log, null, 2)}\n`
  const output = typed.maybe('output')
  if (output === undefined)
    return done(log, () => text.replace(/\n$/, '').split('\n'), { bytes: Buffer.from(text) })
  const file = resolve(folder, output)
  const problem = await host.writeNewFile(file, text)
  if (problem !== null) return refuse('invalid_input', `${problem}.`, { file })
  return done({ file, checksum: log.checksum, redactions: log.redactions.length }, written => [
    `Written to ${written.file}; ${written.redactions} secrets taken out.`,
  ])
}

export const planCheck: Command = async context => {
  const { given: typed, connect, signal } = context
  const phases = phasesOf(typed.many('require-approved'))
  if (typeof phases === 'string')
    return refuse('invalid_input', `"${phases}" is no phase; approvals are of ${logPhases.join(', ')}.`)
  const subject = await subjectOf(typed.one('plan'), context)
  if ('result' in subject) return subject.result
  const client = await connect()
  const rules = {
    require_approved: phases,
    require_validations: typed.has('require-validations'),
    no_superseded_unanswered: typed.has('no-superseded-unanswered'),
    ...given('max_auto_below', typed.number('max-auto-below')),
    ...given('max_cost', typed.number('max-cost')),
  }
  const answer = await client.call('_cleveragents/plan/check', { ...subject.params, rules }, { signal })
  if (!answer.ok) return failed(answer.failure)
  return done(answer.value, verdictLines, answer.value.passed ? {} : denied(answer.value))
}

function denied({ plan_name, violations }: LogVerdict) {
  const count = `${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}`
  const message = `Plan ${plan_name} does not keep the rules: ${count}.`
  const facts = { violations }
  return {
    exitCode: exitCodes.denied,
    problem: { errorType: 'denied', message, facts, code: errorCodes.denied },
  }
}

/** As a list, or the word that is no phase. */
function phasesOf(texts: readonly string[]): (typeof logPhases)[number][] | string {
  const words = texts.flatMap(text => text.split(',')).map(word => word.trim())
  const wrong = words.find(word => !logPhases.some(phase => phase === word))
  return wrong ?? logPhases.filter(phase => words.includes(phase))
}

type Subject =
  | { readonly params: { readonly plan_id: string } | { readonly log: unknown } }
  | { readonly result: CommandResult }

/** A file is told by its ending; everything else names a plan. */
async function subjectOf(text: string, { host, folder }: CommandContext): Promise<Subject> {
  if (!text.endsWith('.json')) return { params: { plan_id: text } }
  const read = await host.readFile(resolve(folder, text))
  if (!read.ok) return { result: refuse(read.errorType, read.message, { file: text }) }
  try {
    return { params: { log: JSON.parse(read.value) } }
  } catch {
    return { result: refuse('invalid_input', `${text} is no JSON.`, { file: text }) }
  }
}
