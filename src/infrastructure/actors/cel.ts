import { createContext, Script } from 'node:vm'
// CEL is the common expression language of policies: total, without host access. This is its one implementation in
// plain JavaScript without dependencies.
import { Environment, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js'
import type { Evaluation, ExpressionEvaluator, Inspection, Scope } from '../../domain/actor/expression.ts'
import { suggest } from '../../domain/nearest.ts'
import { registerFunctions } from './cel-functions.ts'
import { namesRead } from './cel-names.ts'
import { fromCel, toCel } from './cel-values.ts'

/** Expressions longer or slower than this are refused: regular expressions and nested macros can explode. */
const LIMITS = {
  maxAstNodes: 2000,
  maxDepth: 60,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 16,
}
const TIMEOUT_MS = 2000

/** The expression language of recipes. Parsed expressions are kept, since loops evaluate the same ones again. */
export function createCel(): ExpressionEvaluator {
  // Made when first used: most commands evaluate nothing.
  let environment: Environment | null = null
  const parsed = new Map<string, ParseResult>()
  const parse = (expression: string): ParseResult => {
    environment ??= openEnvironment()
    const known = parsed.get(expression) ?? environment.parse(expression)
    parsed.set(expression, known)
    return known
  }
  const runBounded = createBoundedRunner()
  return {
    inspect: expression => inspect(expression, parse),
    evaluate: (expression, scope) => evaluate(expression, scope, parse, runBounded),
  }
}

function openEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  })
  registerFunctions(environment)
  return environment
}

function inspect(expression: string, parse: (expression: string) => ParseResult): Inspection {
  try {
    return { ok: true, reads: namesRead(parse(expression).ast) }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { ok: false, message: error.summary, offset: error.range?.start ?? 0 }
  }
}

function evaluate(
  expression: string,
  scope: Scope,
  parse: (expression: string) => ParseResult,
  runBounded: (work: () => unknown) => unknown,
): Evaluation {
  const inspection = inspect(expression, parse)
  if (!inspection.ok) return { ok: false, message: `${inspection.message} in ${shown(expression)}` }
  const values = scopeFor(inspection.reads, scope)
  try {
    const value = fromCel(runBounded(() => parse(expression)(values)))
    return value.ok ? value : { ok: false, message: `${value.message} in ${shown(expression)}` }
  } catch (error) {
    return { ok: false, message: explain(error, inspection.reads, scope, expression) }
  }
}

/** Only what is read is converted; results can be large. */
function scopeFor(reads: readonly string[], scope: Scope): Record<string, unknown> {
  const roots = new Set(reads.map(rootOf))
  const known = [...roots].filter(root => Object.hasOwn(scope, root))
  return Object.fromEntries(known.map(root => [root, toCel(scope[root])]))
}

function explain(error: unknown, reads: readonly string[], scope: Scope, expression: string): string {
  if (isTimeout(error)) return `${shown(expression)} took longer than ${TIMEOUT_MS} ms and was ended`
  if (!(error instanceof Error)) throw error
  const unknownRoot = reads.map(rootOf).find(root => !Object.hasOwn(scope, root))
  if (unknownRoot !== undefined)
    return `There is no ${unknownRoot} in ${shown(expression)}. ${suggest(unknownRoot, Object.keys(scope))}`
  const missing =
    error instanceof EvaluationError && error.code === 'no_such_key' ? missingMember(reads, scope) : null
  if (missing)
    return `${missing.root} has no ${missing.member} in ${shown(expression)}. ${suggest(missing.member, missing.known)}`
  const summary = error instanceof EvaluationError ? error.summary : error.message
  return `${summary} in ${shown(expression)}`
}

/** It is made in the other context, so its class is not our Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

function missingMember(
  reads: readonly string[],
  scope: Scope,
): { root: string; member: string; known: string[] } | null {
  for (const name of reads) {
    const [root = '', member] = name.split('.')
    const value = scope[root]
    if (member === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) continue
    if (!Object.hasOwn(value, member)) return { root, member, known: Object.keys(value) }
  }
  return null
}

function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}

function shown(expression: string): string {
  return `\${{ ${expression.trim()} }}`
}

/** The engine's own watchdog is the only one that also ends a runaway regular expression. */
function createBoundedRunner(): (work: () => unknown) => unknown {
  let run: ((work: () => unknown) => unknown) | null = null
  return work => {
    run ??= openRunner()
    return run(work)
  }
}

function openRunner(): (work: () => unknown) => unknown {
  const room: { work: () => unknown } = { work: () => null }
  const context = createContext(room)
  const script = new Script('work()')
  return work => {
    room.work = work
    try {
      return script.runInContext(context, { timeout: TIMEOUT_MS })
    } finally {
      room.work = () => null
    }
  }
}
