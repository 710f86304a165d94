import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { startBackend, type TestBackend } from './backend.ts'
import { type FileTree, makeRepository, repositoryAt, type TestRepository } from './repository.ts'

export interface Bench {
  readonly backend: TestBackend
  readonly repository: TestRepository
  /** Registers an action made for one test: the YAML of its recipe and whatever else it needs. */
  action(name: string, yaml: string): Promise<void>
  /** Makes a plan from an action and follows it until it waits or ends. */
  start(name: string, profile: string, args?: Record<string, unknown>, sandbox?: string): Promise<PlanView>
  approve(plan: PlanView, more?: { option_id?: string; note?: string }): Promise<PlanView>
  reject(plan: PlanView, note?: string): Promise<PlanView>
  change(plan: PlanView, guidance: string): Promise<PlanView>
  correct(plan: PlanView, key: string, guidance: string): Promise<PlanView>
  read(path: string): Promise<string>
  decision(plan: PlanView, key: string): Promise<string>
}

/** A backend and a small repository, and the verbs of a person who works with one plan. */
export async function startBench(
  files: FileTree = { 'a.txt': 'one\n', 'b.txt': 'two\n' },
  options: BackendOptions = {},
): Promise<Bench> {
  return benchOn(await makeRepository({ files }), options)
}

/** The same on a folder that is there already, which need not be a repository. */
export async function startBenchOn(root: string, options: BackendOptions = {}): Promise<Bench> {
  return benchOn(repositoryAt(root), options)
}

type BackendOptions = Parameters<typeof startBackend>[0]

async function benchOn(repository: TestRepository, options: BackendOptions): Promise<Bench> {
  const backend = await startBackend(options)
  const answer = (plan: PlanView) => ({ plan_id: plan.plan_id, wait: true as const })
  const decision = async (plan: PlanView, key: string) => {
    const tree = await backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const found = tree.decisions.find(each => each.key === key)
    if (!found) throw new Error(`no decision ${key}: ${tree.decisions.map(each => each.key).join(', ')}`)
    return found.decision_id
  }
  return {
    backend,
    repository,
    decision,
    action: async (name, yaml) => {
      const text = `name: ${name}\ndescription: ${name}\ndefinition_of_done: done\nstrategy_actor: builtin/recipe\nexecution_actor: builtin/recipe\n${yaml}`
      await backend.call('_cleveragents/action/create', { text, file: `${name}.yaml` })
    },
    start: (action_name, automation_profile, args = {}, sandbox = undefined) =>
      backend.use({
        action_name,
        automation_profile,
        args,
        folder: repository.root,
        ...(sandbox === undefined ? {} : { sandbox }),
      }),
    approve: (plan, more = {}) => backend.call('_cleveragents/plan/approve', { ...answer(plan), ...more }),
    reject: (plan, note) =>
      backend.call('_cleveragents/plan/reject', { ...answer(plan), ...(note === undefined ? {} : { note }) }),
    change: (plan, guidance) =>
      backend.call('_cleveragents/plan/request-changes', { ...answer(plan), guidance }),
    correct: async (plan, key, guidance) => {
      const decision_id = await decision(plan, key)
      await backend.call('_cleveragents/plan/correct', { decision_id, mode: 'revert', guidance, wait: true })
      return backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true })
    },
    read: path => readFile(join(repository.root, path), 'utf8'),
  }
}

export function position(plan: { phase: string; state: string }): string {
  return `${plan.phase}/${plan.state}`
}

/** Where a plan is and what it asks, e.g. `execute/awaiting_input decision execute_command`. */
export function whereabouts(plan: PlanView): string {
  return [position(plan), ...plan.gates.flatMap(gate => [gate.kind, gate.flag ?? '-'])].join(' ')
}

/** What a plan changed so far, as one patch. */
export async function patchOf({ backend }: Bench, { plan_id }: PlanView): Promise<string> {
  return (await backend.call('_cleveragents/plan/diff', { plan_id })).patch
}
