import type { ActionView } from '../../src/a2a/protocol/views/action.ts'
import type { ProjectView } from '../../src/a2a/protocol/views/project.ts'
import { popDialog, selectPlan } from '../../stores/ui.ts'
import type { FormField, NewPlanDialog } from '../dialogs.ts'
import { checkArguments, fieldsOf } from '../form.ts'
import { createEditor } from '../parts/editor-model.ts'
import { plainProps } from '../plain-props.ts'
import { changeTop, changeUi, push, type Screen, tell, topDialog } from '../screen.ts'
import { moveBy, scrollBy } from '../scroll.ts'
import { belowForm } from '../views/NewPlanView.tsx'
import { actionNamed, folderToTrust, foundActions, profileNames } from '../views/new-plan-rows.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { typedInto } from './text-input.ts'

export function openNewPlan(screen: Screen): void {
  push(screen, {
    kind: 'newPlan',
    folder: screen.folder,
    step: 'action',
    search: createEditor('one'),
    cursor: 0,
    actionName: null,
    fields: [],
    profile: '',
    trust: 'undecided',
    top: 0,
    sending: 'no',
    message: null,
  })
}

const handlers: Handlers<'newPlan'> = {
  up: screen => moveCursor(screen, -1),
  down: screen => moveCursor(screen, 1),
  next(screen) {
    const dialog = topDialog(screen, 'newPlan')
    if (dialog?.step === 'action') chooseAction(screen, dialog)
    else if (dialog && dialog.cursor < dialog.fields.length - 1) moveCursor(screen, 1)
    else void start(screen)
  },
  profile: screen =>
    changeTop(screen, 'newPlan', now => {
      const names = ['', ...profileNames(screen.store.shelves)]
      return { ...now, profile: names[(names.indexOf(now.profile) + 1) % names.length] ?? '' }
    }),
  trust: screen =>
    changeTop(screen, 'newPlan', now =>
      folderToTrust(screen.store.shelves, now.folder)
        ? { ...now, trust: now.trust === 'trusted' ? 'untrusted' : 'trusted', message: null }
        : { ...now, message: 'Nothing is asked here: this folder is decided, or has no checks of its own.' },
    ),
  pageDown: screen => scrollBelow(screen, 3),
  pageUp: screen => scrollBelow(screen, -3),
  start: screen => void start(screen),
  back(screen) {
    const dialog = topDialog(screen, 'newPlan')
    if (dialog?.step === 'form')
      changeTop(screen, 'newPlan', now => ({ ...now, step: 'action', cursor: 0, message: null }))
    else changeUi(screen, popDialog)
  },
}

export const newPlan: Behaviour = {
  handlers,
  intercept(screen, event) {
    const dialog = topDialog(screen, 'newPlan')
    const before = dialog?.step === 'action' ? dialog.search : dialog?.fields[dialog.cursor]?.editor
    const editor = before && typedInto(screen, 'newPlan', before, event)
    if (!dialog || !editor) return false
    changeTop(screen, 'newPlan', now =>
      now.step === 'action'
        ? { ...now, search: editor, cursor: 0 }
        : { ...now, message: null, fields: withField(now, editor) },
    )
    return true
  },
}

function withField(dialog: NewPlanDialog, editor: FormField['editor']): FormField[] {
  return dialog.fields.map((field, at) =>
    at === dialog.cursor ? { ...field, editor, problem: null } : field,
  )
}

function scrollBelow(screen: Screen, steps: number): void {
  changeTop(screen, 'newPlan', now => {
    if (now.step === 'action') return now
    const { rows, height } = belowForm({ ...plainProps(screen), dialog: now })
    return { ...now, top: scrollBy(now.top, steps, { count: rows.length, height }) }
  })
}

function moveCursor(screen: Screen, steps: number): void {
  const { shelves } = screen.store
  changeTop(screen, 'newPlan', now => {
    const count = now.step === 'action' ? foundActions(shelves, now.search.text).length : now.fields.length
    return { ...now, cursor: moveBy(now.cursor, steps, count) }
  })
}

function chooseAction(screen: Screen, dialog: NewPlanDialog): void {
  const action = foundActions(screen.store.shelves, dialog.search.text)[dialog.cursor]
  if (!action) return
  if (action.unavailable !== null) {
    changeTop(screen, 'newPlan', now => ({ ...now, message: action.unavailable }))
    return
  }
  // Going back and forth between the list and the same action keeps what was typed.
  const fields = dialog.actionName === action.name ? dialog.fields : fieldsOf(action)
  changeTop(screen, 'newPlan', now => ({
    ...now,
    step: 'form',
    cursor: 0,
    actionName: action.name,
    fields,
    message: null,
  }))
}

async function start(screen: Screen): Promise<void> {
  const dialog = topDialog(screen, 'newPlan')
  const action = dialog && actionNamed(screen.store.shelves, dialog.actionName)
  if (!dialog || !action || dialog.step !== 'form' || dialog.sending === 'sending') return
  const checked = checkArguments(action, dialog.fields)
  if (!checked.ok) {
    changeTop(screen, 'newPlan', now => ({ ...now, fields: checked.fields, cursor: checked.firstProblem }))
    return
  }
  const asked = folderToTrust(screen.store.shelves, dialog.folder)
  if (asked && dialog.trust === 'undecided') {
    const message = 'First say with ctrl+t whether the commands below may run: once is yes, twice is no.'
    changeTop(screen, 'newPlan', now => ({ ...now, message }))
    return
  }
  changeTop(screen, 'newPlan', now => ({ ...now, sending: 'sending', message: null }))
  if (asked && !(await decideTrust(screen, asked, dialog.trust))) return
  await use(screen, { dialog, action, args: checked.args })
}

/** False when it could not be recorded: then nothing is started either. */
async function decideTrust(
  screen: Screen,
  { name, trust_digest }: ProjectView,
  trust: NewPlanDialog['trust'],
): Promise<boolean> {
  const result = await (trust === 'trusted'
    ? screen.store.call('_cleveragents/project/trust', { project: name, digest: trust_digest })
    : screen.store.call('_cleveragents/project/untrust', { project: name }))
  if (!result.ok) refused(screen, result.failure.message)
  else screen.store.shelves.projects.expire(() => true)
  return result.ok
}

function refused(screen: Screen, message: string): void {
  changeTop(screen, 'newPlan', now => ({ ...now, sending: 'no', message }))
}

async function use(
  screen: Screen,
  { dialog, action, args }: { dialog: NewPlanDialog; action: ActionView; args: Record<string, unknown> },
): Promise<void> {
  const name = dialog.fields.at(-1)?.editor.text.trim() ?? ''
  const result = await screen.store.call('_cleveragents/plan/use', {
    action_name: action.name,
    folder: dialog.folder,
    args,
    ...(dialog.profile === '' ? {} : { automation_profile: dialog.profile }),
    ...(name === '' ? {} : { name }),
  })
  if (!result.ok) {
    refused(screen, result.failure.message)
    return
  }
  const plan = result.value
  changeUi(screen, ui => ({ ...selectPlan(popDialog(ui), plan.plan_id, 0), focus: 'tree' }))
  tell(screen, `${plan.name} has been started.`)
}
