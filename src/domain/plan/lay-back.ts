/**
 * What becomes of a plan's line of work when some decisions no longer hold: their stretches leave it, and every later
 * one that holds is laid on what is left. Only plans: the states are computed by `replay`, which is handed in.
 */
import type { Spread } from '../decision/spread.ts'
import type { Result } from '../failure.ts'
import type { ReplayedWork, ReplayReport, SandboxState } from '../sandbox/strategy.ts'
import type { Work } from './work.ts'

export interface LineToLay {
  /** As it holds now, in order. */
  readonly line: readonly Work[]
  /** The sandbox as it was when the plan began. */
  readonly baseline: SandboxState
  /** The decisions that no longer hold. Those whose work cannot be laid back join them, with what depends on them. */
  readonly spread: Pick<Spread, 'has' | 'add'>
  readonly replay: (onto: SandboxState, work: ReplayedWork) => Promise<Result<ReplayReport>>
}

export interface LaidLine {
  /** Before the first stretch that leaves the line; they are as they were. */
  readonly untouched: readonly Work[]
  /** Those after it that hold, on top. */
  readonly laid: readonly NewWork[]
}

export type NewWork = Omit<Work, 'seq'>

/** One failure of the sandbox fails all of it. */
export async function layBack(given: LineToLay): Promise<Result<LaidLine>> {
  for (;;) {
    const cut = given.line.findIndex(work => isGone(given, work))
    if (cut < 0) return { ok: true, value: { untouched: given.line, laid: [] } }
    const laid = await layFrom(given, cut)
    if (!laid.ok) return laid
    // What joined reaches work that was laid already, or that comes before: the larger set is laid from the start.
    if (laid.value !== null)
      return { ok: true, value: { untouched: given.line.slice(0, cut), laid: laid.value } }
  }
}

async function layFrom(given: LineToLay, cut: number): Promise<Result<readonly NewWork[] | null>> {
  const { line, baseline } = given
  const before = line.slice(0, cut)
  const laid: NewWork[] = []
  let editsAreLost = false
  for (const [index, work] of line.slice(cut).entries()) {
    const last = laid.at(-1) ?? before.at(-1)
    const onto = laid.at(-1)?.to ?? line[cut]?.from ?? baseline
    const broughtIn = work.base !== (line[cut + index - 1]?.base ?? null)
    // A base holds all of the user's edits that were brought in before.
    const rests = broughtIn && editsAreLost ? 'it rests on edits that are taken back' : null
    const met = await lay(given, work, onto, rests)
    if (!met.ok) return met
    if (met.value.kind === 'laid') {
      const { planId, decisionId } = work
      const base = broughtIn ? work.base : (last?.base ?? null)
      laid.push({ planId, decisionId, from: onto, to: met.value.state, base })
      continue
    }
    editsAreLost ||= broughtIn
    if (met.value.kind === 'joined' && [...before, ...laid].some(each => isGone(given, each)))
      return { ok: true, value: null }
  }
  return { ok: true, value: laid }
}

type Met = { readonly kind: 'laid'; readonly state: SandboxState } | { readonly kind: 'gone' | 'joined' }

async function lay(
  given: LineToLay,
  work: Work,
  onto: SandboxState,
  rests: string | null,
): Promise<Result<Met>> {
  const { decisionId } = work
  if (isGone(given, work)) return { ok: true, value: { kind: 'gone' } }
  const why = rests === null ? await replay(given, work, onto) : { ok: true as const, value: rests }
  if (!why.ok) return why
  if (typeof why.value !== 'string') return { ok: true, value: { kind: 'laid', ...why.value } }
  // Only what comes after a decision is laid on anything.
  if (decisionId === null) throw new Error(`work before the first decision cannot be laid: ${why.value}`)
  given.spread.add(decisionId, why.value)
  return { ok: true, value: { kind: 'joined' } }
}

/** What it leads to, or why it cannot be laid there. */
async function replay(
  given: LineToLay,
  { from, to }: Work,
  onto: SandboxState,
): Promise<Result<{ readonly state: SandboxState } | string>> {
  const report = await given.replay(onto, { from: from ?? given.baseline, to })
  // A sandbox that can go back and cannot merge, e.g. one open transaction, says so.
  if (!report.ok)
    return report.failure.code === 'not_available' ? { ok: true, value: report.failure.message } : report
  if (report.value.outcome === 'merged') return { ok: true, value: { state: report.value.state } }
  const paths = [...new Set(report.value.conflicts.map(({ path }) => path))]
  return { ok: true, value: `its changes to ${paths.join(', ')} no longer merge` }
}

function isGone({ spread }: LineToLay, { decisionId }: Pick<Work, 'decisionId'>): boolean {
  return decisionId !== null && spread.has(decisionId)
}
