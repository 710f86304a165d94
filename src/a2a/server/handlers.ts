import type { AvailableMethod, Handler, StreamingMethod } from './call.ts'
import * as action from './handle-action.ts'
import { audit } from './handle-audit.ts'
import * as backend from './handle-backend.ts'
import * as config from './handle-config.ts'
import * as decisionLog from './handle-decision-log.ts'
import * as demo from './handle-demo.ts'
import * as event from './handle-event.ts'
import * as gate from './handle-gate.ts'
import * as guard from './handle-guard.ts'
import * as health from './handle-health.ts'
import { initialize } from './handle-initialize.ts'
import * as invariant from './handle-invariant.ts'
import * as model from './handle-model.ts'
import * as plan from './handle-plan.ts'
import * as profile from './handle-profile.ts'
import * as project from './handle-project.ts'
import * as registry from './handle-registry.ts'
import * as resource from './handle-resource.ts'
import * as session from './handle-session.ts'
import * as validation from './handle-validation.ts'

/** One function a method. Complete by type: a row that says it is available and has no handler does not compile. */
export const handlers: {
  readonly [Name in Exclude<AvailableMethod, StreamingMethod>]: Handler<Name>
} = {
  '_cleveragents/initialize': initialize,
  'session.create': session.create,
  'session.close': session.close,
  '_cleveragents/session/list': session.list,
  '_cleveragents/session/show': session.show,
  '_cleveragents/session/delete': session.remove,
  '_cleveragents/session/export': session.exportSession,
  '_cleveragents/session/import': session.importSession,
  '_cleveragents/plan/use': plan.use,
  '_cleveragents/plan/execute': plan.execute,
  '_cleveragents/plan/apply': plan.apply,
  '_cleveragents/plan/cancel': plan.cancel,
  '_cleveragents/plan/pause': plan.pause,
  '_cleveragents/plan/resume': plan.resume,
  '_cleveragents/plan/interrupt': plan.interrupt,
  '_cleveragents/plan/status': plan.status,
  '_cleveragents/plan/list': plan.list,
  '_cleveragents/plan/tree': plan.tree,
  '_cleveragents/plan/explain': plan.explain,
  '_cleveragents/plan/diff': plan.diff,
  '_cleveragents/plan/correct': plan.correct,
  '_cleveragents/plan/rollback': plan.rollback,
  '_cleveragents/plan/export': decisionLog.exportLog,
  '_cleveragents/plan/check': decisionLog.check,
  '_cleveragents/plan/undo': plan.undo,
  '_cleveragents/plan/unapply': plan.unapply,
  '_cleveragents/plan/checkpoint/list': plan.listCheckpoints,
  '_cleveragents/plan/prompt': plan.prompt,
  '_cleveragents/plan/artifacts': plan.artifacts,
  '_cleveragents/plan/steps': plan.steps,
  '_cleveragents/plan/strategy/show': model.showStrategy,
  '_cleveragents/plan/strategy/edit': model.editStrategy,
  '_cleveragents/plan/message/list': model.listMessages,
  '_cleveragents/plan/approve': gate.approve,
  '_cleveragents/plan/reject': gate.reject,
  '_cleveragents/plan/request-changes': gate.requestChanges,
  '_cleveragents/plan/profile/show': profile.showOfPlan,
  '_cleveragents/plan/profile/set': profile.setOfPlan,
  '_cleveragents/plan/guard/audit': audit,
  '_cleveragents/plan/guard/show': guard.show,
  '_cleveragents/plan/guard/set': guard.set,
  '_cleveragents/plan/guard/denylist/add': guard.addDenied,
  '_cleveragents/plan/guard/denylist/remove': guard.removeDenied,
  '_cleveragents/guard/test': guard.test,
  '_cleveragents/gate/list': gate.list,
  '_cleveragents/grant/list': gate.listGrants,
  '_cleveragents/grant/revoke': gate.revokeGrant,
  '_cleveragents/event/list': event.list,
  '_cleveragents/action/list': action.list,
  '_cleveragents/action/show': action.show,
  '_cleveragents/action/create': action.create,
  '_cleveragents/action/archive': action.archive,
  '_cleveragents/profile/calibration': profile.calibration,
  '_cleveragents/automation-profile/list': profile.list,
  '_cleveragents/automation-profile/show': profile.show,
  '_cleveragents/automation-profile/add': profile.add,
  '_cleveragents/automation-profile/update': profile.update,
  '_cleveragents/automation-profile/delete': profile.remove,
  '_cleveragents/automation-profile/preview': profile.preview,
  '_cleveragents/project/list': project.list,
  '_cleveragents/project/show': project.show,
  '_cleveragents/project/create': project.create,
  '_cleveragents/project/trust': project.trust,
  '_cleveragents/project/untrust': project.untrust,
  '_cleveragents/project/set-up': project.setUp,
  '_cleveragents/project/link-resource': resource.link,
  '_cleveragents/project/unlink-resource': resource.unlink,
  '_cleveragents/resource/add': resource.add,
  '_cleveragents/resource/list': resource.list,
  '_cleveragents/resource/show': resource.show,
  '_cleveragents/resource/remove': resource.remove,
  '_cleveragents/invariant/add': invariant.add,
  '_cleveragents/invariant/list': invariant.list,
  '_cleveragents/invariant/effective': invariant.effective,
  '_cleveragents/invariant/remove': invariant.remove,
  '_cleveragents/validation/add': validation.add,
  '_cleveragents/validation/list': validation.list,
  '_cleveragents/validation/attach': validation.attach,
  '_cleveragents/validation/detach': validation.detach,
  '_cleveragents/tool/list': registry.listTools,
  '_cleveragents/tool/show': registry.showTool,
  '_cleveragents/actor/list': registry.listActors,
  '_cleveragents/actor/show': registry.showActor,
  '_cleveragents/config/get': config.get,
  '_cleveragents/config/set': config.set,
  '_cleveragents/config/list': config.list,
  '_cleveragents/health/check': health.check,
  '_cleveragents/diagnostics/run': health.diagnose,
  '_cleveragents/backend/keep-running': backend.keepRunning,
  '_cleveragents/demo/create': demo.create,
}

export const streams = { '_cleveragents/event/subscribe': event.subscribe } satisfies Record<
  StreamingMethod,
  unknown
>
