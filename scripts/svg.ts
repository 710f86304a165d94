/** One cell of a terminal's screen, as pictures need it. */
export type PictureCell = {
  text: string
  width: number
  style: {
    foreground: string | undefined
    background: string | undefined
    isBold: boolean
    isDim: boolean
    isItalic: boolean
    isUnderlined: boolean
    isInverse: boolean
  }
}

export type PictureSource = {
  size(): { columns: number; rows: number }
  cell(row: number, column: number): PictureCell
}

export type PictureColours = { foreground: string; background: string }

type Run = { column: number; cells: number; text: string; style: PictureCell['style'] }

const fontSize = 14
const cellWidth = 8.43
// A little over the font's own height, so that the lines of borders meet.
const cellHeight = 16.4
const margin = 12

/** The screen as an SVG: a rectangle and a text for each run of equal cells, every text as wide as its cells. */
export function toSvg(source: PictureSource, colours: PictureColours): string {
  const { columns, rows } = source.size()
  const width = columns * cellWidth + 2 * margin
  const height = rows * cellHeight + 2 * margin
  const body = Array.from({ length: rows }, (_, row) =>
    runsOf(source, row, columns)
      .map(run => drawRun(run, row, colours))
      .join(''),
  ).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="${fontSize}">
<rect width="100%" height="100%" rx="8" fill="${colours.background}"/>
${body}
</svg>
`
}

function runsOf(source: PictureSource, row: number, columns: number): Run[] {
  const runs: Run[] = []
  for (let column = 0; column < columns; column++) {
    const { text, width, style } = source.cell(row, column)
    if (width === 0) continue
    const last = runs.at(-1)
    const canJoin =
      last && width === 1 && isAscii(text) && isAscii(last.text) && isSameStyle(last.style, style)
    if (canJoin) {
      last.text += text || ' '
      last.cells += width
    } else runs.push({ column, cells: width, text: text || ' ', style })
  }
  return runs
}

/** Other characters may come from a font of another width, so each is put into its own cell. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function isSameStyle(one: PictureCell['style'], other: PictureCell['style']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function drawRun({ column, cells, text, style }: Run, row: number, colours: PictureColours): string {
  const front = hexOf(style.foreground) ?? colours.foreground
  const back = hexOf(style.background)
  const [fill, surface] = style.isInverse ? [back ?? colours.background, front] : [front, back]
  const x = margin + column * cellWidth
  const y = margin + row * cellHeight
  const width = cells * cellWidth
  const rectangle = surface
    ? `<rect x="${round(x)}" y="${round(y)}" width="${round(width + 0.3)}" height="${cellHeight}" fill="${surface}"/>`
    : ''
  if (text.trim() === '') return rectangle
  if (text === '⏸') return rectangle + pauseMark(x, y, fill)
  const looks = [
    style.isBold && 'font-weight="bold"',
    style.isItalic && 'font-style="italic"',
    style.isUnderlined && 'text-decoration="underline"',
    style.isDim && 'opacity="0.6"',
  ].filter(Boolean)
  const place = `x="${round(x)}" y="${round(y + 12.8)}" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"`
  return `${rectangle}<text ${place} fill="${fill}" xml:space="preserve" ${looks.join(' ')}>${escapeXml(text)}</text>`
}

/** Missing in the fonts that pictures are commonly made with. */
function pauseMark(x: number, y: number, fill: string): string {
  const bar = (offset: number) =>
    `<rect x="${round(x + offset)}" y="${round(y + 4)}" width="2" height="9" fill="${fill}"/>`
  return bar(2) + bar(5)
}

const basicColours = [
  ['#1c1f26', '#c2352c', '#2f8f3a', '#a36a00', '#2166c8', '#8b3fc0', '#0f7f76', '#c9ced6'],
  ['#6b7280', '#ff8a80', '#8bd48a', '#f2c14e', '#7cb7ff', '#d6a5ff', '#8fd3c8', '#f0f2f5'],
].flat()

function hexOf(colour: string | undefined): string | undefined {
  if (colour === undefined || colour.startsWith('#')) return colour
  const index = Number(colour.slice('palette-'.length))
  if (index < 16) return basicColours[index]
  if (index >= 232) return grey(8 + (index - 232) * 10)
  const cube = index - 16
  const levels = [0, 95, 135, 175, 215, 255]
  const parts = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6]
  return `#${parts.map(part => twoDigits(levels[part] ?? 0)).join('')}`
}

function grey(value: number): string {
  return `#${twoDigits(value).repeat(3)}`
}

function twoDigits(value: number): string {
  return value.toString(16).padStart(2, '0')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function escapeXml(text: string): string {
  return text.replace(
    /[&<>]/g,
    character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character,
  )
}
