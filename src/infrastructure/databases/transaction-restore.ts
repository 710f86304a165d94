import { ok, type Result, refuse } from '../../domain/failure.ts'
import { covers, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  RestorePreview,
  RestoreReport,
  RestoreScope,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import { changesBetween } from './compose-changes.ts'
import { isInScope, previewOf, reportOf } from './restore-words.ts'
import { pathOf } from './row-changes.ts'
import { BEGINNING, type TransactionInput, type TransactionLife } from './transaction-life.ts'

/** A restore goes back to a savepoint, or begins the transaction anew where it has ended. */
export function transactionRestore(input: TransactionInput, life: TransactionLife) {
  const { name, states } = input
  return { restore, previewRestore }

  async function restore(state: SandboxState, scope: RestoreScope): Promise<Result<RestoreReport>> {
    if (scope.kind !== 'all' && !isWhole(scope)) return refusePart()
    if (state === BEGINNING && input.held() === null) return beginAgain()
    const held = await life.opened()
    if (!held.ok && state === BEGINNING) return beginAgain()
    if (!held.ok) return held
    const at = held.value.states.indexOf(state)
    if (at < 0) return life.refuseUnknown(state)
    const present = await held.value.driver.changes()
    const wanted = await life.changesAt(state)
    if (!wanted.ok) return wanted
    await held.value.driver.rollbackTo(state)
    await states.forget(held.value.states.splice(at + 1))
    held.value.isDirty = false
    return ok(reportOf(name, changesBetween(present, wanted.value)))
  }

  /** Nothing to go back over: what was done is gone with the transaction that it was done in. */
  async function beginAgain(): Promise<Result<RestoreReport>> {
    const record = await states.read()
    if (record?.isCommitted) return life.refuseCommitted()
    if (await life.heldElsewhere()) return life.refuseElsewhere()
    await input.held()?.driver.end()
    input.hold(null)
    if (record) await life.note({ isTouched: false })
    return ok({ restored: [], removed: [] })
  }

  /** Only as a whole: a savepoint knows no tables. */
  function isWhole(scope: Exclude<RestoreScope, { kind: 'all' }>): boolean {
    return scope.kind === 'only'
      ? scope.paths.includes(name as RelPath)
      : !scope.paths.some(path => covers(name as RelPath, path))
  }

  function refusePart(): Result<never> {
    return refuse(
      'invalid_input',
      `The database ${name} is worked on in one transaction; it is only restored as a whole.`,
    )
  }

  async function previewRestore(state: SandboxState, scope: RestoreScope): Promise<Result<RestorePreview>> {
    const held = input.held()
    const cannot = (why: string): RestorePreview => ({
      restored: [],
      leftAlone: [],
      cannotRestore: [{ what: name, why }],
    })
    if (!held?.states.includes(state))
      return state === BEGINNING
        ? ok({ restored: [], leftAlone: [], cannotRestore: [] })
        : ok(cannot('the transaction that had this state has ended or went back to before it'))
    const wanted = await life.changesAt(state)
    if (!wanted.ok) return wanted
    const found = changesBetween(await held.driver.changes(), wanted.value)
    const preview = previewOf(
      name,
      found.filter(change => isInScope(scope, pathOf(name, change))),
    )
    const isLast = held.states.at(-1) === state
    return ok(isLast ? preview : { ...preview, cannotRestore: [{ what: name, why: LATER_STATES_END }] })
  }
}

const LATER_STATES_END = 'the states after it end; the transaction cannot go forward to them again'
