import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ApplyReport, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { DatabaseApply } from './database-sandbox.ts'
import { isChosen } from './restore-words.ts'
import { pathOf } from './row-changes.ts'
import { BEGINNING, type TransactionInput, type TransactionLife } from './transaction-life.ts'

/** Apply is the commit; taking it back is possible only before. */
export function transactionApply(input: TransactionInput, life: TransactionLife) {
  const { name, states } = input
  return apply

  async function apply(request: DatabaseApply, purpose: 'look' | 'write'): Promise<Result<ApplyReport>> {
    const found = await life.between(request.from, request.to)
    if (!found.ok) return found
    const paths = found.value.map(change => pathOf(name, change))
    const applied = (report: { written: RelPath[]; unchanged: RelPath[]; state: SandboxState }) =>
      ok<ApplyReport>({ outcome: 'applied', left: [], notices: [], ...report })
    const chosen = paths.filter(path => isChosen(request.choice, path))
    if (chosen.length === 0) return applied({ written: [], unchanged: [], state: request.from })
    const record = await states.read()
    if (record?.isCommitted && record.committing === request.to)
      return applied({ written: [], unchanged: paths, state: request.to })
    if (chosen.length < paths.length)
      return refuse(
        'invalid_input',
        `The database ${name} is worked on in one transaction; apply all of its tables or none.`,
      )
    if (request.to === BEGINNING) {
      const kept = await refusalToTakeBack()
      if (kept !== null && !kept.ok && kept.failure.facts?.['unsure'] === true) {
        const left = paths.map(path => ({ path, kind: 'foreign' as const, reason: kept.failure.message }))
        return ok({ outcome: 'applied', written: [], unchanged: [], left, notices: [], state: request.to })
      }
      return kept ?? applied({ written: [], unchanged: paths, state: request.to })
    }
    return commit(request, { paths, purpose })
  }

  /** Before the commit nothing of it is in the database, after it the transaction is over; null before. */
  async function refusalToTakeBack(): Promise<Result<never> | null> {
    const record = await states.read()
    if (await life.heldElsewhere()) return life.refuseElsewhere()
    if (input.held() === null && record?.committing) {
      const settled = await life.settleCommit(record.committing)
      if (!settled.ok && settled.failure.facts?.['unsure'] === true) return settled
    }
    return (await states.read())?.isCommitted ? life.refuseCommitted() : null
  }

  async function commit(
    request: DatabaseApply,
    { paths, purpose }: { readonly paths: RelPath[]; readonly purpose: 'look' | 'write' },
  ): Promise<Result<ApplyReport>> {
    const written = { outcome: 'applied', written: paths, unchanged: [], left: [], notices: [] } as const
    const held = await life.opened()
    if (!held.ok) {
      // The commit of a process that ended in it may have happened.
      const record = await states.read()
      if (!record?.isCommitted || record.committing !== request.to) return held
      return ok({ ...written, written: [], unchanged: paths, state: request.to })
    }
    if (held.value.isDirty || held.value.states.at(-1) !== request.to)
      return refuse('invalid_state', `The database ${name} is not in the state that is to be applied.`)
    const conflicts = await held.value.driver.obstacles()
    if (conflicts.length > 0) return ok({ outcome: 'constrained', conflicts })
    if (purpose === 'look') return ok({ ...written, state: request.to })
    await request.note?.(request.from)
    await life.note({ committing: request.to })
    await held.value.driver.commit()
    await life.note({ committing: request.to, isCommitted: true })
    await held.value.driver.end()
    input.hold(null)
    return ok({ ...written, state: request.to })
  }
}
