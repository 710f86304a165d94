import { Box } from 'ink'
import type { CorrectDialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { line, linesFrom, wrapped } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import type { Segment } from '../parts/format-line.ts'
import { Rows } from '../parts/Row.tsx'
import { chooseRows, decisionOf, previewRows } from './correct-rows.ts'
import { Page, TextPage } from './page.tsx'
import type { ViewProps } from './view.ts'

type Props = ViewProps & { readonly dialog: CorrectDialog }

/** Take a decision again: what instead, then what that would change, then do it. */
export function CorrectView(props: Props) {
  switch (props.dialog.step) {
    case 'choose':
      return <Choose {...props} />
    case 'guidance':
      return <Guidance {...props} />
    case 'preview':
      return <Preview {...props} />
  }
}

function Choose({ situation, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const decision = decisionOf(situation.model, dialog)
  if (!decision)
    return <TextPage look={look} size={size} title="Correct" lines={[' This decision is no longer known.']} />
  const head: Segment[][] = [
    [{ text: `#${decision.number}`, tone: 'muted' }],
    ...wrapped(decision.question, width - 2, 'heading'),
    [],
    [
      { text: `${look.glyphs.done} `, tone: 'success' },
      { text: decision.chosen_option.label, tone: 'text' },
      { text: '  as it is now', tone: 'muted' },
    ],
    [],
    [{ text: 'What should it be instead?', tone: 'heading' }],
  ]
  const options = chooseRows(decision).flatMap((row, at): string[] => {
    const isSelected = at === dialog.cursor
    const surface = isSelected ? ('selection' as const) : undefined
    const mark: Segment = { text: isSelected ? look.glyphs.selected : ' ', tone: 'accent' }
    const label = labelOf(row)
    const first = line(look, { left: [mark, { text: ` ${label.text}`, tone: label.tone }], width, surface })
    const why = label.why === null ? [] : wrapped(label.why, width - 4, 'muted', 4)
    return [first, ...linesFrom(look, why, { top: 0, width, height: why.length })]
  })
  const foot = dialog.message ? wrapped(dialog.message, width - 2, 'warning') : []
  const headLines = linesFrom(
    look,
    head.map(row => [{ text: ' ' }, ...row]),
    { top: 0, width, height: head.length },
  )
  const footLines = linesFrom(look, [[], ...foot.map(row => [{ text: ' ' }, ...row])], {
    top: 0,
    width,
    height: 9,
  })
  return (
    <TextPage
      look={look}
      size={size}
      title="Correct a decision"
      lines={[...headLines, ...options, ...footLines].slice(0, height)}
    />
  )
}

function labelOf(row: ReturnType<typeof chooseRows>[number]): {
  text: string
  tone: Segment['tone'] & string
  why: string | null
} {
  switch (row.kind) {
    case 'alternative':
      return { text: row.option.label, tone: 'text', why: row.option.rationale }
    case 'words':
      return { text: 'Say it in my own words', tone: 'text', why: null }
    case 'append':
      return { text: 'Keep it and add work on top', tone: 'muted', why: row.whyNot }
  }
}

function Guidance({ situation, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const decision = decisionOf(situation.model, dialog)
  const head = [
    ...wrapped(decision?.question ?? '', width - 2, 'heading', 1),
    [],
    ...wrapped('What should be different? Enter goes on to the preview.', width - 2, 'muted', 1),
    [],
  ]
  const room = Math.max(1, height - head.length - 1)
  return (
    <Page look={look} size={size} title="Correct a decision: guidance">
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
          placeholder="Your guidance"
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

function Preview(props: Props) {
  const { situation, look, dialog } = props
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const message: Segment[][] = dialog.message
    ? [...wrapped(`${dialog.message} This is how it is now:`, width - 2, 'danger', 1), []]
    : []
  const head = linesFrom(look, message, { top: 0, width, height: message.length })
  const rows = previewRows(props, dialog, width - 2)
  const lines = rows.map(row =>
    typeof row === 'string' ? ` ${row}` : line(look, { left: [{ text: ' ' }, ...row], width }),
  )
  const top = Math.max(0, Math.min(dialog.top, lines.length - (height - head.length)))
  const title =
    dialog.sending === 'sending' ? 'Correct a decision: sending' : 'Correct a decision: what would change'
  return (
    <TextPage look={look} size={size} title={title} lines={[...head, ...lines.slice(top)].slice(0, height)} />
  )
}
