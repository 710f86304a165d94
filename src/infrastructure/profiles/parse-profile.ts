/**
 * Automation profiles as YAML files. A threshold is written by its flag; what a flag means is in the table of gates.
 * Whether a name is free is decided where the profile is registered.
 */
import * as z from 'zod'
import type { ParsedProfile } from '../../application/ports/profile.ts'
import type { Result } from '../../domain/failure.ts'
import { automationGateNames, automationGates, flagOf } from '../../domain/gate/automation.ts'
import { parseName } from '../../domain/name.ts'
import { sandboxed, thresholdFor } from '../../domain/profile/built-in.ts'
import { isReserved } from '../../domain/profile/precedence.ts'
import type { AutomationProfile, Guards } from '../../domain/profile/profile.ts'
import { errorText, placeErrors, refuseFile } from '../yaml/place-errors.ts'
import { check, type KeyError } from '../yaml/schema-check.ts'
import { readYaml } from '../yaml/yaml-source.ts'
import { guardsFile, readGuards } from './guards-file.ts'
import { readSafety, safetyFile } from './safety-file.ts'

export interface ProfileSourceText {
  /** As errors name it. */
  readonly file: string
  readonly text: string
  /** all: a profile that leaves a threshold out is refused. */
  readonly thresholds: 'some' | 'all'
}

/** What is wrong with a file, and what a person should know about one that is not. */
interface Findings {
  readonly errors: KeyError[]
  readonly notices: KeyError[]
}

/** A profile file's text as a profile, or everything that is wrong with it at once, with its place. */
export function parseProfile(source: ProfileSourceText): Result<ParsedProfile> {
  const yaml = readYaml(source.text)
  if (!yaml.ok) {
    const error = { file: source.file, ...yaml.position, path: '', message: `${yaml.message}.` }
    return refuseFile(source.file, [error])
  }
  const found: Findings = { errors: [], notices: [] }
  const profile = readProfile(yaml.document.value, source, found)
  const place = (problems: readonly KeyError[]) =>
    placeErrors(problems, source.file, yaml.document, () => ({}))
  if (!profile || found.errors.length > 0) return refuseFile(source.file, place(found.errors))
  return { ok: true, value: { profile, notices: place(found.notices).map(errorText) } }
}

const threshold = z
  .number()
  .min(0, 'must be from 0 (passes by itself) to 1 (always asks)')
  .max(1, 'must be from 0 (passes by itself) to 1 (always asks)')
  .optional()

const flags = Object.fromEntries(automationGateNames.map(gate => [flagOf(gate), threshold]))

const profileFile = z.strictObject({
  name: z.string(),
  description: z.string().trim().default(''),
  ...flags,
  safety: safetyFile.nullable().default(null),
  // Read by themselves: under either name.
  guards: z.unknown().optional(),
  guard: z.unknown().optional(),
})

function readProfile(value: unknown, source: ProfileSourceText, found: Findings): AutomationProfile | null {
  // Each part is looked at by itself, so that what is wrong in one hides nothing in another.
  const file = check(profileFile, withoutMeanings(value, found), [], found.errors)
  const written = isMap(value) ? value : {}
  const guards = readGuardsOf(written, found)
  const name = typeof written['name'] === 'string' ? readName(written['name'], found) : ''
  const thresholds = isMap(value) ? readThresholds(written, source, found) : null
  checkCosts(written['safety'], found)
  if (!file || !thresholds) return null
  return {
    name,
    description: file.description,
    thresholds,
    safety: { ...sandboxed, ...(file.safety && readSafety(file.safety)) },
    guards,
    childThresholds: {},
  }
}

/** `autoApply` is what `select_tool` means, and an easy slip: the commands show both. */
function withoutMeanings(value: unknown, { errors }: Findings): unknown {
  if (!isMap(value)) return value
  const meanings = automationGateNames.filter(gate => Object.hasOwn(value, gate))
  for (const gate of meanings)
    errors.push({ path: [gate], message: `is what the flag ${flagOf(gate)} means; write ${flagOf(gate)}.` })
  return Object.fromEntries(Object.entries(value).filter(([key]) => !meanings.some(gate => gate === key)))
}

/** `guard` is an older name of `guards` (requirements X-07). */
function readGuardsOf(written: Readonly<Record<string, unknown>>, found: Findings): Guards | null {
  const keys = (['guards', 'guard'] as const).filter(key => Object.hasOwn(written, key))
  if (keys.length === 2)
    found.errors.push({ path: ['guard'], message: 'is the older name of guards; leave one of them out.' })
  else if (keys[0] === 'guard')
    found.notices.push({ path: ['guard'], message: 'is the older name of guards; write guards.' })
  const read = keys.map(key => check(guardsFile.nullable(), written[key], [key], found.errors))[0] ?? null
  return read && readGuards(read)
}

function checkCosts(safety: unknown, { errors, notices }: Findings): void {
  if (!isMap(safety)) return
  const { max_cost_per_plan: perPlan, max_total_cost: total } = safety
  if (typeof perPlan === 'number' && typeof total === 'number' && perPlan > total)
    errors.push({
      path: ['safety', 'max_cost_per_plan'],
      message: `must not be more than max_total_cost, which is ${total}.`,
    })
  // Requirements X-16: false means "not required", which is less than one may think.
  if (safety['require_sandbox'] === false)
    notices.push({
      path: ['safety', 'require_sandbox'],
      message:
        'false only means that no sandbox is required: plans still have one, except with --sandbox none or where the setting sandbox.strategy is none.',
    })
  if (safety['require_checkpoints'] === false)
    notices.push({
      path: ['safety', 'require_checkpoints'],
      message: 'false only means that none are required: where the sandbox can take them, it still does.',
    })
}

function readThresholds(
  file: Readonly<Record<string, unknown>>,
  source: ProfileSourceText,
  { errors, notices }: Findings,
): AutomationProfile['thresholds'] {
  const missing = automationGateNames.filter(gate => file[flagOf(gate)] === undefined)
  if (source.thresholds === 'all')
    for (const gate of missing)
      errors.push({
        path: [flagOf(gate)],
        message: `is missing, and --strict wants all eleven. It says whether plans may ${automationGates[gate].what} without asking.`,
      })
  else if (missing.length > 0)
    notices.push({
      path: [],
      message: `${missing.length} of 11 thresholds are missing and always ask (1.0): ${missing.map(flagOf).join(', ')}.`,
    })
  return thresholdFor(gate => {
    const written = file[flagOf(gate)]
    return typeof written === 'number' ? written : 1
  })
}

function readName(written: string, { errors, notices }: Findings): string {
  const refused = (message: string) => {
    errors.push({ path: ['name'], message })
    return written
  }
  const bare = written.trim()
  if (isReserved(bare))
    return refused(`${bare} is a built-in profile; choose another name, or local/${bare}.`)
  const name = parseName(written, 'a profile')
  if (!name.ok) return refused(name.failure.message)
  if (name.value.startsWith('builtin/'))
    return refused('must not begin with builtin/, which holds what comes along.')
  if (!bare.includes('/'))
    notices.push({ path: ['name'], message: `has no namespace; it is stored as ${name.value}.` })
  const own = name.value.startsWith('local/') ? name.value.slice('local/'.length) : ''
  if (isReserved(own))
    notices.push({
      path: ['name'],
      message: `${own} alone always means the built-in profile; write ${name.value} to get this one.`,
    })
  return name.value
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
