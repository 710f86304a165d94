import { type Failure, refuse } from '../../domain/failure.ts'
import { type BrokenInvariant, brokenInvariants, isMeasured } from '../../domain/invariant/check-changes.ts'
import { type ActiveInvariant, sourceWords } from '../../domain/invariant/invariant.ts'
import { ruleWords } from '../../domain/invariant/rule.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ChangedFile } from '../../domain/sandbox/changeset.ts'
import type { Ports } from '../ports.ts'

/** Why the changes of a plan may not be applied; null when they keep every rule that can be measured. */
export function refusalByInvariants(
  ports: Ports,
  plan: Plan,
  active: readonly ActiveInvariant[],
  files: readonly ChangedFile[],
): Failure | null {
  const broken = brokenInvariants(rulesFor(plan, active), files, ports.matchesGlob)
  if (broken.length === 0) return null
  const remedy = `Correct a decision, or take the invariant away with agents invariant remove, then try again.`
  const message = `${broken.map(sentence).join(' ')} ${remedy}`
  return refuse('denied', message, {
    broken: broken.map(({ invariant, files: paths, what }) => ({
      invariant_id: invariant.invariantId,
      invariant: invariant.text,
      what,
      paths,
    })),
  }).failure
}

function sentence({ invariant, what }: BrokenInvariant): string {
  const { text, rule, source } = invariant
  const said = rule === null ? '' : `, ${ruleWords(rule)}`
  return `The invariant "${text}" (${sourceWords(source)}${said}) is broken: ${what}.`
}

/** Whether anything of what holds is looked at before Apply. */
export function rulesFor({ appliesTo }: Plan, active: readonly ActiveInvariant[]): ActiveInvariant[] {
  return active.filter(({ rule }) => {
    if (rule === null || !isMeasured(rule)) return false
    // What must at least be there is a matter of the whole, which its parent applies.
    return appliesTo === 'project' || (rule.rule !== 'min' && rule.rule !== 'equals')
  })
}
