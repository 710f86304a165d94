/** Marks of the screen. Each has a form of letters for terminals without Unicode; all are one cell wide. */
export type Glyphs = {
  toCome: string
  spinner: readonly string[]
  done: string
  /** An option that was not chosen. */
  unchosen: string
  waits: string
  failed: string
  superseded: string
  correction: string
  child: string
  rolledBack: string
  ellipsis: string
  selected: string
  open: string
  closed: string
  bullet: string
  bar: string
  /** Taken for what is under way, not used yet. */
  barReserved: string
  barEmpty: string
  up: string
  down: string
  branch: string
  separator: string
  guides: { branch: string; last: string; through: string; blank: string }
  box: BoxGlyphs
}

export type BoxGlyphs = {
  topLeft: string
  topRight: string
  bottomLeft: string
  bottomRight: string
  horizontal: string
  vertical: string
  leftTee: string
  rightTee: string
  topTee: string
  bottomTee: string
}

export const unicodeGlyphs: Glyphs = {
  toCome: '◌',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  done: '●',
  unchosen: '○',
  waits: '⏸',
  failed: '✗',
  superseded: '⊘',
  correction: '↺',
  child: '⊞',
  rolledBack: '◇',
  ellipsis: '…',
  selected: '▌',
  open: '▾',
  closed: '▸',
  bullet: '·',
  bar: '█',
  barReserved: '▒',
  barEmpty: '░',
  up: '↑',
  down: '↓',
  branch: '⎇',
  separator: '·',
  guides: { branch: '├─', last: '└─', through: '│ ', blank: '  ' },
  box: {
    topLeft: '┌',
    topRight: '┐',
    bottomLeft: '└',
    bottomRight: '┘',
    horizontal: '─',
    vertical: '│',
    leftTee: '├',
    rightTee: '┤',
    topTee: '┬',
    bottomTee: '┴',
  },
}

export const asciiGlyphs: Glyphs = {
  toCome: 'o',
  spinner: ['|', '/', '-', '\\'],
  done: '*',
  unchosen: '.',
  waits: 'W',
  failed: 'F',
  superseded: 'S',
  correction: 'C',
  child: '+',
  rolledBack: 'R',
  ellipsis: '~',
  selected: '>',
  open: 'v',
  closed: '>',
  bullet: '-',
  bar: '#',
  barReserved: '=',
  barEmpty: '.',
  up: '^',
  down: 'v',
  branch: '@',
  separator: '-',
  guides: { branch: '|-', last: '`-', through: '| ', blank: '  ' },
  box: {
    topLeft: '+',
    topRight: '+',
    bottomLeft: '+',
    bottomRight: '+',
    horizontal: '-',
    vertical: '|',
    leftTee: '+',
    rightTee: '+',
    topTee: '+',
    bottomTee: '+',
  },
}
