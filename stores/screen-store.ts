import { createStore, type StoreApi } from 'zustand/vanilla'
import { type CallResult, connectionLost } from '../src/a2a/client/rpc-failure.ts'
import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { MethodName, Output, Params } from '../src/a2a/protocol/methods.ts'
import { applyEvent, applyToTree } from './apply-event.ts'
import { cleanView } from './clean-view.ts'
import type { Connection } from './connection.ts'
import { followCorrection } from './follow-correction.ts'
import { createFollowLimits } from './follow-limits.ts'
import { createFrameClock, type Timer } from './frame-clock.ts'
import { gatesOf, replaceGates } from './gates.ts'
import { createModel, type Model, stepsOf } from './model.ts'
import { createPlanTree, fillTree, noteStep, type PlanTree } from './plan-tree.ts'
import { ancestorsOf, replacePlans } from './plans.ts'
import type { Connect, ScreenClient } from './screen-client.ts'
import { clearShelves, createShelves, expireAudit, expirePlans, type Shelves } from './shelves.ts'
import { putStep } from './steps.ts'
import { isOnScreen, nodeAt } from './tree-window.ts'
import { selectNode, type Ui } from './ui.ts'

/** What views subscribe to: a number that says that the model changed, and the small records. */
export interface ScreenState<Dialog> {
  readonly version: number
  readonly ui: Ui<Dialog>
  readonly connection: Connection
  readonly hasLoaded: boolean
}

export interface ScreenStore<Dialog> {
  readonly state: StoreApi<ScreenState<Dialog>>
  readonly model: Model
  readonly shelves: Shelves
  ui(): Ui<Dialog>
  /** For what a key caused: shown with the next frame, without waiting. */
  changeUi(change: (ui: Ui<Dialog>) => Ui<Dialog>): void
  /** Shown with the next data frame. */
  touch(): void
  /** Reaches the backend, loads, and follows its events; again after a loss, it goes on from the last event seen. */
  start(): Promise<void>
  /** Lets go of the backend: it ends with the connection, or goes on alone where it was told to. */
  stop(backend: 'ends' | 'goesOn'): Promise<void>
  call<Name extends MethodName>(name: Name, params: Params<Name>): Promise<CallResult<Output<Name>>>
  wantTree(planId: string): void
}

export interface ScreenStoreOptions<Dialog> {
  readonly connect: Connect
  readonly timer: Timer
  /** Makes one line of text from outside safe to draw. */
  readonly clean: (line: string) => string
  readonly ui: Ui<Dialog>
  /** Selected as soon as it is known. */
  readonly startWith?: string | undefined
}

export function createScreenStore<Dialog>(options: ScreenStoreOptions<Dialog>): ScreenStore<Dialog> {
  const model = createModel()
  const clock = createFrameClock(options.timer, publish)
  const shelves = createShelves(options.timer, clock.soon)
  const followLimits = createFollowLimits({
    model,
    timer: options.timer,
    changed: clock.soon,
    async fetch(planId) {
      const answer = await call('_cleveragents/plan/status', { plan_id: planId })
      return answer.ok ? answer.value : null
    },
  })
  let ui = options.ui
  let connection: Connection = { kind: 'starting' }
  let hasLoaded = false
  let client: ScreenClient | null = null
  let following = new AbortController()
  let wanted = options.startWith
  /** Counts connections, so that what belongs to a lost one is not believed. */
  let generation = 0
  const state = createStore<ScreenState<Dialog>>(() => ({ version: 0, ui, connection, hasLoaded }))

  function publish(): void {
    state.setState(({ version }) => ({ version: version + 1, ui, connection, hasLoaded }))
  }

  function moveTo(next: Connection): void {
    connection = next
    clock.now()
  }

  async function start(): Promise<void> {
    const mine = ++generation
    moveTo({ kind: 'starting' })
    const reached = await reach()
    if (mine !== generation) return
    if (typeof reached === 'string') {
      moveTo({ kind: 'error', message: reached })
      return
    }
    client = reached
    void reached.closed.then(reason => lose(mine, reason))
    const problem = hasLoaded ? null : await load()
    if (mine !== generation) return
    if (problem === null) {
      retryTrees()
      follow(mine, reached)
    }
    moveTo(problem === null ? { kind: 'connected' } : { kind: 'error', message: problem })
  }

  async function reach(): Promise<ScreenClient | string> {
    try {
      return await options.connect()
    } catch (cause) {
      return options.clean(messageOf(cause))
    }
  }

  function lose(mine: number, reason: string): void {
    if (mine !== generation) return
    generation++
    client = null
    moveTo({ kind: 'disconnected', reason: options.clean(reason) })
  }

  async function load(): Promise<string | null> {
    const [plans, gates] = await Promise.all([
      call('_cleveragents/plan/list', { limit: 1_000 }),
      call('_cleveragents/gate/list', {}),
    ])
    if (!plans.ok) return plans.failure.message
    if (!gates.ok) return gates.failure.message
    replacePlans(model.plans, plans.value.plans)
    replaceGates(model.gates, gates.value.gates)
    model.lastSeq = plans.value.seq
    hasLoaded = true
    keepSelection()
    return null
  }

  function follow(mine: number, from: ScreenClient): void {
    following = new AbortController()
    const end = from.subscribe({
      afterSeq: model.lastSeq,
      onEvent: event => {
        if (mine === generation) receive(cleanView(event, options.clean))
      },
      signal: following.signal,
    })
    void end.then(ended => {
      if (ended.kind === 'failed') lose(mine, ended.failure.message)
      if (ended.kind === 'complete') lose(mine, 'The backend has stopped.')
    })
  }

  function receive(event: WireEvent): void {
    if (event.method === '_cleveragents/gap') void reload()
    const changed = applyEvent(model, event)
    expirePlans(shelves, changed.stalePlanIds)
    if (event.method !== '_cleveragents/step/output') expireAudit(shelves, event.plan_id)
    followLimits.note(event)
    keepSelection()
    ui = followCorrection(ui, event)
    followNewest(event)
    clock.soon()
  }

  /** Events are missing: what is known may be wrong, so it is read anew. */
  async function reload(): Promise<void> {
    model.trees.clear()
    clearShelves(shelves)
    await load()
    clock.soon()
  }

  function keepSelection(): void {
    if (wanted !== undefined && model.plans.byId.has(wanted)) {
      ui = { ...ui, selectedPlanId: wanted, focus: 'tree' }
      wanted = undefined
    }
    if (ui.selectedPlanId === null) ui = { ...ui, selectedPlanId: model.plans.roots[0]?.plan_id ?? null }
    ui = withFirstNode(model, ui)
  }

  function followNewest(event: WireEvent): void {
    const planId = ui.selectedPlanId
    if (ui.follow === 'off' || planId === null || event.method !== '_cleveragents/decision/recorded') return
    const isShown = event.plan_id === planId || ancestorsOf(model.plans, event.plan_id).includes(planId)
    const id = isShown ? nearestShown(model.trees.get(planId), event.decision.decision_id) : null
    if (id !== null) ui = selectNode(ui, planId, { id, offset: Number.MAX_SAFE_INTEGER })
  }

  async function call<Name extends MethodName>(
    name: Name,
    params: Params<Name>,
  ): Promise<CallResult<Output<Name>>> {
    if (!client) return { ok: false, failure: connectionLost(notConnected) }
    try {
      return cleanView(await client.call(name, params), options.clean)
    } catch (cause) {
      return { ok: false, failure: connectionLost(options.clean(messageOf(cause))) }
    }
  }

  function wantTree(planId: string): void {
    if (client && !model.trees.has(planId)) void loadTree(createPlanTree(planId))
  }

  async function loadTree(planTree: PlanTree): Promise<void> {
    const { planId } = planTree
    model.trees.set(planId, planTree)
    const [tree, steps] = await Promise.all([
      call('_cleveragents/plan/tree', { plan_id: planId, show_superseded: true }),
      call('_cleveragents/plan/steps', { plan_id: planId }),
    ])
    if (tree.ok) {
      const planIds = [planId, ...tree.value.decisions.map(decision => decision.plan_id)]
      fillTree(planTree, tree.value, gatesOf(model.gates, planIds))
      for (const step of steps.ok ? steps.value.steps : []) putStep(stepsOf(model, planId), step)
      for (const step of stepsOf(model, planId).byId.values()) noteStep(planTree, step)
      const waiting = planTree.status.kind === 'loading' ? planTree.status.waiting : []
      planTree.status = { kind: 'ready' }
      for (const event of waiting) applyToTree(planTree, event)
      for (const childId of new Set(planIds)) if (childId !== planId) void loadSteps(planTree, childId)
    } else planTree.status = { kind: 'failed', message: tree.failure.message }
    keepSelection()
    clock.soon()
  }

  /** Those of a child plan, which stands in the tree of the plan above it. */
  async function loadSteps(planTree: PlanTree, planId: string): Promise<void> {
    const steps = await call('_cleveragents/plan/steps', { plan_id: planId })
    if (!steps.ok) return
    for (const step of steps.value.steps) {
      putStep(stepsOf(model, planId), step)
      noteStep(planTree, step)
    }
    clock.soon()
  }

  /** What could not be loaded over the lost connection is asked for again when it is looked at. */
  function retryTrees(): void {
    for (const [planId, planTree] of model.trees)
      if (planTree.status.kind !== 'ready') model.trees.delete(planId)
  }

  return {
    state,
    model,
    shelves,
    ui: () => ui,
    changeUi(change) {
      ui = change(ui)
      clock.now()
    },
    touch: clock.soon,
    start,
    async stop(backend) {
      generation++
      clock.stop()
      followLimits.stop()
      following.abort()
      if (backend === 'goesOn') client?.leave()
      else await client?.close()
    },
    call,
    wantTree,
  }
}

/** A tree that nobody has moved in yet begins at its first row. */
function withFirstNode<Dialog>(model: Model, ui: Ui<Dialog>): Ui<Dialog> {
  const planTree = model.trees.get(ui.selectedPlanId ?? '')
  if (!planTree || ui.nodes[planTree.planId]) return ui
  const first = nodeAt(planTree.tree, 0)
  return first ? selectNode(ui, planTree.planId, { id: first.id, offset: 0 }) : ui
}

/** Inside a folded part the row that holds it is the one to look at. */
function nearestShown(planTree: PlanTree | undefined, id: string): string | null {
  let node = planTree?.tree.nodes.get(id) ?? null
  while (planTree && node && !isOnScreen(planTree.tree, node)) node = node.parent
  return node && node.id !== '' ? node.id : null
}

const notConnected = 'There is no connection to the backend now; nothing was changed.'

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
