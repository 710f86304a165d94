import { Box } from 'ink'
import type { AuditView as Audit, AuditEntryView } from '../../src/a2a/protocol/views/limits.ts'
import { fitToWidth } from '../../src/text/cells.ts'
import type { Shelves } from '../../stores/shelves.ts'
import type { Size } from '../../stores/ui.ts'
import type { TextToken } from '../../themes/tokens.ts'
import type { AuditDialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { cutLines, type Look, line, linesFrom, scrolledLines, wrapped } from '../look.ts'
import { EditorField } from '../parts/EditorField.tsx'
import type { Segment } from '../parts/format-line.ts'
import { Row, Rows } from '../parts/Row.tsx'
import { firstRow } from '../scroll.ts'
import { oneLine, timeWord } from '../words.ts'
import { auditEntries, fetchedAudit, type KeyedEntry, shownEntries } from './audit-rows.ts'
import { Page } from './page.tsx'
import type { ViewProps } from './view.ts'

type Props = ViewProps & { readonly dialog: AuditDialog }

const fileLabel = ' Write to: '

/** What was checked, allowed, denied and changed in a plan, newest first; below, the chosen entry in full. */
export function AuditView({ situation, shelves, look, dialog }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const plan = situation.model.plans.byId.get(dialog.planId)
  const fetched = fetchedAudit(shelves, dialog)
  const entries = auditEntries(shelves, dialog)
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === dialog.entry),
  )
  const isNaming = dialog.file !== null
  const head = [filterRow(dialog), ...(fetched?.kind === 'ready' ? [countsRow(fetched.value, entries)] : [])]
  const below = detailsHeight(size)
  const room = height - head.length - 2 - below
  const top = firstRow({ row: at, offset: Math.floor(room / 2), height: room, count: entries.length })
  const table =
    entries.length === 0
      ? linesFrom(look, emptyRows({ dialog, fetched }, width), { top: 0, width, height: room + 1 })
      : [
          headLine(look, width),
          ...entries
            .slice(top, top + room)
            .map(({ entry }, row) => entryLine(look, entry, { width, isChosen: top + row === at })),
        ]
  const lines = [...linesFrom(look, head, { top: 0, width, height: head.length }), ...table]
  const details = isNaming
    ? cutLines(look, messageRows(dialog, width), { width, height: below - 1 })
    : [
        '',
        ...scrolledLines(look, chosenDetails(shelves, dialog, size), {
          top: dialog.top,
          width,
          height: below - 1,
          keys: 'J K',
        }),
      ]
  return (
    <Page look={look} size={size} title={`Audit of ${oneLine(plan?.name ?? 'a plan')}`}>
      <Rows lines={lines} width={width} height={height - below} />
      {dialog.file && (
        <Box height={1}>
          <Row line={line(look, { left: [{ text: fileLabel, tone: 'key' }], width: fileLabel.length })} />
          <EditorField
            editor={dialog.file}
            theme={look.theme}
            width={width - fileLabel.length}
            height={1}
            origin={{ row: 2 + height - below, column: 1 + fileLabel.length }}
            placeholder="the name of a new file"
          />
        </Box>
      )}
      <Rows lines={details} width={width} height={isNaming ? below - 1 : below} />
    </Page>
  )
}

/** The lower part of the page: an empty row, then the details. */
export function detailsHeight(size: Size): number {
  return Math.min(12, Math.max(6, Math.floor(pageInside(size).height * 0.35)))
}

/** All that is known of the entry keys stand on. */
export function chosenDetails(shelves: Shelves, dialog: AuditDialog, size: Size): Segment[][] {
  const entries = auditEntries(shelves, dialog)
  const chosen = entries.find(({ key }) => key === dialog.entry) ?? entries[0]
  return chosen ? detailRows(chosen.entry, pageInside(size).width) : []
}

function filterRow({ type, result }: AuditDialog): Segment[] {
  const set = (value: string | null): Segment => ({
    text: value ?? 'all',
    tone: value === null ? 'muted' : 'accent',
  })
  return [{ text: ' type ' }, set(type), { text: '   result ' }, set(result)]
}

/** Counters are those of the plan's whole life, the list holds the newest. */
function countsRow({ metadata }: Audit, entries: readonly KeyedEntry[]): Segment[] {
  const { allowed_count, denied_count, evicted_count } = metadata.guardrail_audit_trail
  const newest = entries.length >= shownEntries ? `the newest ${shownEntries} shown; ` : ''
  const gone = evicted_count === 0 ? '' : `, the oldest ${evicted_count} no longer kept`
  return [
    {
      text: ` ${newest}checks of limits so far: ${allowed_count} allowed, ${denied_count} denied${gone}`,
      tone: 'muted',
    },
  ]
}

const typeWidth = 22
const guardWidth = 17

function headLine(look: Look, width: number): string {
  const columns = ` time       ${'event'.padEnd(typeWidth)} ${'by'.padEnd(guardWidth)} reason`
  return line(look, { left: [{ text: columns, tone: 'muted' }], width })
}

function entryLine(look: Look, entry: AuditEntryView, of: { width: number; isChosen: boolean }): string {
  const { ellipsis } = look.glyphs
  return line(look, {
    left: [
      { text: of.isChosen ? look.glyphs.selected : ' ', tone: 'accent' },
      { text: `${timeWord(entry.timestamp)} `, tone: 'muted' },
      resultMark(look, entry),
      { text: ` ${fitToWidth(oneLine(entry.event_type), typeWidth, ellipsis)}`, tone: 'text' },
      { text: ` ${fitToWidth(oneLine(entry.guard_name), guardWidth, ellipsis)} `, tone: 'accent' },
      { text: oneLine(whyWord(entry)), tone: entry.result === 'denied' ? 'danger' : 'muted' },
    ],
    width: of.width,
    surface: of.isChosen ? 'selection' : undefined,
  })
}

/** What was asked says most where no reason was given. */
function whyWord({ reason, context }: AuditEntryView): string {
  const { by, question } = context
  const why = reason ?? (typeof question === 'string' ? question : '')
  return typeof by === 'string' ? `${why} (${by})` : why
}

function resultMark({ glyphs }: Look, { result }: AuditEntryView): Segment {
  if (result === null) return { text: glyphs.bullet, tone: 'muted' }
  return result === 'allowed'
    ? { text: glyphs.done, tone: 'success' }
    : { text: glyphs.failed, tone: 'danger' }
}

const logWords = {
  guardrail: 'a check of a limit',
  plan: "from the plan's own events",
} as const

function detailRows(entry: AuditEntryView, width: number): Segment[][] {
  const { result } = entry
  const tone: TextToken = result === 'denied' ? 'danger' : result === 'allowed' ? 'success' : 'muted'
  return [
    [
      { text: ` ${oneLine(entry.event_type)}`, tone: 'heading' },
      { text: `  by ${oneLine(entry.guard_name)}  `, tone: 'text' },
      { text: result ?? '', tone },
    ],
    [{ text: ` ${entry.timestamp}, ${logWords[entry.log]}`, tone: 'muted' }],
    ...(entry.reason === null ? [] : wrapped(entry.reason, width - 2, 'text', 1)),
    ...contextRows(entry.context, width),
  ]
}

function contextRows(context: AuditEntryView['context'], width: number): Segment[][] {
  const facts = Object.entries(context).filter(([, value]) => value !== null && value !== '')
  return facts.flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return wrapped(`${name.replaceAll('_', ' ')}: ${text}`, width - 2, 'muted', 1)
  })
}

function messageRows({ message }: AuditDialog, width: number): Segment[][] {
  const what =
    'A line of JSON for each entry that fits the filter, oldest first; the first line tells of the plan as a whole.'
  return message === null
    ? wrapped(what, width - 2, 'muted', 1)
    : wrapped(message, width - 2, message === writing ? 'muted' : 'danger', 1)
}

export const writing = 'Writing the file'

function emptyRows(
  { dialog, fetched }: { dialog: AuditDialog; fetched: ReturnType<typeof fetchedAudit> },
  width: number,
): Segment[][] {
  if (fetched?.kind === 'failed') return [[], ...wrapped(fetched.message, width - 2, 'danger', 1)]
  if (fetched?.kind !== 'ready') return [[], ...wrapped('Loading the audit', width - 2, 'muted', 1)]
  const isFiltered = dialog.type !== null || dialog.result !== null
  const text = isFiltered
    ? 'No entry fits this type and result.'
    : 'Nothing was checked, asked or changed yet. Limits, guards and gates leave their entries here.'
  return [[], ...wrapped(text, width - 2, 'muted', 1)]
}
