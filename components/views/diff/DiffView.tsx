import { Box } from 'ink'
import type { DiffView as Diff } from '../../../src/a2a/protocol/views/changes.ts'
import { graphemesOf, wrapToWidth } from '../../../src/text/cells.ts'
import { isPicked, type Picks, type Unit } from '../../../stores/picks.ts'
import type { DiffDialog } from '../../dialogs.ts'
import {
  type DiffLine,
  diffLines,
  fetchedDiff,
  rowsOf,
  type ShownFile,
  shownFile,
  sideRows,
  unitsOf,
} from '../../diff-model.ts'
import { pageInside } from '../../layout.ts'
import { type Look, line, linesFrom, wrapped } from '../../look.ts'
import { type Segment, segmentsWidth } from '../../parts/format-line.ts'
import { fileCounts } from '../../parts/inspect-decision.ts'
import { Rows } from '../../parts/Row.tsx'
import { firstRow } from '../../scroll.ts'
import { notToApply, type Situation } from '../../situation.ts'
import { countsSegments, countWord } from '../../words.ts'
import { Page, TextPage } from '../page.tsx'
import type { ViewProps } from '../view.ts'
import { diffHeight, fileListWidth } from './diff-size.ts'
import { gutter, lineTones, maxLineLength, skipCells } from './diff-text.ts'
import { type SideTitles, sideLines, sideTitleLine, sideTitles } from './side-by-side.ts'

/** Files with counts on the left, the patch of one of them on the right. */
export function DiffView({ situation, shelves, look, dialog }: ViewProps & { dialog: DiffDialog }) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const fetched = fetchedDiff(shelves, dialog.source)
  const title = `Diff of ${dialog.source.title}`
  const say = (text: string, tone: 'muted' | 'danger') => (
    <TextPage
      look={look}
      size={size}
      title={title}
      lines={linesFrom(look, [[], ...wrapped(text, width - 2, tone, 1)], { top: 0, width, height })}
    />
  )
  if (!fetched || fetched.kind === 'loading') return say('Loading the diff', 'muted')
  if (fetched.kind === 'failed') return say(fetched.message, 'danger')
  const shown = shownFile(fetched.value, dialog)
  const choice = choiceOf(situation, dialog, fetched.value)
  if (!shown) return say('Nothing has changed.', 'muted')
  const layout = situation.ui.diffLayout
  const listWidth = fileListWidth(size, layout)
  const patchWidth = width - listWidth - (listWidth > 0 ? 1 : 0)
  const border = line(look, { left: [{ text: look.glyphs.box.vertical, tone: 'border' }], width: 1 })
  return (
    <Page look={look} size={size} title={choice ? `${title}  ${choiceWords(choice)}` : title}>
      <Box height={height}>
        {listWidth > 0 && (
          <>
            <Rows
              lines={fileLines(look, fetched.value, dialog.file, { width: listWidth, height, choice })}
              width={listWidth}
              height={height}
            />
            <Rows lines={Array.from({ length: height }, () => border)} width={1} height={height} />
          </>
        )}
        <Rows
          lines={[
            fileHeader(look, fetched.value, dialog.file, patchWidth),
            ...patchLines(look, shown, dialog, {
              width: patchWidth,
              height: diffHeight(size, layout),
              choice,
              sides: layout === 'sideBySide' ? sideTitles(fetched.value) : null,
            }),
          ]}
          width={patchWidth}
          height={height}
        />
      </Box>
    </Page>
  )
}

/** What can be chosen for Apply, file by file, and what is. */
interface Choice {
  readonly units: readonly (readonly Unit[])[]
  readonly picks: Picks | null
}

/** Null where nothing of the diff waits to be applied. */
function choiceOf(situation: Situation, dialog: DiffDialog, diff: Diff): Choice | null {
  if (notToApply(situation) !== undefined) return null
  const picks = situation.ui.picks[dialog.source.planId]
  return { units: unitsOf(diff), picks: picks?.digest === diff.digest ? picks : null }
}

function choiceWords({ units, picks }: Choice): string {
  const all = units.flat().length
  const chosen = picks?.units.length ?? 0
  return chosen === 0 ? 'nothing chosen: approving applies all' : `${chosen} of ${all} hunks chosen`
}

/** A form of its own for all, some and none, so that it does not take a colour to tell them apart. */
function markOf(choice: Choice | null, units: readonly Unit[]): string {
  if (!choice) return ''
  const chosen = units.filter(unit => isPicked(choice.picks, unit)).length
  return chosen === 0 ? '[ ]' : chosen === units.length ? '[x]' : '[-]'
}

interface ListBox {
  readonly width: number
  readonly height: number
  readonly choice: Choice | null
}

interface PatchBox extends ListBox {
  /** What each side is; null where all stands in one column. */
  readonly sides: SideTitles | null
}

function fileLines(look: Look, diff: Diff, at: number, box: ListBox): string[] {
  const { width, height, choice } = box
  const room = choice ? 9 : 5
  const total = diff.files.reduce(
    (sum, file) => ({ additions: sum.additions + file.additions, deletions: sum.deletions + file.deletions }),
    { additions: 0, deletions: 0 },
  )
  const top = firstRow({
    row: at,
    offset: Math.floor(height / 2),
    height: height - 1,
    count: diff.files.length,
  })
  const files = diff.files.slice(top, top + height - 1).map((file, row) =>
    line(look, {
      left: [
        { text: top + row === at ? look.glyphs.selected : ' ', tone: 'accent' },
        ...(choice
          ? [{ text: `${markOf(choice, choice.units[top + row] ?? [])} `, tone: 'accent' as const }]
          : []),
        { text: `${statusLetter(file.status)} `, tone: 'muted' },
        { text: cutFront(look, file.path, width - room - segmentsWidth(fileCounts(file))), tone: 'text' },
      ],
      right: [...fileCounts(file), { text: ' ' }],
      width,
      surface: top + row === at ? 'selection' : undefined,
    }),
  )
  const sum: Segment[] = [{ text: ` ${countWord(diff.files.length, 'file')} `, tone: 'heading' }]
  return [line(look, { left: sum, right: [...countsSegments(total), { text: ' ' }], width }), ...files]
}

function fileHeader(look: Look, diff: Diff, at: number, width: number): string {
  const file = diff.files[at]
  if (!file) return ''
  const from =
    file.old_path && file.old_path !== file.path
      ? `${file.old_path} ${look.charset === 'ascii' ? '->' : '→'} `
      : ''
  return line(look, {
    left: [{ text: ` ${from}${file.path}`, tone: 'heading' }],
    right: [
      { text: `${file.status}  `, tone: 'muted' },
      ...fileCounts(file),
      { text: `  file ${at + 1} of ${diff.files.length} `, tone: 'muted' },
    ],
    width,
  })
}

function patchLines(look: Look, shown: ShownFile, dialog: DiffDialog, box: PatchBox): string[] {
  const { width, height, choice, sides } = box
  if (shown.file.binary)
    return linesFrom(
      look,
      [[], ...wrapped('Binary content: only that it changed is shown.', width - 2, 'muted', 1)],
      {
        top: 0,
        width,
        height,
      },
    )
  if (shown.lineCount === 0)
    return linesFrom(
      look,
      [[], ...wrapped('The content is the same; only the name or the mode changed.', width - 2, 'muted', 1)],
      {
        top: 0,
        width,
        height,
      },
    )
  const marked = (each: DiffLine, hunk: number) => withMark(each, { choice, dialog, hunk })
  const { hunks } = rowsOf(shown, sides ? 'sideBySide' : 'unified')
  const lines = sides
    ? sideLines(look, sideRows(shown, dialog.top, height), {
        width,
        dialog,
        over: (each, row) => wrapOrCut(look, marked(each, hunks.indexOf(dialog.top + row)), dialog, width),
      })
    : diffLines(shown, dialog.top, height).flatMap((each, row) =>
        wrapOrCut(look, marked(each, hunks.indexOf(dialog.top + row)), dialog, width),
      )
  const titles = sides ? [sideTitleLine(look, sides, width)] : []
  if (lines.length < height && shown.hiddenCount > 0)
    lines.push(
      line(look, {
        left: [
          { text: ` ${look.glyphs.ellipsis} ${shown.hiddenCount} more lines. Press `, tone: 'muted' },
          { text: 'e', tone: 'key' },
          { text: ' to show the whole file.', tone: 'muted' },
        ],
        width,
      }),
    )
  return [...titles, ...lines.slice(0, height)]
}

function wrapOrCut(look: Look, each: MarkedLine, dialog: DiffDialog, width: number): string[] {
  return dialog.wrap === 'wrap' ? wrappedLine(look, each, width) : [cutLine(look, each, dialog.left, width)]
}

function cutLine(look: Look, each: MarkedLine, left: number, width: number): string {
  const text =
    left === 0 ? each.text.slice(0, maxLineLength) : skipCells(each.text.slice(0, maxLineLength + left), left)
  const more =
    each.text.length > maxLineLength + left
      ? [{ text: ` ${each.text.length} characters `, tone: 'muted' as const }]
      : []
  return painted(look, each, { number: numberWord(each), text, width, right: more })
}

function wrappedLine(look: Look, each: MarkedLine, width: number): string[] {
  const pieces = wrapToWidth(each.text.slice(0, maxLineLength), Math.max(1, width - gutter))
  return pieces.map((text, at) =>
    painted(look, each, { number: at === 0 ? numberWord(each) : '', text, width, right: [] }),
  )
}

function painted(
  look: Look,
  each: DiffLine,
  parts: { number: string; text: string; width: number; right: readonly Segment[] },
): string {
  const surface =
    each.kind === 'added' ? 'addedSurface' : each.kind === 'removed' ? 'removedSurface' : undefined
  return line(look, {
    left: [
      { text: `${parts.number.padStart(gutter - 1)} `, tone: 'muted' },
      { text: parts.text, tone: lineTones[each.kind] },
    ],
    right: parts.right,
    width: parts.width,
    surface,
  })
}

interface MarkedLine extends DiffLine {
  /** In the place of the number, on the first line of a hunk that can be chosen. */
  readonly mark: string
}

function withMark(
  each: DiffLine,
  { choice, dialog, hunk }: { choice: Choice | null; dialog: DiffDialog; hunk: number },
): MarkedLine {
  const unit = each.kind === 'hunk' ? choice?.units[dialog.file]?.[hunk] : undefined
  const pointer = hunk === dialog.hunk ? '>' : ''
  return { ...each, mark: unit ? `${pointer}${markOf(choice, [unit])}` : '' }
}

function numberWord({ number, mark }: MarkedLine): string {
  return number === null ? mark : String(number)
}

/** Of a path the end says more than the beginning. */
function cutFront(look: Look, path: string, width: number): string {
  const graphemes = graphemesOf(path)
  if (graphemes.length <= width) return path
  return look.glyphs.ellipsis + graphemes.slice(-Math.max(1, width - 1)).join('')
}

function statusLetter(status: string): string {
  return status.slice(0, 1).toUpperCase()
}
