import { Box } from 'ink'
import { useLayoutEffect } from 'react'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { DrawnCard } from '../actions/card-guard.ts'
import type { GateDialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { line, linesFrom, wrapped } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import type { Segment } from '../parts/format-line.ts'
import { cardRows } from '../parts/gate-card.ts'
import { Rows } from '../parts/Row.tsx'
import { type ApprovalGuard, guardStatus } from '../terminal/approval-guard.ts'
import { Page } from './page.tsx'
import type { ViewProps } from './view.ts'

export interface GateCardProps extends ViewProps {
  readonly dialog: GateDialog
  readonly guard: ApprovalGuard | null
  readonly now: number
  /** Told after each drawing, so that an answer can be bound to what was really shown. */
  readonly onDrawn: (drawn: DrawnCard) => void
}

/** One question, whole, and its answer. Nothing is preselected; the last line tells when keys count. */
export function GateCardView(props: GateCardProps) {
  const { situation, look, dialog } = props
  const { size } = situation.ui
  const gate = situation.model.gates.open.get(dialog.gateId)
  const { width, height } = pageInside(size)
  if (!gate) return <ClosedCard {...props} />
  if (dialog.guidance) return <GuidanceCard {...props} gate={gate} />
  const rows = cardRows(props, gate, width - 2).map(row => [{ text: ' ' }, ...row])
  const room = height - 2
  const top = Math.max(0, Math.min(dialog.top, rows.length - room))
  const isEndVisible = top + room >= rows.length
  return (
    <Page look={look} size={size} title="A question for you">
      <Drawn
        digest={gate.digest}
        rowCount={rows.length}
        isEndVisible={isEndVisible}
        onDrawn={props.onDrawn}
      />
      <Rows lines={linesFrom(look, rows, { top, width, height: room })} width={width} height={room} />
      <Rows
        lines={[
          ruler(props, width),
          line(look, { left: [{ text: ' ' }, ...statusOf(props, gate, isEndVisible)], width }),
        ]}
        width={width}
        height={2}
      />
    </Page>
  )
}

function Drawn({ digest, rowCount, isEndVisible, onDrawn }: DrawnCard & Pick<GateCardProps, 'onDrawn'>) {
  useLayoutEffect(() => onDrawn({ digest, rowCount, isEndVisible }))
  return null
}

/** What the card waits for: being read, a key, the second key. */
function statusOf(
  { dialog, guard, look, now }: GateCardProps,
  gate: GateView,
  isEndVisible: boolean,
): Segment[] {
  if (dialog.message) return [{ text: dialog.message, tone: 'danger' }]
  if (dialog.sending === 'sending') return [{ text: 'Sending the answer', tone: 'muted' }]
  if (!isEndVisible && guard && !guard.hasShownEnd)
    return [
      { text: 'More below: read to the end with ', tone: 'muted' },
      { text: look.charset === 'ascii' ? 'pagedown' : 'pgdn', tone: 'key' },
      { text: ' to be able to answer.', tone: 'muted' },
    ]
  const status = guard ? guardStatus(guard, now) : { kind: 'unseen' as const }
  switch (status.kind) {
    case 'unseen':
    case 'settling':
      return [{ text: `${look.glyphs.barEmpty} reading`, tone: 'muted' }]
    case 'armed':
      return armedSegments(gate)
    case 'typing':
      return [
        { text: 'Type on: ', tone: 'muted' },
        { text: status.typed, tone: 'key' },
        { text: (gate.confirm_word ?? '').slice(status.typed.length), tone: 'muted' },
      ]
    case 'chosen':
      return [
        { text: 'Press enter to ', tone: 'text' },
        { text: chosenWords(gate, status.answer), tone: 'waiting' },
        { text: '; any other key takes it back.', tone: 'muted' },
      ]
  }
}

function armedSegments(gate: GateView): Segment[] {
  const approve = gate.confirm_word ?? 'a'
  return [
    { text: approve, tone: 'key' },
    { text: ' approve  ', tone: 'text' },
    ...(gate.options.length > 1
      ? [
          {
            text: `1..${Math.min(9, gate.options.length)}`,
            tone: 'key' as const,
          },
          { text: ' option  ', tone: 'text' as const },
        ]
      : []),
    { text: 'x', tone: 'key' },
    { text: ' reject, each then ', tone: 'text' },
    { text: 'enter', tone: 'key' },
    ...(gate.takes_changes
      ? [
          { text: '   ' },
          { text: 'r', tone: 'key' as const },
          { text: ' request changes', tone: 'text' as const },
        ]
      : []),
  ]
}

function chosenWords(gate: GateView, answer: { kind: string; number?: number }): string {
  if (answer.kind === 'approve') return 'approve'
  if (answer.kind === 'reject') return 'reject'
  const option = gate.options[(answer.number ?? 0) - 1]
  return option ? `answer "${option.label}"` : 'answer'
}

function ruler({ look }: ViewProps, width: number): string {
  return line(look, { left: [{ text: look.glyphs.box.horizontal.repeat(width), tone: 'border' }], width })
}

/** Answered elsewhere, or no longer asked. */
function ClosedCard({ situation, look, dialog }: GateCardProps) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const gate = situation.model.gates.closed.get(dialog.gateId)
  const text = gate?.resolved_by
    ? `"${gate.question}" was answered by ${gate.resolved_by}.`
    : 'This question is no longer open.'
  return (
    <Page look={look} size={size} title="A question for you">
      <Rows
        lines={linesFrom(look, [[], ...wrapped(text, width - 2, 'text', 1)], { top: 0, width, height })}
        width={width}
        height={height}
      />
    </Page>
  )
}

function GuidanceCard({ situation, look, dialog, gate }: GateCardProps & { gate: GateView }) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const head = [
    ...wrapped(gate.question, width - 2, 'heading', 1),
    [],
    ...wrapped(
      'What should be different? Enter sends it, alt+enter begins a new line.',
      width - 2,
      'muted',
      1,
    ),
    [],
  ]
  const foot: Segment[] = dialog.message
    ? [{ text: ` ${dialog.message}`, tone: 'danger' }]
    : dialog.sending === 'sending'
      ? [{ text: ' Sending', tone: 'muted' }]
      : []
  const room = Math.max(1, height - head.length - 1)
  return (
    <Page look={look} size={size} title="Request changes">
      <Rows
        lines={linesFrom(look, head, { top: 0, width, height: head.length })}
        width={width}
        height={head.length}
      />
      {dialog.guidance && (
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
      )}
      <Rows lines={[line(look, { left: foot, width })]} width={width} height={1} />
    </Page>
  )
}
