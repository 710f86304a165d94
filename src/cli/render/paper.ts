import { cutToWidth } from '../../text/cells.ts'

/** What lines are written on: how wide it is, which marks it can show, and whether it has colours. */
export interface Paper {
  /** Infinity where a program reads: nothing is cut. */
  readonly columns: number
  readonly marks: Marks
  paint(meaning: Meaning, text: string): string
}

export type Meaning = 'strong' | 'muted' | 'added' | 'removed' | 'good' | 'waits' | 'bad'

export interface Marks {
  readonly done: string
  readonly running: string
  readonly waits: string
  readonly failed: string
  readonly superseded: string
  readonly correction: string
  readonly child: string
  readonly arrow: string
  readonly dot: string
  readonly ellipsis: string
  readonly guides: { readonly branch: string; readonly last: string; readonly through: string }
}

export interface PaperOptions {
  readonly columns: number
  readonly charset: 'unicode' | 'ascii'
  readonly colour: 'colour' | 'none'
}

export function makePaper({ columns, charset, colour }: PaperOptions): Paper {
  return {
    columns,
    marks: charset === 'unicode' ? unicodeMarks : asciiMarks,
    paint: (meaning, text) =>
      colour === 'none' || text === '' ? text : `\u001b[${sgr[meaning]}m${text}\u001b[0m`,
  }
}

export function cut(text: string, paper: Paper, columns = paper.columns): string {
  return columns === Number.POSITIVE_INFINITY ? text : cutToWidth(text, columns, paper.marks.ellipsis)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the locale can carry more than ASCII. */
export function charsetOf(env: Environment): PaperOptions['charset'] {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /utf-?8/i.test(locale) && env['TERM'] !== 'linux' ? 'unicode' : 'ascii'
}

export function colourOf(
  env: Environment,
  stream: { readonly isTTY?: boolean },
  asked: 'auto' | 'never',
): PaperOptions['colour'] {
  const isRefused = asked === 'never' || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  return stream.isTTY === true && !isRefused ? 'colour' : 'none'
}

/** The sixteen colours that every terminal lets its owner choose. */
const sgr: Readonly<Record<Meaning, string>> = {
  strong: '1',
  muted: '2',
  added: '32',
  removed: '31',
  good: '32',
  waits: '33',
  bad: '31',
}

const unicodeMarks: Marks = {
  done: '●',
  running: '◌',
  waits: '⏸',
  failed: '✗',
  superseded: '⊘',
  correction: '↺',
  child: '⊞',
  arrow: '→',
  dot: '·',
  ellipsis: '…',
  guides: { branch: '├─ ', last: '└─ ', through: '│  ' },
}

const asciiMarks: Marks = {
  done: '*',
  running: 'o',
  waits: 'W',
  failed: 'F',
  superseded: 'S',
  correction: 'C',
  child: '+',
  arrow: '->',
  dot: '-',
  ellipsis: '~',
  guides: { branch: '|- ', last: '`- ', through: '|  ' },
}
