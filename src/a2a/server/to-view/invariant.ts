import type { StatedEntry } from '../../../application/invariant/state-invariants.ts'
import { isMeasured } from '../../../domain/invariant/check-changes.ts'
import { type ActiveInvariant, sourceWords } from '../../../domain/invariant/invariant.ts'
import type { ActiveInvariantView, InvariantView } from '../../protocol/views/invariant.ts'

export function invariantView({ invariant, planName }: StatedEntry): InvariantView {
  const { scope } = invariant
  return {
    invariant_id: invariant.invariantId,
    text: invariant.text,
    rule: invariant.rule,
    scope: scope.kind,
    subject: subjectOf(scope, planName),
    from_action: scope.kind === 'plan' ? scope.fromAction : null,
    non_overridable: invariant.nonOverridable,
    stated_by: invariant.statedBy,
    created_at: invariant.createdAt,
  }
}

function subjectOf(scope: StatedEntry['invariant']['scope'], planName: string | null): string | null {
  switch (scope.kind) {
    case 'global':
      return null
    case 'project':
      return scope.project
    case 'action':
      return scope.action
    case 'plan':
      return planName ?? scope.planId
  }
}

export function activeInvariantView(active: ActiveInvariant): ActiveInvariantView {
  const { invariantId, text, rule, source, nonOverridable, alsoFrom, over } = active
  return {
    invariant_id: invariantId,
    text,
    rule,
    source: sourceWords(source),
    non_overridable: nonOverridable,
    checked: rule !== null && isMeasured(rule),
    also_from: alsoFrom.map(sourceWords),
    over: over.map(each => ({
      text: each.text,
      rule: each.rule,
      source: sourceWords(each.source),
      why: each.why,
    })),
  }
}
