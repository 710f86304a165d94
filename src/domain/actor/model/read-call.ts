import * as z from 'zod'
import { assertNever } from '../../failure.ts'
import { suggest } from '../../nearest.ts'
import type { ActorRequest, Brief, DecisionRequest } from '../actor.ts'
import type { ModelState, PendingCall } from './model-state.ts'
import { namesOffered, toolsForPhase } from './offered-tools.ts'
import {
  askInput,
  checkInput,
  decisionInput,
  finishInput,
  finishStrategyInput,
  giveUpInput,
  type OwnToolName,
  ownToolNames,
  spawnInput,
} from './own-tools.ts'
import { childrenRequest, decisionOfChildren } from './spawn-call.ts'
import type { Terms } from './terms.ts'

export type ReadCall = ActorRequest | Complaint

/** Why a call cannot be made, in words that help the model to make it well. */
export interface Complaint {
  readonly kind: 'complaint'
  readonly text: string
}

export interface Reading {
  readonly terms: Terms
  readonly brief: Brief
  readonly state: ModelState
}

/** What a model's call of a tool asks for. */
export function readCall(reading: Reading, call: PendingCall): ReadCall {
  const { terms, state } = reading
  const input = asObject(call.input)
  if (input === null)
    return complain(
      `The arguments of ${call.tool} are no JSON object. They may have been cut off: write them again, shorter.`,
    )
  const step = stepOf(state)
  const own = ownToolNames[state.phase].find(name => name === call.tool)
  if (own) return readOwn(reading, { name: own, input, step })
  const tool = toolsForPhase(state.phase, terms.tools).find(({ name }) => name === call.tool)
  if (!tool) return unknownTool(reading, call.tool)
  const complaint = complaintAbout(call.tool, tool.inputSchema, input)
  if (complaint) return complaint
  return { kind: 'call_tool', step, tool: tool.name, input, costUsd: 0, influencedBy: [] }
}

/** With a part of the answer's own name, so that no step of another line of messages has the same. */
function stepOf({ answers, answered, head }: ModelState): string {
  return `model[${answers}].call[${answered}]#${(head ?? '').slice(0, 8)}`
}

function complain(text: string): Complaint {
  return { kind: 'complaint', text }
}

function asObject(text: string): Readonly<Record<string, unknown>> | null {
  // A call without arguments is often written as nothing.
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null // just compared
  } catch {
    return null
  }
}

function unknownTool({ terms, state, brief }: Reading, name: string): Complaint {
  const known = namesOffered(state.phase, terms.tools)
  const isWriting = brief.phase === 'strategize' && terms.tools.some(each => each.name === name)
  if (isWriting)
    return complain(`${name} is not there while you strategise: nothing is changed before Execute.`)
  return complain(`There is no tool called ${name}. ${suggest(name, known)}`)
}

function complaintAbout(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): Complaint | null {
  const checked = z.fromJSONSchema(schema).safeParse(input)
  return checked.success ? null : complain(inWords(name, checked.error))
}

function inWords(name: string, error: z.ZodError): string {
  const lines = error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.map(String).join('.')
    return `- ${place === '' ? 'the arguments' : place}: ${message}`
  })
  return `${name} was not called, its arguments do not fit:\n${lines.join('\n')}`
}

interface OwnCall {
  readonly name: OwnToolName
  readonly input: Readonly<Record<string, unknown>>
  readonly step: string
}

function readOwn(reading: Reading, { name, input, step }: OwnCall): ReadCall {
  const fitting = <Value>(schema: z.ZodType<Value>, make: (value: Value) => ReadCall): ReadCall => {
    const parsed = schema.safeParse(input)
    return parsed.success ? make(parsed.data) : complain(inWords(name, parsed.error))
  }
  switch (name) {
    case 'record_decision':
      return fitting(decisionInput, value => readDecision(reading, step, value))
    case 'ask_person':
      return fitting(askInput, ({ question, options }) => ({
        kind: 'ask',
        step,
        question,
        options: options.map(asOption),
        influencedBy: [],
      }))
    case 'finish_strategy':
      return fitting(finishStrategyInput, ({ strategy, note }) => ({
        kind: 'finish',
        step,
        note: note ?? null,
        fixesChecks: true,
        strategy,
        claims: null,
      }))
    case 'finish':
      return fitting(finishInput, ({ summary, changed_files, not_done }) => ({
        kind: 'finish',
        step,
        note: [summary, ...not_done.map(what => `Not done: ${what}`)].join('\n'),
        fixesChecks: true,
        strategy: null,
        claims: changed_files,
      }))
    case 'run_check':
      return fitting(checkInput, value => readCheck(reading, step, value.name))
    case 'give_up':
      return fitting(giveUpInput, ({ constraint }) => ({ kind: 'give_up', step, constraint }))
    case 'spawn_plans':
      return fitting(spawnInput, value => {
        const decision = decisionOfChildren(step, uniqueKey(reading.state, value.key), value)
        if (!('kind' in decision)) return complain(decision.problem)
        const unknown = unknownKeys(reading.state, value.depends_on)
        if (unknown) return unknown
        return reading.state.isSpawning ? childrenRequest(step, value) : decision
      })
    default:
      return assertNever(name)
  }
}

interface Option {
  readonly id: string
  readonly label: string
  readonly why?: string | undefined
}

function asOption({ id, label, why }: Option) {
  return { id, label, rationale: why ?? null }
}

function readCheck({ brief }: Reading, step: string, name: string): ReadCall {
  const { checks } = brief.project
  const check = checks.find(each => each.name === name)
  const known = checks.map(each => each.name)
  if (!check) return complain(`The project has no check called ${name}. ${suggest(name, known)}`)
  return {
    kind: 'validate',
    step,
    command: check.command,
    mode: 'required',
    network: false,
    origin: 'project',
    fixable: true,
    influencedBy: [],
  }
}

type Decision = z.output<typeof decisionInput>

const typesIn = {
  strategize: ['strategy_choice', 'resource_selection'],
  execute: ['implementation_choice', 'resource_selection', 'error_recovery'],
} as const satisfies Record<'strategize' | 'execute', readonly DecisionRequest['type'][]>

function readDecision({ state }: Reading, step: string, decision: Decision): ReadCall {
  const { options, chosen, depends_on, under } = decision
  const types: readonly DecisionRequest['type'][] = typesIn[state.phase]
  const type = decision.type ?? typesIn[state.phase][0]
  if (!types.includes(type))
    return complain(`type is ${type}, and here it can only be ${types.join(' or ')}; leave it out.`)
  const ids = options.map(({ id }) => id)
  if (new Set(ids).size < ids.length) return complain('Two of the options have the same id.')
  if (!ids.includes(chosen)) return complain(`chosen is ${chosen}, and the options are ${ids.join(', ')}.`)
  const unknown = unknownKeys(state, [...depends_on, ...(under ? [under] : [])])
  if (unknown) return unknown
  return {
    kind: 'record_decision',
    step,
    key: uniqueKey(state, decision.key),
    type,
    question: decision.question,
    options: options.map(asOption),
    chosen,
    confidence: decision.confidence,
    rationale: decision.rationale,
    dependsOn: [...new Set(depends_on)],
    influencedBy: [],
    parentKey: under ?? null,
    unclearGuidance: null,
  }
}

function unknownKeys({ keys }: ModelState, named: readonly string[]): Complaint | null {
  const unknown = named.find(key => !keys.includes(key))
  if (unknown === undefined) return null
  const known = keys.length === 0 ? 'There are none yet.' : suggest(unknown, keys)
  return complain(`No decision has the key ${unknown}. ${known}`)
}

function uniqueKey({ keys }: ModelState, wanted: string): string {
  if (!keys.includes(wanted)) return wanted
  for (let count = 2; ; count++) {
    if (!keys.includes(`${wanted}-${count}`)) return `${wanted}-${count}`
  }
}
