import { assertNever } from '../../../domain/failure.ts'
import { flagOf } from '../../../domain/gate/automation.ts'
import { arithmetic } from '../../../domain/gate/confidence.ts'
import {
  type Gate,
  type GateAnswer,
  type GateStatus,
  type GateSubject,
  takesChanges,
} from '../../../domain/gate/gate.ts'
import type { Grant } from '../../../domain/plan/journal.ts'
import type { GateView, GrantView } from '../../protocol/views/gate.ts'

export function gateView(gate: Gate): GateView {
  return {
    gate_id: gate.gateId,
    plan_id: gate.planId,
    plan_name: gate.path.at(-1) ?? '',
    path: [...gate.path],
    kind: gate.kind,
    flag: gate.automation && flagOf(gate.automation),
    phase: gate.phase,
    question: gate.question,
    subject: subjectView(gate.subject),
    options: gate.options.map(option => ({ ...option })),
    reason: gate.reason,
    confidence: gate.confidence,
    threshold: gate.threshold,
    factors: gate.factors,
    arithmetic: gate.comparison ? arithmetic(gate.comparison) : [],
    digest: gate.digest,
    confirm_word: gate.confirmWord,
    takes_changes: takesChanges(gate),
    opened_at: gate.openedAt,
    ...statusView(gate.status),
  }
}

export function grantView(grant: Grant): GrantView {
  return {
    grant_id: grant.grantId,
    scope: grant.scope.kind,
    plan_id: grant.scope.kind === 'plan' ? grant.scope.planId : null,
    profile: grant.scope.kind === 'profile' ? grant.scope.profile : null,
    flag: grant.gate === 'step_approval' ? grant.gate : flagOf(grant.gate),
    decision_type: grant.decisionType,
    tool: grant.tool,
    granted_by: grant.grantedBy,
    granted_at: grant.grantedAt,
    revoked_at: grant.revokedAt,
  }
}

function subjectView(subject: GateSubject): GateView['subject'] {
  switch (subject.kind) {
    case 'phase': {
      const { kind, from, to, summary, changesDigest, strategy } = subject
      return {
        kind,
        from,
        to,
        summary,
        changes_digest: changesDigest,
        ...(strategy && {
          strategy: strategy.text,
          strategy_revision: strategy.revision,
          strategy_edited_by: strategy.editedBy,
        }),
      }
    }
    case 'resume':
      return { kind: subject.kind, under_way: subject.underWay }
    case 'trust':
      return { kind: subject.kind, folder: subject.folder, would_run: subject.wouldRun }
    case 'children': {
      const { kind, mode, maxParallel, merge, profile, children } = subject
      return { kind, mode, max_parallel: maxParallel, merge, profile, children }
    }
    case 'merge_conflict': {
      const { kind, child, conflicts, sides } = subject
      return { kind, child: { plan_id: child.planId, name: child.name }, conflicts, sides }
    }
    case 'limit': {
      const { planId, raiseTo, ...limit } = subject
      return { ...limit, plan_id: planId, raise_to: raiseTo }
    }
    case 'decision':
    case 'tool':
    case 'guard':
    case 'ask':
    case 'error':
    case 'constrained':
    case 'unfinished_apply':
    case 'validation':
    case 'drift':
      return { ...subject }
    default:
      return assertNever(subject)
  }
}

function statusView(status: GateStatus): Pick<GateView, 'status' | 'answer' | 'resolved_by' | 'closed_at'> {
  switch (status.kind) {
    case 'open':
      return { status: 'open', answer: null, resolved_by: null, closed_at: null }
    case 'resolved': {
      const { answer, by, at } = status
      return { status: 'resolved', answer: answerView(answer), resolved_by: by, closed_at: at }
    }
    case 'void':
      return { status: 'void', answer: null, resolved_by: null, closed_at: status.at }
    default:
      return assertNever(status)
  }
}

function answerView({ decision, optionId, note, guidance, part, grant }: GateAnswer): GateView['answer'] {
  const only = part?.kind === 'paths' ? [...part.only] : null
  const hunks = part?.kind === 'hunks' ? 'chosen' : 'all'
  return { decision, option_id: optionId, note, guidance, only, hunks, grant }
}
