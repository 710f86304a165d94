/**
 * Random plans under random profiles, guards and answers: nothing that a gate stands before ever begins without its
 * threshold having passed, or a person having answered exactly that gate.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { Ports } from '../../src/application/ports.ts'
import { refuse } from '../../src/domain/failure.ts'
import { automationGateNames, flagOf } from '../../src/domain/gate/automation.ts'
import { type SentAnswer, withoutLeave } from '../support/gate-ledger.ts'
import { type Bench, startBenchOn } from '../support/purpose-made.ts'
import { randomRecipe, recipeSteps, SHARED, SHARED_PATH } from '../support/random-recipe.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const isLong = process.env['LONG'] === '1'
const SAMPLES = isLong ? 100 : 1
const PERSON_WAITS_MS = isLong ? 14_400_000 : 600_000
const MOST_ANSWERS = 24

const EXTRAS = {
  asks: {
    decide: { id: 'how', type: 'strategy_choice', question: 'How?', choose: 'x', options: options('x', 'y') },
  },
  spawns: { spawn: { action: 'local/model-child', as: 'child' } },
  checks: {
    validate: {
      command: 'test -f ok.txt',
      fix: [{ tool: { name: 'builtin/write_file', with: { path: 'ok.txt', content: 'x' } } }],
    },
  },
  runs: { tool: { name: 'builtin/run_command', with: { command: 'touch ran.txt' } } },
  removes: { tool: { name: 'builtin/run_command', with: { command: 'rm -f ran.txt' } } },
} as const

const CHILD = `recipe: ${JSON.stringify({
  execute: [
    {
      decide: {
        id: 'c',
        type: 'implementation_choice',
        question: 'Child?',
        choose: 'x',
        options: options('x', 'y'),
      },
    },
    { tool: { name: 'builtin/write_file', with: { path: 'child.txt', content: 'x' } } },
  ],
})}\n`

const someOf = <Value>(values: readonly Value[]) => fc.subarray([...values])

const randomProfile = fc.record({
  thresholds: fc.array(fc.constantFrom(0, 0, 0, 0.5, 0.6, 1), { minLength: 11, maxLength: 11 }),
  requireHumanApproval: fc.integer({ min: 0, max: 3 }).map(each => each === 0),
  denylist: someOf(['builtin/write_file', 'builtin/run_command(rm *)', 'builtin/run_command(test *)']),
  applyAsks: fc.boolean(),
  callsPerStep: fc.constantFrom(null, null, 1),
})

const randomAnswer = fc.record({
  gate: fc.nat(9),
  what: fc.constantFrom(
    'approve',
    'approve',
    'approve',
    'approve',
    'grant',
    'reject',
    'change',
    'stale',
    'wrong',
  ),
  option: fc.nat(9),
})
type RandomAnswer = typeof randomAnswer extends fc.Arbitrary<infer Value> ? Value : never

it(
  'nothing that is gated begins without its threshold having passed or a person having answered exactly that gate',
  async () => {
    const root = await temporaryFolder()
    const trouble = { left: 0 }
    const bench = await startBenchOn(root, { clock: hastyClock, tools: failing(trouble) })
    await bench.action('local/model-child', CHILD)
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        randomRecipe,
        someOf(Object.keys(EXTRAS) as (keyof typeof EXTRAS)[]),
        randomProfile,
        fc.array(randomAnswer, { minLength: MOST_ANSWERS, maxLength: MOST_ANSWERS }),
        fc.nat(3),
        async (recipe, extras, profile, answers, failures) => {
          await writeFile(join(root, SHARED_PATH), SHARED)
          trouble.left = failures
          const name = `local/model-${made++}`
          const execute = extras.flatMap(each => (each === 'asks' ? [] : [EXTRAS[each]]))
          const steps = {
            strategize: extras.includes('asks') ? [EXTRAS.asks] : [],
            execute: [...recipeSteps(recipe), ...execute],
          }
          await bench.action(name, `max_fix_attempts: 1\nrecipe: ${JSON.stringify(steps)}\n`)
          await bench.backend.call('_cleveragents/automation-profile/add', {
            text: profileYaml(name, profile),
            file: 'profile.yaml',
          })
          const after = bench.backend.ports.store.events.lastSeq()
          const sent = await answerAll(bench, await bench.start(name, name), answers)
          const events = bench.backend.ports.store.events.read(after, 100_000)
          expect(withoutLeave(events, sent)).toEqual([])
        },
      ),
      { numRuns: SAMPLES, endOnFailure: true, ...(isLong ? {} : { seed: -1_044_535_067 }) },
    )
  },
  PERSON_WAITS_MS,
)

/** Answers until nothing waits any more; the plan is cancelled where it outlasts the answers. */
async function answerAll(
  bench: Bench,
  begun: PlanView,
  answers: readonly RandomAnswer[],
): Promise<SentAnswer[]> {
  const { client, call } = bench.backend
  const sent: SentAnswer[] = []
  const earlier: GateView[] = []
  const { plan_id } = begun
  let plan = begun
  for (const wish of answers) {
    if (['applied', 'cancelled'].includes(plan.state)) return sent
    const gate = plan.gates[wish.gate % Math.max(1, plan.gates.length)]
    if (!gate) {
      await call('_cleveragents/plan/resume', { plan_id })
    } else {
      const answer = await give(bench, plan_id, gate, wish, earlier)
      if (answer) sent.push(answer)
      earlier.push(gate)
    }
    plan = await call('_cleveragents/plan/status', { plan_id, wait: true })
  }
  await client.call('_cleveragents/plan/cancel', { plan_id })
  return sent
}

/** What was taken as an answer; what is stale, or to another gate, must be refused. */
async function give(
  { backend }: Bench,
  plan_id: string,
  gate: GateView,
  { what, option }: RandomAnswer,
  earlier: readonly GateView[],
): Promise<SentAnswer | null> {
  const { gate_id, digest } = gate
  const named = { plan_id, gate_id, digest }
  const taken = (decision: SentAnswer['decision'], grant: SentAnswer['grant'] = 'once') => ({
    gateId: gate_id,
    digest,
    decision,
    grant,
  })
  if (what === 'stale' || what === 'wrong') {
    const other = earlier.find(each => each.gate_id !== gate_id)
    const wrong = what === 'wrong' && other ? other.gate_id : gate_id
    const stale = what === 'wrong' && other ? other.digest : digest.slice(1)
    await backend.refusal('_cleveragents/plan/approve', { plan_id, gate_id: wrong, digest: stale })
    return null
  }
  if (what === 'change') {
    const answer = await backend.client.call('_cleveragents/plan/request-changes', {
      ...named,
      guidance: 'y',
    })
    return answer.ok ? taken('request_changes') : null
  }
  if (what === 'reject') {
    await backend.call('_cleveragents/plan/reject', named)
    return taken('reject')
  }
  if (what === 'grant') {
    const answer = await backend.client.call('_cleveragents/plan/approve', { ...named, grant: 'plan' })
    return answer.ok ? taken('approve', 'plan') : null
  }
  // Mostly the first one, so that plans get somewhere.
  const chosen = gate.options[option < 7 ? 0 : option % Math.max(1, gate.options.length)]
  const option_id = chosen ? { option_id: chosen.id } : {}
  const answer = await backend.client.call('_cleveragents/plan/approve', { ...named, ...option_id })
  if (!answer.ok) return null
  return taken(chosen?.effect === 'reject' ? 'reject' : 'approve')
}

function profileYaml(
  name: string,
  profile: typeof randomProfile extends fc.Arbitrary<infer Value> ? Value : never,
) {
  const { thresholds, requireHumanApproval, denylist, applyAsks, callsPerStep } = profile
  const flags = automationGateNames.map((gate, at) => [flagOf(gate), thresholds[at] ?? 1])
  return JSON.stringify({
    name,
    description: name,
    ...Object.fromEntries(flags),
    safety: { require_human_approval: requireHumanApproval },
    guards: {
      tool_denylist: denylist,
      require_approval_for_apply: applyAsks,
      max_tool_calls_per_step: callsPerStep,
    },
  })
}

/** The pauses between tries are what takes time. */
const hastyClock: Ports['clock'] = {
  now: () => new Date().toISOString(),
  wait: async (_, signal) => signal.throwIfAborted(),
}

/** The first writes of a plan meet a disk that is away. */
function failing(trouble: { left: number }) {
  return (tools: Ports['tools']): Ports['tools'] => ({
    list: tools.list,
    find: name => {
      const tool = tools.find(name)
      if (!tool || name !== 'builtin/write_file') return tool
      return {
        ...tool,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        run: async (input, context) =>
          trouble.left-- > 0 ? refuse('transient', 'The disk was away.') : tool.run(input, context),
      }
    },
  })
}

function options(...ids: string[]) {
  return ids.map(id => ({ id, label: id }))
}
