import { Box } from 'ink'
import type { ActionView, ArgumentView } from '../../src/a2a/protocol/views/action.ts'
import type { NewPlanDialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { line, linesFrom, scrolledLines, wrapped } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import type { Segment } from '../parts/format-line.ts'
import { Row, Rows } from '../parts/Row.tsx'
import { shortWaitRows } from '../parts/wait-rows.ts'
import { firstRow } from '../scroll.ts'
import { oneLine } from '../words.ts'
import { actionNamed, folderToTrust, foundActions, waitsOfForm } from './new-plan-rows.ts'
import { Page } from './page.tsx'
import { sourceWord } from './profiles/profile-words.ts'
import type { ViewProps } from './view.ts'
import { waitsKey } from './waits-question.ts'

type Props = ViewProps & { readonly dialog: NewPlanDialog }

/** First which action, then what it needs, under which profile, and what that will ask. */
export function NewPlanView(props: Props) {
  return props.dialog.step === 'action' ? <ChooseAction {...props} /> : <Form {...props} />
}

function ChooseAction({ situation, shelves, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const fetched = shelves.actions.peek('all')
  const found = foundActions(shelves, dialog.search.text)
  const below = about(found[dialog.cursor], dialog, width)
  // What was asked for by Enter is shown whole, e.g. how to get going without a model.
  const foot = dialog.message === null ? 4 : Math.min(Math.max(4, below.length), height - 3)
  const room = Math.max(1, height - 2 - foot)
  const top = firstRow({
    row: dialog.cursor,
    offset: Math.floor(room / 2),
    height: room,
    count: found.length,
  })
  const nameWidth = Math.min(34, Math.max(16, ...found.map(action => action.name.length + 2)))
  const rows = found.slice(top, top + room).map((action, at) => {
    const isSelected = top + at === dialog.cursor
    const tone = action.unavailable === null ? 'text' : 'muted'
    return line(look, {
      left: [
        { text: isSelected ? look.glyphs.selected : ' ', tone: 'accent' },
        { text: ` ${action.name.padEnd(nameWidth)}`, tone },
        { text: oneLine(action.description), tone: 'muted' },
      ],
      right: action.read_only ? [{ text: 'read only ', tone: 'muted' }] : [],
      width,
      surface: isSelected ? 'selection' : undefined,
    })
  })
  const empty =
    fetched?.kind === 'failed'
      ? fetched.message
      : fetched?.kind === 'ready'
        ? 'No action fits.'
        : 'Loading the actions'
  const shown =
    found.length > 0
      ? rows
      : linesFrom(look, wrapped(empty, width - 2, 'muted', 1), { top: 0, width, height: room })
  return (
    <Page look={look} size={size} title="New plan: which action?">
      <Box height={1}>
        <Row line={line(look, { left: [{ text: ' > ', tone: 'key' }], width: 3 })} />
        <EditorField
          editor={dialog.search}
          theme={look.theme}
          width={width - 3}
          height={1}
          origin={{ row: 2, column: 4 }}
          placeholder="type to search"
        />
      </Box>
      <Rows lines={['', ...shown]} width={width} height={room + 1} />
      <Rows lines={linesFrom(look, below, { top: 0, width, height: foot })} width={width} height={foot} />
    </Page>
  )
}

/** What the selected action promises, or why it cannot be used. */
function about(action: ActionView | undefined, dialog: NewPlanDialog, width: number): Segment[][] {
  if (!action) return []
  if (dialog.message) return [[], ...wrapped(dialog.message, width - 2, 'danger', 1)]
  if (action.unavailable) return [[], ...wrapped(action.unavailable, width - 2, 'warning', 1)]
  return [[], ...wrapped(`Done when: ${action.definition_of_done}`, width - 2, 'text', 1)]
}

function Form({ situation, shelves, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const action = actionNamed(shelves, dialog.actionName)
  const labelWidth = Math.min(24, Math.max(12, ...dialog.fields.map(field => field.name.length + 4)))
  const props = { situation, shelves, look, dialog }
  const { rows: below, height: belowHeight } = belowForm(props)
  const room = height - belowHeight - 1
  const visible = Math.max(1, Math.floor(room / 2))
  const top = firstRow({
    row: dialog.cursor,
    offset: Math.floor(visible / 2),
    height: visible,
    count: dialog.fields.length,
  })
  const fields = dialog.fields.slice(top, top + visible)
  const used = fields.length * 2
  return (
    <Page look={look} size={size} title={`New plan: ${dialog.actionName ?? ''}`}>
      {fields.map((field, at) => {
        const isFocused = top + at === dialog.cursor
        const argument = action?.arguments[top + at]
        return (
          <Box key={field.name} flexDirection="column" height={2} width={width}>
            <Box height={1}>
              <Row
                line={line(look, {
                  left: [
                    { text: isFocused ? look.glyphs.selected : ' ', tone: 'accent' },
                    {
                      text: ` ${field.name === '' ? 'plan name' : field.name}`,
                      tone: isFocused ? 'key' : 'text',
                    },
                    { text: argument?.required ? ' *' : '', tone: 'warning' },
                  ],
                  width: labelWidth,
                })}
              />
              <EditorField
                editor={field.editor}
                theme={look.theme}
                width={width - labelWidth}
                height={1}
                origin={isFocused ? { row: 2 + at * 2, column: labelWidth + 1 } : undefined}
                placeholder={placeholderOf(argument)}
              />
            </Box>
            <Row
              line={line(look, {
                left: [
                  { text: ' '.repeat(labelWidth) },
                  field.problem
                    ? { text: field.problem, tone: 'danger' }
                    : { text: isFocused ? aboutArgument(argument) : '', tone: 'muted' },
                ],
                width,
              })}
            />
          </Box>
        )
      })}
      <Rows lines={[]} width={width} height={Math.max(0, room - used)} />
      <Rows
        lines={[
          messageLine({ look, dialog }, width),
          ...scrolledLines(look, below, { top: dialog.top, width, height: belowHeight, keys: 'PgUp PgDn' }),
        ]}
        width={width}
        height={belowHeight + 1}
      />
    </Page>
  )
}

/** What stands below the fields, and how many rows of it at once. */
export function belowForm(props: Props): { rows: Segment[][]; height: number } {
  const { situation, shelves, dialog } = props
  const { width, height } = pageInside(situation.ui.size)
  const action = actionNamed(shelves, dialog.actionName)
  const rows = [...trustRows(props, width), ...profileRows(props, action, width)]
  const forFields = 2 * Math.min(4, dialog.fields.length)
  return { rows, height: Math.min(rows.length, Math.max(3, height - 1 - forFields)) }
}

/** Asked once for a folder, with what would run: may it? */
function trustRows({ shelves, dialog }: Props, width: number): Segment[][] {
  const project = folderToTrust(shelves, dialog.folder)
  if (!project) return []
  const answers = {
    undecided: "may the folder's own commands check the work?",
    trusted: 'yes, these commands may run',
    untrusted: 'no, these commands do not run',
  } as const
  const head: Segment[] = [
    { text: ' Trust    ', tone: 'heading' },
    { text: answers[dialog.trust], tone: dialog.trust === 'undecided' ? 'warning' : 'text' },
    { text: '   ctrl+t', tone: 'key' },
    { text: ' yes or no', tone: 'muted' },
  ]
  const commands = project.would_run
    .map(({ name, runs, command }) => namedOnce(name, oneLine(runs ?? command)))
    .join(' · ')
  return [head, ...wrapped(commands, width - 10, 'muted', 10)]
}

/** The rule of a makefile begins with its name. */
function namedOnce(name: string, text: string): string {
  return text.startsWith(`${name}:`) ? text : `${name}: ${text}`
}

function messageLine({ look, dialog }: Pick<Props, 'look' | 'dialog'>, width: number): string {
  const text = dialog.message ?? (dialog.sending === 'sending' ? 'Starting the plan' : '')
  return line(look, { left: [{ text: ` ${text}`, tone: dialog.message ? 'danger' : 'muted' }], width })
}

function placeholderOf(argument: ArgumentView | undefined): string {
  if (!argument) return 'left empty, it is named after the action'
  return argument.type === 'boolean' ? 'true or false' : argument.type
}

function aboutArgument(argument: ArgumentView | undefined): string {
  if (!argument) return ''
  const values = argument.values.length > 0 ? `one of ${argument.values.join(', ')}` : ''
  const list = argument.type === 'list' ? 'separated by commas' : ''
  return [argument.description, values, list].filter(text => text !== '').join('; ')
}

/** The profile, and what will wait under it. */
function profileRows(
  { shelves, look, dialog }: Props,
  action: ActionView | null,
  width: number,
): Segment[][] {
  const question = waitsOfForm(dialog)
  const fetched = question ? shelves.waits.peek(waitsKey(question)) : undefined
  const foreseen = fetched?.kind === 'ready' ? fetched.value : null
  const named = dialog.profile !== '' ? dialog.profile : (action?.automation_profile ?? null)
  const name = foreseen?.profile.name ?? named
  const head: Segment[] = [
    { text: ' Profile  ', tone: 'heading' },
    { text: name === null ? 'as the project or your settings say' : oneLine(name), tone: 'text' },
    { text: foreseen ? `  (named by ${namedBy(foreseen.source)})` : '', tone: 'muted' },
    { text: '   ctrl+p', tone: 'key' },
    { text: ' next', tone: 'muted' },
  ]
  return [
    head,
    ...(foreseen
      ? [
          ...wrapped(foreseen.profile.description, width - 2, 'muted', 1),
          ...shortWaitRows(look, foreseen, width - 1),
        ]
      : fetched?.kind === 'failed'
        ? wrapped(fetched.message, width - 2, 'danger', 1)
        : wrapped('Asking what will wait', width - 2, 'muted', 1)),
  ]
}

/** What was chosen here is the plan's own word. */
function namedBy(source: string): string {
  return source === 'plan' ? 'you, here' : sourceWord(source)
}
