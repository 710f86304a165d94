import { Box } from 'ink'
import type { DecisionView } from '../../../src/a2a/protocol/views/decision.ts'
import type { CorrectDialog } from '../../dialogs.ts'
import { pageInside } from '../../layout.ts'
import { line, linesFrom, wrapped } from '../../look.ts'
import { EditorField } from '../../parts/EditorField.tsx'
import type { Segment } from '../../parts/format-line.ts'
import { Rows } from '../../parts/Row.tsx'
import { firstRow } from '../../scroll.ts'
import { oneLine, typeWord } from '../../words.ts'
import { Page, TextPage } from '../page.tsx'
import type { ViewProps } from '../view.ts'
import { appendableActions, type Choice, choicesFor, decisionOf } from './choices.ts'
import { PreviewPage } from './PreviewPage.tsx'

type Props = ViewProps & {
  readonly dialog: CorrectDialog
  readonly onPreviewDrawn: (digest: string) => void
}

/** Take a decision again, or add work on top: what instead, then what that would change, then do it. */
export function CorrectView(props: Props) {
  switch (props.dialog.step) {
    case 'choose':
      return <Choose {...props} />
    case 'guidance':
      return <Guidance {...props} />
    case 'preview':
      return (
        <PreviewPage
          {...props}
          title={
            props.dialog.mode === 'append'
              ? 'Add work on top: what would happen'
              : 'Correct a decision: what would change'
          }
          onDrawn={props.onPreviewDrawn}
        />
      )
  }
}

type Row = readonly Segment[]

function Choose({ situation, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const decision = decisionOf(situation.model, dialog)
  if (!decision)
    return <TextPage look={look} size={size} title="Correct" lines={[' This decision is no longer known.']} />
  const choices = choicesFor(situation.model, dialog)
  const before = headRows(look.glyphs.done, decision, width - 2)
  const blocks = choices.map((choice, at) => [
    ...(modeOf(choice) === modeOf(choices[at - 1]) ? [] : modeRows(choice, width - 2)),
    ...choiceRows(choice, at, width - 2),
  ])
  const after = dialog.message === null ? [] : [[], ...wrapped(dialog.message, width - 2, 'warning')]
  const rows: Row[] = [...before, ...blocks.flat(), ...after]
  const chosen = blocks[dialog.cursor]?.find(isChoiceRow)
  const selected = chosen ? rows.indexOf(chosen) : -1
  const top = firstRow({
    row: Math.max(0, selected),
    offset: Math.floor(height / 2),
    height,
    count: rows.length,
  })
  const lines = rows.slice(top, top + height).map((row, at) => {
    const isSelected = top + at === selected
    return line(look, {
      left: [{ text: isSelected ? look.glyphs.selected : ' ', tone: 'accent' }, ...row],
      width,
      surface: isSelected ? 'selection' : undefined,
    })
  })
  return <TextPage look={look} size={size} title="Correct a decision" lines={lines} />
}

function headRows(mark: string, decision: DecisionView, width: number): Row[] {
  return [
    [{ text: `${typeWord(decision.type)} #${decision.number}`, tone: 'muted' }],
    ...wrapped(decision.question, width, 'heading'),
    [
      { text: `${mark} `, tone: 'success' },
      { text: decision.chosen_option.label, tone: 'text' },
      { text: '  as it is now', tone: 'muted' },
    ],
  ]
}

function modeOf(choice: Choice | undefined): 'revert' | 'append' | null {
  if (!choice) return null
  return choice.kind === 'append' ? 'append' : 'revert'
}

/** What the choices below it have in common, and why none of them can be taken where that is so. */
function modeRows(choice: Choice, width: number): Row[] {
  const text =
    choice.kind === 'append'
      ? 'Leave everything as it is, and add work on top:'
      : 'Take it again, with what depends on it; the rest keeps its result:'
  return [
    [],
    ...wrapped(text, width, 'heading'),
    ...(choice.whyNot === null ? [] : wrapped(choice.whyNot, width, 'warning', 3)),
  ]
}

/** The number that chooses it, what it is, and beneath it why. */
function choiceRows(choice: Choice, at: number, width: number): Row[] {
  const { label, why } = wordsOf(choice)
  const canBe = choice.whyNot === null
  return [
    [
      { text: at < 9 ? String(at + 1) : ' ', tone: canBe ? 'key' : 'muted' },
      { text: `  ${label}`, tone: canBe ? 'text' : 'muted' },
    ],
    ...(why === null ? [] : wrapped(why, width, 'muted', 5)),
  ]
}

/** Its first segment is the number. */
function isChoiceRow(row: Row): boolean {
  return /^[ 1-9]$/.test(row[0]?.text ?? '')
}

function wordsOf(choice: Choice): { label: string; why: string | null } {
  switch (choice.kind) {
    case 'alternative':
      return { label: oneLine(choice.option.label), why: choice.option.rationale }
    case 'words':
      return { label: 'in my own words', why: null }
    case 'append':
      return { label: 'say what to add', why: 'A child plan does it, and asks for what it needs.' }
  }
}

function Guidance({ situation, shelves, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const decision = decisionOf(situation.model, dialog)
  const isAppend = dialog.mode === 'append'
  const question = isAppend ? 'What is to be added to the result?' : (decision?.question ?? '')
  const how = isAppend
    ? 'A child plan does it. Enter goes on to the preview.'
    : 'What should be different? Enter goes on to the preview.'
  const does = isAppend ? actionRows(situation, shelves, dialog, width - 2) : []
  const head = [
    ...wrapped(question, width - 2, 'heading', 1),
    [],
    ...wrapped(how, width - 2, 'muted', 1),
    ...does,
    [],
  ]
  const room = Math.max(1, height - head.length - 1)
  return (
    <Page look={look} size={size} title={isAppend ? 'Add work on top' : 'Correct a decision: guidance'}>
      <Rows
        lines={linesFrom(look, head, { top: 0, width, height: head.length })}
        width={width}
        height={head.length}
      />
      <Box paddingLeft={1} width={width} height={room}>
        <EditorField
          editor={dialog.guidance}
          theme={look.theme}
          width={width - 2}
          height={room}
          origin={{ row: 2 + head.length, column: 2 }}
          placeholder={isAppend ? 'What is to be done' : 'Your guidance'}
        />
      </Box>
      <Rows
        lines={[line(look, { left: [{ text: ` ${dialog.message ?? ''}`, tone: 'danger' }], width })]}
        width={width}
        height={1}
      />
    </Page>
  )
}

function actionRows(
  { model }: Props['situation'],
  shelves: Props['shelves'],
  dialog: CorrectDialog,
  width: number,
): Row[] {
  const chosen = appendableActions(model, shelves, dialog).find(
    ({ actionName }) => actionName === dialog.actionName,
  )
  const name = chosen?.name ?? dialog.actionName ?? ''
  const about = chosen ? `  ${chosen.about}` : ''
  const text = [
    { text: ' With ', tone: 'muted' },
    { text: name, tone: 'accent' },
  ] as const
  return [[...text, { text: about.slice(0, Math.max(0, width - name.length - 6)), tone: 'muted' }]]
}
