/** Random recipes, corrected three times in a row at random decisions: what was foreseen is what happens. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CorrectionView } from '../../src/a2a/protocol/views/correction.ts'
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'
import { filesAfter, randomRecipe, recipeYaml, SHARED, SHARED_PATH } from '../support/random-recipe.ts'
import { readFiles } from '../support/read-files.ts'
import { sandboxRoot } from '../support/work-action.ts'

const isLong = process.env['LONG'] === '1'
const SAMPLES = isLong ? 150 : 1
const PERSON_WAITS_MS = isLong ? 14_400_000 : 600_000

it(
  'three corrections in a row leave the files, the decisions and the journal as they were foreseen',
  async () => {
    const bench = await startBench({ [SHARED_PATH]: SHARED })
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        randomRecipe,
        fc.array(fc.nat(99), { minLength: 3, maxLength: 3 }),
        async (recipe, wishes) => {
          const name = `local/random-${made++}`
          await bench.action(name, recipeYaml(recipe))
          let plan = await bench.start(name, 'auto')
          expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
          await expectAsFromScratch(bench, plan, recipe)
          for (const wish of wishes) {
            plan = await correctOne(bench, plan, wish)
            await expectAsFromScratch(bench, plan, recipe)
          }
          await bench.backend.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })
        },
      ),
      { numRuns: SAMPLES, ...(isLong ? {} : { seed: 4, endOnFailure: true }) },
    )
  },
  PERSON_WAITS_MS,
)

/** The files are what the recipe makes of them when it runs once with just the decisions that hold. */
async function expectAsFromScratch(bench: Bench, plan: PlanView, recipe: Parameters<typeof filesAfter>[0]) {
  const holding = await chosenIn(bench, plan)
  const { files, keys } = filesAfter(
    recipe,
    new Map(holding.map(each => [each.key ?? '', each.chosen_option.id])),
  )
  expect(holding.map(each => each.key).toSorted()).toEqual(keys.toSorted())
  const root = sandboxRoot(bench.backend.dataDir, plan.plan_id, bench.repository.root)
  const { '.git': _, ...found } = await readFiles(root)
  expect(found).toEqual(files)
  const line = bench.backend.ports.store.works.listPresent(asId<PlanId>(plan.plan_id))
  for (const [at, work] of line.entries()) if (at > 0) expect(work.from).toBe(line[at - 1]?.to)
  expect(bench.backend.ports.store.decisions.listKept(asId<PlanId>(plan.plan_id))).toEqual([])
}

async function correctOne(bench: Bench, plan: PlanView, wish: number): Promise<PlanView> {
  const { backend } = bench
  const { plan_id } = plan
  const before = await chosenIn(bench, plan, 'superseded')
  const holding = before.filter(each => each.status === 'active')
  const target = holding[wish % holding.length]
  if (!target) throw new Error('nothing to correct')
  const guidance = target.chosen_option.id === 'x' ? 'y' : 'x'
  const request = { decision_id: target.decision_id, mode: 'revert', guidance } as const
  const steps = await stepCounts(bench, plan)
  const preview = await backend.call('_cleveragents/plan/correct', { ...request, dry_run: true })

  const done = await backend.call('_cleveragents/plan/correct', {
    ...request,
    digest: preview.impact.digest,
    wait: true,
  })

  expect(done.impact).toEqual(preview.impact)
  const after = await chosenIn(bench, plan, 'superseded')
  expectForeseen(bench, preview, after)
  const again = await backend.call('_cleveragents/plan/status', { plan_id, wait: true })
  expect(whereabouts(again)).toBe('execute/awaiting_input phase select_tool')
  const now = new Map(after.map(each => [each.decision_id, each]))
  // Superseded is superseded, whatever comes later.
  for (const each of before.filter(({ status }) => status === 'superseded'))
    expect(now.get(each.decision_id)?.status).toBe('superseded')
  const kept = preview.impact.kept.filter(id => now.get(id)?.status === 'active')
  const counts = await stepCounts(bench, plan)
  for (const id of kept) {
    const [old] = holding.filter(each => each.decision_id === id)
    expect(now.get(id)?.chosen_option).toEqual(old?.chosen_option)
    // A step that was not done before, on another branch, may run; none that was done runs again.
    for (const [step, count] of steps) if (step.startsWith(id)) expect(counts.get(step)).toBe(count)
  }
  expect(after.find(each => each.key === target.key && each.status === 'active')?.chosen_option.id).toBe(
    guidance,
  )
  return again
}

/** What was superseded at once and what was restored are what the preview named. */
function expectForeseen(
  { backend }: Bench,
  { plan_id, impact }: CorrectionView,
  after: readonly DecisionView[],
) {
  const { store } = backend.ports
  const correction = store.corrections.listByPlan(asId<PlanId>(plan_id)).at(-1)
  expect(correction?.supersededIds).toEqual(impact.decisions.map(each => each.decision_id))
  const superseded = after.filter(each =>
    impact.decisions.some(({ decision_id }) => decision_id === each.decision_id),
  )
  expect(superseded.every(each => each.status === 'superseded')).toBe(true)
  const restore = store.steps
    .listByPlan(asId<PlanId>(plan_id))
    .findLast(step => step.path === 'restore' && step.kind === 'restore')
  expect(restore?.written).toEqual(impact.restored.map(({ path }) => path))
}

async function chosenIn({ backend }: Bench, { plan_id }: PlanView, show: 'active' | 'superseded' = 'active') {
  const { decisions } = await backend.call('_cleveragents/plan/tree', {
    plan_id,
    show_superseded: show === 'superseded',
  })
  return decisions.filter(each => each.key !== null)
}

/** How many rows each step of each decision has. */
async function stepCounts({ backend }: Bench, { plan_id }: PlanView): Promise<Map<string, number>> {
  const { steps } = await backend.call('_cleveragents/plan/steps', { plan_id })
  const names = steps.map(({ decision_id, path }) => `${decision_id} ${path}`)
  return new Map(names.map(name => [name, names.filter(other => other === name).length]))
}
