import { resolve } from 'node:path'
import { auditText, EVERY_ENTRY } from '../../src/a2a/client/audit-text.ts'
import { actingPlan } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import type { AuditDialog } from '../dialogs.ts'
import { createEditor } from '../parts/editor-model.ts'
import { changeTop, changeUi, push, type Screen, situationOf, tell, topDialog } from '../screen.ts'
import { moveBy, scrollBy } from '../scroll.ts'
import { chosenDetails, detailsHeight, writing } from '../views/AuditView.tsx'
import { auditEntries, auditParams, auditTypes } from '../views/audit-rows.ts'
import { countWord, nameBelow } from '../words.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'
import { typedInto } from './text-input.ts'

export function openAudit(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const plan = actingPlan(model, ui)
  if (!plan) return
  const { plan_id: planId } = plan
  push(screen, {
    kind: 'audit',
    planId,
    type: null,
    result: null,
    entry: null,
    top: 0,
    file: null,
    message: null,
  })
}

const results = [null, 'allowed', 'denied'] as const

const handlers: Handlers<'audit'> = {
  ...moves((screen, steps) => changeTop(screen, 'audit', now => moved(screen, now, steps))),
  previous: screen => changeTop(screen, 'audit', now => otherType(screen, now, -1)),
  next: screen => changeTop(screen, 'audit', now => otherType(screen, now, 1)),
  detailsDown: screen => scrollDetails(screen, 1),
  detailsUp: screen => scrollDetails(screen, -1),
  nextResult: screen => changeTop(screen, 'audit', now => otherResult(now, 1)),
  previousResult: screen => changeTop(screen, 'audit', now => otherResult(now, -1)),
  export: screen =>
    changeTop(screen, 'audit', now => ({
      ...now,
      file: createEditor('one', fileName(screen, now)),
      message: null,
    })),
  back: screen => changeUi(screen, popDialog),
}

export const audit: Behaviour = { handlers }

const fileHandlers: Handlers<'exportFile'> = {
  write: screen => void write(screen),
  back: screen => changeTop(screen, 'audit', now => ({ ...now, file: null, message: null })),
}

export const exportFile: Behaviour = {
  handlers: fileHandlers,
  intercept(screen, event) {
    const dialog = topDialog(screen, 'audit')
    const editor = dialog?.file && typedInto(screen, 'exportFile', dialog.file, event)
    if (!editor) return false
    changeTop(screen, 'audit', now => ({ ...now, file: editor, message: null }))
    return true
  },
}

/** At the first entry it follows the newest again. */
function moved({ store }: Screen, now: AuditDialog, steps: number): AuditDialog {
  const entries = auditEntries(store.shelves, now)
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === now.entry),
  )
  const next = moveBy(at, steps, entries.length)
  return { ...now, entry: next === 0 ? null : (entries[next]?.key ?? null), top: 0 }
}

function scrollDetails(screen: Screen, steps: number): void {
  const { size } = screen.store.ui()
  changeTop(screen, 'audit', now => {
    const count = chosenDetails(screen.store.shelves, now, size).length
    return { ...now, top: scrollBy(now.top, steps, { count, height: detailsHeight(size) - 1 }) }
  })
}

function otherType({ store }: Screen, now: AuditDialog, steps: number): AuditDialog {
  return {
    ...now,
    type: turned([null, ...auditTypes(store.shelves, now)], now.type, steps),
    entry: null,
    top: 0,
  }
}

function otherResult(now: AuditDialog, steps: number): AuditDialog {
  return { ...now, result: turned(results, now.result, steps), entry: null, top: 0 }
}

function turned<Value>(values: readonly Value[], value: Value, steps: number): Value {
  const at = (values.indexOf(value) + steps + values.length) % values.length
  return values[at] ?? value
}

function fileName({ store }: Screen, { planId }: AuditDialog): string {
  const name = nameBelow(store.model.plans.byId.get(planId)?.name ?? planId)
  return `audit-${name.replaceAll(/[^\p{Letter}\p{Number}._-]+/gu, '-')}.jsonl`
}

async function write(screen: Screen): Promise<void> {
  const dialog = topDialog(screen, 'audit')
  const name = dialog?.file?.text.trim() ?? ''
  if (!dialog || dialog.message === writing) return
  if (name === '') {
    say(screen, 'Write the name of a new file.')
    return
  }
  say(screen, writing)
  const answer = await screen.store.call('_cleveragents/plan/guard/audit', {
    ...auditParams(dialog),
    limit: EVERY_ENTRY,
  })
  if (!answer.ok) {
    say(screen, answer.failure.message)
    return
  }
  const path = resolve(screen.folder, name)
  const why = await screen.hooks.writeNewFile(path, auditText(answer.value))
  if (why !== null) {
    say(screen, `The audit was not written: ${why}. Name a new file.`)
    return
  }
  changeTop(screen, 'audit', now => ({ ...now, file: null, message: null }))
  tell(screen, `${countWord(answer.value.entries.length, 'entry', 'entries')} written to ${path}`)
}

function say(screen: Screen, message: string): void {
  changeTop(screen, 'audit', now => ({ ...now, message }))
}
