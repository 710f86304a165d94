import { selectedNode, selectedPlan } from '../stores/selectors.ts'
import { correctionOf } from './actions/correct.ts'
import type { AuditDialog, Dialog, DiffSource, ProfilesDialog } from './dialogs.ts'
import { diffKey } from './diff-model.ts'
import { type Screen, situationOf } from './screen.ts'
import { auditKey, auditParams, shownEntries } from './views/audit-rows.ts'
import { previewKey } from './views/correct/preview.ts'
import { explainKey } from './views/home-inspector.ts'
import { waitsOfForm } from './views/new-plan-rows.ts'
import { chosenColumn, knownProfiles } from './views/profiles/profile-pages.ts'
import { type WaitsQuestion, waitsKey, waitsOf } from './views/waits-question.ts'

/** Asks for what the picture needs and does not have yet. Cheap when nothing is missing: it runs at every change. */
export function ensureNeeds(screen: Screen): void {
  const { store } = screen
  const { model, ui, connection } = situationOf(screen)
  if (connection.kind !== 'connected') return
  const plan = selectedPlan(model, ui)
  if (plan) {
    store.wantTree(plan.plan_id)
    needProject(screen, plan.project.root)
    needExplanation(screen)
  } else if (model.plans.roots.length === 0) {
    const { folder } = screen
    store.shelves.diagnostics.want('here', () => store.call('_cleveragents/diagnostics/run', { folder }))
  }
  for (const dialog of ui.dialogs) needFor(screen, dialog)
}

function needExplanation({ store }: Screen): void {
  const selected = selectedNode(store.model, store.ui())
  if (selected.kind !== 'shown' || selected.node.item.kind !== 'decision') return
  const { decision_id, plan_id } = selected.node.item.decision
  const key = explainKey({ decision_id, plan_id })
  store.shelves.explanations.want(key, () =>
    store.call('_cleveragents/plan/explain', { decision_id, plan_id }),
  )
}

function needFor(screen: Screen, dialog: Dialog): void {
  const { store } = screen
  switch (dialog.kind) {
    case 'diff':
      needDiff(screen, dialog.source)
      return
    case 'gate': {
      const gate = store.model.gates.open.get(dialog.gateId)
      if (gate && changesDigestOf(gate.subject))
        needDiff(screen, {
          planId: gate.plan_id,
          decisionId: null,
          correctionId: null,
          against: null,
          title: '',
        })
      return
    }
    case 'newPlan':
      store.shelves.actions.want('all', () => store.call('_cleveragents/action/list', {}))
      needProfiles(screen)
      needProject(screen, dialog.folder)
      if (dialog.step === 'form') needWaits(screen, waitsOfForm(dialog))
      return
    case 'profiles':
      needProfiles(screen)
      needPlanProfile(screen, dialog)
      if (dialog.page === 'calibration') needCalibration(screen)
      return
    case 'audit':
      needAudit(screen, { ...dialog, type: null, result: null })
      needAudit(screen, dialog)
      return
    case 'correct':
      if (dialog.step === 'guidance' && dialog.mode === 'append')
        store.shelves.actions.want('all', () => store.call('_cleveragents/action/list', {}))
      // While it is done, what was foreseen stays in sight.
      if (dialog.step === 'preview' && dialog.sending === 'no')
        store.shelves.previews.want(previewKey(dialog), () =>
          store.call('_cleveragents/plan/correct', { ...correctionOf(screen, dialog), dry_run: true }),
        )
      return
    case 'undo':
      if (dialog.sending === 'no')
        store.shelves.undos.want(dialog.planId, () =>
          store.call('_cleveragents/plan/undo', { plan_id: dialog.planId, dry_run: true }),
        )
      return
    default:
  }
}

function needDiff({ store }: Screen, source: DiffSource): void {
  store.shelves.diffs.want(diffKey(source), () =>
    store.call('_cleveragents/plan/diff', {
      plan_id: source.planId,
      ...(source.decisionId === null ? {} : { decision_id: source.decisionId }),
      ...(source.correctionId === null ? {} : { correction_id: source.correctionId }),
      ...(source.against === null ? {} : { against: source.against }),
    }),
  )
}

function needProject({ store }: Screen, folder: string): void {
  store.shelves.projects.want(folder, () => store.call('_cleveragents/project/show', { project: folder }))
}

function needPlanProfile(screen: Screen, dialog: ProfilesDialog): void {
  const { store } = screen
  const plan = store.model.plans.byId.get(dialog.planId ?? '')
  if (!plan) return
  store.shelves.planProfiles.want(plan.plan_id, () =>
    store.call('_cleveragents/plan/profile/show', { plan_id: plan.plan_id }),
  )
  store.shelves.planGuards.want(plan.plan_id, () =>
    store.call('_cleveragents/plan/guard/show', { plan_id: plan.plan_id }),
  )
  const chosen = knownProfiles(store.shelves, dialog)[chosenColumn(store.model, store.shelves, dialog)]
  if (dialog.page === 'waits' && chosen) needWaits(screen, waitsOf(plan, chosen.name))
}

function needWaits({ store }: Screen, question: WaitsQuestion | null): void {
  if (question)
    store.shelves.waits.want(waitsKey(question), () =>
      store.call('_cleveragents/automation-profile/preview', question),
    )
}

function needCalibration({ store }: Screen): void {
  store.shelves.calibration.want('all', () => store.call('_cleveragents/profile/calibration', {}))
}

function needAudit({ store }: Screen, dialog: AuditDialog): void {
  store.shelves.audits.want(auditKey(dialog), () =>
    store.call('_cleveragents/plan/guard/audit', { ...auditParams(dialog), limit: shownEntries }),
  )
}

function needProfiles({ store }: Screen): void {
  store.shelves.profiles.want('all', () => store.call('_cleveragents/automation-profile/list', {}))
}

/** The Apply gate names the change set it is about. */
function changesDigestOf(subject: Readonly<Record<string, unknown>>): boolean {
  return typeof subject['changesDigest'] === 'string' || typeof subject['changes_digest'] === 'string'
}
