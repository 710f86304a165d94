/**
 * Which invariants hold for a plan: requirements INV-02, X-50 and GAP-25. Precedence is plan > project > global; a
 * global one that is not overridable stands above all.
 */
import { type Result, refuse } from '../failure.ts'
import { type ActiveInvariant, type Candidate, type StatedInvariant, sourceWords } from './invariant.ts'
import { conflictOf, ruleWords } from './rule.ts'

/**
 * In order of precedence each candidate holds unless one that holds already contradicts it. Words alone contradict
 * nothing here, so all of them are kept; what says the very same is one. Refuses where two that nothing may override
 * contradict each other.
 */
export function reconcile(candidates: readonly Candidate[]): Result<readonly ActiveInvariant[]> {
  const active: ActiveInvariant[] = []
  for (const candidate of [...candidates].sort(byPrecedence)) {
    const twin = active.findIndex(each => isSame(each, candidate))
    const against = active.findIndex(each => conflictBetween(each, candidate) !== null)
    const winner = active[against]
    if (twin >= 0) active.splice(twin, 1, joined(active[twin], candidate))
    else if (!winner) active.push(holds(candidate))
    else if (candidate.nonOverridable) return refuseContradiction(winner, candidate)
    else active.splice(against, 1, over(winner, candidate))
  }
  return { ok: true, value: active }
}

/** How many of the resolved conflicts count against confidence (requirements GAP-04). */
export function conflictsResolved(active: readonly ActiveInvariant[]): number {
  return active.reduce((sum, { over }) => sum + over.length, 0)
}

/** Whether two statements say the very same: their words but for case and spaces, and their rules. */
export function isSame(one: StatedInvariant, other: StatedInvariant): boolean {
  return normalised(one.text) === normalised(other.text) && ruleKey(one) === ruleKey(other)
}

function normalised(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!]+$/, '')
    .toLowerCase()
}

function ruleKey({ rule }: StatedInvariant): string {
  return rule === null ? '' : JSON.stringify([rule.key, rule.rule, rule.value])
}

function conflictBetween(one: StatedInvariant, other: StatedInvariant): string | null {
  return one.rule && other.rule ? conflictOf(one.rule, other.rule) : null
}

/** Strongest first; what ties is put in one fixed order, so that the result never depends on how they were gathered. */
function byPrecedence(one: Candidate, other: Candidate): number {
  return (
    rankOf(other) - rankOf(one) ||
    farther(one, other) ||
    compare(other.createdAt, one.createdAt) ||
    compare(other.invariantId ?? '', one.invariantId ?? '') ||
    compare(one.text, other.text) ||
    compare(ruleKey(one), ruleKey(other))
  )
}

function rankOf({ source, nonOverridable }: Candidate): number {
  if (nonOverridable) return 4
  return { plan: 3, action: 2, project: 1, global: 0 }[source.kind]
}

/** What an action above brought along binds the actions below it; between words of people the newer wins. */
function farther(one: Candidate, other: Candidate): number {
  return one.source.kind === 'action' && other.source.kind === 'action' ? other.above - one.above : 0
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function holds({ text, rule, invariantId, source, nonOverridable }: Candidate): ActiveInvariant {
  return { text, rule, invariantId, source, nonOverridable, alsoFrom: [], over: [] }
}

function joined(active: ActiveInvariant | undefined, twin: Candidate): ActiveInvariant {
  if (!active) return holds(twin)
  return { ...active, alsoFrom: [...active.alsoFrom, twin.source] }
}

function over(winner: ActiveInvariant, { text, rule, source }: Candidate): ActiveInvariant {
  const rules = rule && winner.rule ? `${conflictOf(winner.rule, rule)}; ` : ''
  const because = winner.nonOverridable
    ? 'the one for all plans may not be overridden'
    : `the one of ${sourceWords(winner.source)} wins over the one of ${sourceWords(source)}`
  return { ...winner, over: [...winner.over, { text, rule, source, why: `${rules}${because}` }] }
}

function refuseContradiction(one: StatedInvariant, other: StatedInvariant): Result<never> {
  const [first, second] = [named(one), named(other)]
  return refuse(
    'conflict',
    `Two invariants that nothing may override contradict each other: ${first} and ${second}. Remove one of them with agents invariant remove.`,
    { conflicts: [first, second] },
  )
}

function named({ text, rule }: StatedInvariant): string {
  return rule === null ? `"${text}"` : `"${text}" (${ruleWords(rule)})`
}

/**
 * What must be true of any reconciliation, whoever made it: every candidate holds or is named as what another one won
 * over, and what nothing may override holds. Null when all is well.
 */
export function problemOf(
  candidates: readonly Candidate[],
  active: readonly ActiveInvariant[],
): string | null {
  const told: readonly StatedInvariant[] = active.flatMap(each => [each, ...each.over])
  const dropped = candidates.find(candidate => !told.some(each => isSame(each, candidate)))
  if (dropped) return `the invariant ${named(dropped)} was dropped without a word`
  const firm = candidates.filter(each => each.nonOverridable)
  const lost = firm.find(candidate => !active.some(each => isSame(each, candidate)))
  return lost ? `the invariant ${named(lost)} may not be overridden, and does not hold` : null
}
