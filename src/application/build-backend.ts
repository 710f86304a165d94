import { mapped, type Result } from '../domain/failure.ts'
import { isPhaseQuestion } from '../domain/gate/gate.ts'
import type { Plan } from '../domain/plan/plan.ts'
import { showActor } from './actor/show-actor.ts'
import { pickPart, refusalToApplyPart } from './apply/choose-part.ts'
import { refusalWhileCut } from './apply/cut-apply.ts'
import { unapplyPlan } from './apply/unapply-plan.ts'
import type { AnswerGate } from './backend/plan.ts'
import type { Sessions } from './backend/session.ts'
import type { Backend } from './backend.ts'
import { unlessByCommand } from './by-a-person.ts'
import { appendChild } from './children/append-child.ts'
import {
  cleanUpFamily,
  interruptFamily,
  pauseFamily,
  resumeFamily,
  runFamily,
  runSession,
} from './children/family.ts'
import { refusalToGoBack } from './children/handed-over.ts'
import { openGatesBelow } from './children/waiting.ts'
import { correctDecision } from './decision/correct-decision.ts'
import { explainDecision } from './decision/explain-decision.ts'
import { showDiff } from './decision/show-diff.ts'
import { gatherLog } from './decision-log/gather-log.ts'
import { answerGate } from './gate/answer-gate.ts'
import { requestChangesAtPhase } from './gate/request-changes-at-phase.ts'
import { calibrationCheck, showCalibration } from './gate/show-calibration.ts'
import { planAudit } from './guardrails/plan-audit.ts'
import { changeGuards, showGuards } from './guards/change-guards.ts'
import { guardsOf } from './guards/guards-of.ts'
import { testGuards } from './guards/test-guards.ts'
import {
  addInvariants,
  effectiveInvariants,
  listInvariants,
  removeInvariant,
} from './invariant/state-invariants.ts'
import { cancelPlan, passPhase, promptPlan } from './plan/control-plan.ts'
import { editStrategy, showStrategy } from './plan/edit-strategy.ts'
import { listMessages } from './plan/list-messages.ts'
import { planArtifacts, planDetails, planTree } from './plan/query-plans.ts'
import { createPlanOwner, type PlanOwner } from './plan-owner.ts'
import type { Ports } from './ports.ts'
import { findProfile, listProfiles } from './profile/find-profile.ts'
import { previewProfile } from './profile/preview-profile.ts'
import { addProfile, deleteProfile, updateProfile } from './profile/register-profile.ts'
import { setPlanProfile } from './profile/set-plan-profile.ts'
import { archiveAction, createAction, findAction, listActions } from './project/find-action.ts'
import { findProject, projectDetails, registerFolder, setSetUp } from './project/find-project.ts'
import { addResource, listResources, removeResource, setLink, showResource } from './project/resources.ts'
import { giveTrust, revokeTrust } from './project/trust.ts'
import { askAboutCutApplies, finishCutRestores, keepRecovering, recover, sweepSandboxes } from './recover.ts'
import { findById, findDecision, findPlan, gateToAnswer, namedByKind } from './references.ts'
import { rollbackPlan } from './rollback/rollback-plan.ts'
import { undo } from './rollback/undo.ts'
import {
  closeSession,
  createSession,
  deleteSession,
  listSessions,
  noteTurn,
  rememberShown,
  showSession,
} from './session/manage-sessions.ts'
import { exportSession, importSession } from './session/session-files.ts'
import { tellSession } from './session/tell-session.ts'
import { useAction } from './use-action.ts'
import {
  addValidation,
  attachValidation,
  detachValidation,
  listValidations,
} from './validation/manage-validations.ts'

/** Binds the use cases to their ports and to the one owner of this process's running plans. */
export function buildBackend(ports: Ports): Backend {
  const owner = createPlanOwner(ports)
  let stopRecovering = () => {}
  const running = (plan: Result<Plan>) => {
    if (plan.ok) runFamily(ports, owner, plan.value)
    return plan
  }
  return {
    useAction: async input => running(await useAction(ports, input)),
    passPhase: async input => {
      const { part } = input
      const refused = part === null ? null : await refusalToApplyPart(ports, input.planRef, part)
      return refused ?? running(passPhase(ports, input))
    },
    pickPart: (planRef, picked) => pickPart(ports, planRef, picked),
    answerGate: async input => {
      const isAboutSession = asksAboutSession(ports, input)
      const plan = running(await answer(ports, owner, input))
      if (plan.ok && isAboutSession) runSession(ports, owner, plan.value)
      return plan
    },
    cancel: async (planRef, reason) => {
      const plan = (await refusalWhileCut(ports, planRef)) ?? cancelPlan(ports, planRef, reason)
      if (plan.ok) await cleanUpFamily(ports, plan.value)
      return plan
    },
    pause: planRef => pauseFamily(ports, owner, planRef),
    resume: async planRef => running(resumeFamily(ports, planRef)),
    interrupt: planRef => interruptFamily(ports, owner, planRef),
    prompt: async (planRef, guidance, by) => running(promptPlan(ports, planRef, guidance, by)),
    correct: async given => {
      const input = namedByKind(ports, given)
      const refused = await refusalWhileCut(ports, input.planRef, input.decisionRef)
      if (refused) return refused
      if (input.mode !== 'append')
        return (
          refusalToGoBack(ports, input.planRef, input.decisionRef) ?? correctDecision(ports, owner, input)
        )
      const appended = appendChild(ports, input)
      if (appended.ok && !input.dryRun) runFamily(ports, owner, appended.value.plan)
      return appended
    },
    rollback: async input =>
      (await refusalWhileCut(ports, input.planRef)) ??
      refusalToGoBack(ports, input.planRef) ??
      rollbackPlan(ports, owner, input),
    undo: async input =>
      (await refusalWhileCut(ports, input.planRef)) ??
      refusalToGoBack(ports, input.planRef) ??
      undo(ports, owner, input),
    unapply: async (planRef, note) => running(await unapplyPlan(ports, planRef, note)),
    settled: owner.settled,
    sessions: sessionsOf(ports, async input => running(await useAction(ports, input))),
    ...planQueries(ports),
    ...registries(ports),
    ...surroundings(ports),
    ...lingering(owner),
    recover: async mode => {
      await finishCutRestores(ports, owner)
      if (mode === 'look') await askAboutCutApplies(ports, owner)
      recover(ports, owner, mode)
      if (mode === 'look') return
      stopRecovering = keepRecovering(ports, owner)
      sweepSandboxes(ports)
    },
    stop: async () => {
      stopRecovering()
      await owner.stop()
      ports.store.close()
    },
  }
}

function sessionsOf(ports: Ports, start: Backend['useAction']): Sessions {
  return {
    create: input => createSession(ports, input),
    list: () => listSessions(ports),
    show: reference => showSession(ports, reference),
    close: reference => closeSession(ports, reference),
    delete: reference => deleteSession(ports, reference),
    export: reference => exportSession(ports, reference),
    import: input => importSession(ports, input),
    tell: input => tellSession(ports, input, start),
    note: (sessionId, said, reply) => noteTurn(ports, sessionId, said, reply),
    rememberShown: (sessionId, shown) => rememberShown(ports, sessionId, shown),
  }
}

function lingering(owner: PlanOwner) {
  let kept = false
  return {
    keepRunning: () => {
      kept = true
      return owner.runningCount()
    },
    isKeptRunning: () => kept,
    idle: owner.idle,
  }
}

/** Its answer moves every plan of the session that stands at the same limit. */
function asksAboutSession(ports: Ports, { planRef, gateRef }: AnswerGate): boolean {
  const plan = findPlan(ports, planRef)
  const gate = plan.ok ? gateToAnswer(ports, plan.value, gateRef) : plan
  return gate.ok && gate.value.subject.kind === 'limit' && gate.value.subject.level === 'session'
}

/** A phase gate asked to change leads back to a decision; every other answer resolves the gate itself. */
async function answer(ports: Ports, owner: PlanOwner, input: AnswerGate): Promise<Result<Plan>> {
  const plan = findPlan(ports, input.planRef)
  if (!plan.ok) return plan
  const gate = gateToAnswer(ports, plan.value, input.gateRef)
  const changes = gate.ok && input.answer.decision === 'request_changes' && isPhaseQuestion(gate.value)
  if (!changes) {
    const { part } = input.answer
    const refused = part === null ? null : await refusalToApplyPart(ports, input.planRef, part)
    return refused ?? answerGate(ports, input)
  }
  return requestChangesAtPhase(ports, owner, plan.value, gate.value, input)
}

function planQueries(ports: Ports) {
  const { store } = ports
  return {
    plan: async (planRef: string) => mapped(findPlan(ports, planRef), plan => planDetails(ports, plan)),
    details: (plan: Plan) => planDetails(ports, plan),
    plans: ({ phase, state, project, limit }) =>
      store.plans
        .list({ ...(phase && { phase }), ...(state && { state }), ...(project && { project }), limit })
        .map(plan => planDetails(ports, plan)),
    tree: (planRef, options) => planTree(ports, planRef, options),
    explain: (decisionRef, planRef) => explainDecision(ports, decisionRef, planRef),
    diff: request => showDiff(ports, request),
    decisionLog: planRef => gatherLog(ports, planRef),
    steps: (planRef, decisionRef) => {
      const plan = findPlan(ports, planRef)
      if (!plan.ok) return plan
      const steps = store.steps.listByPlan(plan.value.planId)
      if (decisionRef === null) return { ok: true, value: steps }
      const decision = findDecision(ports, decisionRef, plan.value)
      return mapped(decision, found => steps.filter(step => step.decisionId === found.decisionId))
    },
    checkpoints: planRef =>
      mapped(findPlan(ports, planRef), plan => store.checkpoints.listByPlan(plan.planId)),
    artifacts: planRef => planArtifacts(ports, planRef),
    audit: (planRef, filter) => planAudit(ports, planRef, filter),
    strategy: planRef => showStrategy(ports, planRef),
    editStrategy: input => editStrategy(ports, input),
    messages: input => listMessages(ports, input),
    openGates: planRef =>
      planRef === null
        ? { ok: true, value: store.gates.listOpen(null) }
        : mapped(findPlan(ports, planRef), plan => openGatesBelow(ports, plan)),
    guards: planRef => showGuards(ports, planRef),
    changeGuards: input => changeGuards(ports, input),
    testGuards: input => testGuards(ports, input),
    grants: planRef =>
      planRef === null
        ? { ok: true, value: store.grants.list(null) }
        : mapped(findPlan(ports, planRef), plan => store.grants.list(plan.planId)),
    revokeGrant: grantRef => {
      const grant = findById('grant', grantRef, store.grants.match(grantRef), id => store.grants.find(id))
      if (!grant.ok) return grant
      store.grants.revoke(grant.value.grantId, ports.clock.now())
      return { ok: true, value: store.grants.find(grant.value.grantId) ?? grant.value }
    },
    events: store.events,
  } satisfies Partial<Backend>
}

function registries(ports: Ports) {
  return {
    actions: () => listActions(ports),
    action: name => findAction(ports, name),
    createAction: (text, file, profile) => createAction(ports, text, file, profile),
    archiveAction: name => archiveAction(ports, name),
    ...profiles(ports),
    projects: async () => {
      const details = await Promise.all(
        ports.store.projects.list().map(project => projectDetails(ports, project)),
      )
      return details.flatMap(each => (each.ok ? [each.value] : []))
    },
    project: async name => {
      const project = await findProject(ports, name)
      return project.ok ? projectDetails(ports, project.value) : project
    },
    createProject: async (folder, name) => {
      const project = await registerFolder(ports, folder, name)
      return project.ok ? projectDetails(ports, project.value) : project
    },
    giveTrust: async (name, digest) =>
      unlessByCommand(ports, 'trust a folder') ?? giveTrust(ports, name, digest),
    revokeTrust: name => revokeTrust(ports, name),
    setSetUp: (name, setUp) => setSetUp(ports, name, setUp),
    addResource: input => addResource(ports, input),
    resources: () => listResources(ports),
    resource: name => showResource(ports, name),
    removeResource: name => removeResource(ports, name),
    setLink: link => setLink(ports, link),
    addInvariants: input => addInvariants(ports, input),
    invariants: places => listInvariants(ports, places),
    effectiveInvariants: about => effectiveInvariants(ports, about),
    removeInvariant: reference => removeInvariant(ports, reference),
    addValidation: (text, file) => addValidation(ports, text, file),
    attachValidation: input => attachValidation(ports, input),
    detachValidation: attachmentRef => detachValidation(ports, attachmentRef),
    validations: () => listValidations(ports),
    calibration: () => showCalibration(ports),
    tools: () => ports.tools.list(),
    actor: name => showActor(ports, name),
    actors: () => ports.actors.list(),
  } satisfies Partial<Backend>
}

function profiles(ports: Ports) {
  const ofPlan = (plan: Plan) => ({
    profile: plan.profile,
    source: plan.profileSource,
    safetySources: plan.safetySources,
    guards: guardsOf(ports, plan),
  })
  return {
    profiles: () => listProfiles(ports),
    profile: name => findProfile(ports, name),
    addProfile: source => addProfile(ports, source),
    updateProfile: (name, source) => updateProfile(ports, name, source),
    deleteProfile: (name, how) => deleteProfile(ports, name, how),
    previewProfile: input => previewProfile(ports, input),
    planProfile: planRef => mapped(findPlan(ports, planRef), ofPlan),
    setPlanProfile: input => mapped(setPlanProfile(ports, input), ofPlan),
  } satisfies Partial<Backend>
}

function surroundings(ports: Ports) {
  return {
    settings: project => ports.settings.list(project),
    setting: (key, project) => ports.settings.get(key, project),
    changeSetting: (key, value, project) =>
      unlessByCommand(ports, 'change settings') ?? ports.settings.set(key, value, project),
    health: () => [
      { name: 'store', status: 'ok', message: `event ${ports.store.events.lastSeq()}`, remedy: null },
    ],
    diagnostics: async folder => [...(await ports.diagnostics.run(folder)), calibrationCheck(ports)],
    createDemo: () => createDemo(ports),
    conversation: taskId => ports.store.conversations.find(taskId),
    conversations: limit => ports.store.conversations.list(limit),
    putConversation: conversation => ports.store.conversations.put(conversation),
    newTaskId: ports.newId,
    now: () => ports.clock.now(),
  } satisfies Partial<Backend>
}

/** The demo's folder is ours, so its own checks may run. */
async function createDemo(ports: Ports) {
  const demo = await ports.inspector.createDemo()
  const project = await registerFolder(ports, demo.folder, null)
  if (project.ok) await giveTrust(ports, project.value.name, null)
  return { folder: demo.folder, actionName: 'builtin/demo' }
}
