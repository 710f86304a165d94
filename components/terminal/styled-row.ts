/** SGR codes; an empty string is the terminal's own colour. Equal styles are one object. */
export type Style = { foreground: string; background: string; attributes: string }

/** One row of the screen as cells: what stands in each and how. A blank shows no foreground, so it has none. */
export type StyledRow = { characters: string[]; styles: Style[] }

const sgrAt = /\[([\d;]*)m/y
// One code unit, one cell, in every terminal: Latin, Greek, Cyrillic, arrows, lines, blocks, marks, braille.
const surelyNarrow =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u2319\u231c-\u23e8\u23f4-\u25fc\u25ff-\u2613\u2616-\u2647\u2654-\u267e\u2680-\u2692\u2694-\u26a0\u26a2-\u26a9\u2701-\u2704\u2706-\u2709\u270c-\u2727\u2729-\u274b\u274f-\u2752\u2758-\u2794\u2798-\u27af\u2800-\u28ff]$/

type StyleParts = { foreground: string; background: string; attributes: Set<number> }

const known = new Map<string, Style>()
// Underlines, inverse and the like show on blanks too.
const lineAttributes = /[479]/

/**
 * The cells of a row, or nothing when a character in it may be drawn with another width than we think, or a sequence
 * is not a plain style: such a row is only ever drawn whole.
 */
export function readStyledRow(row: string): StyledRow | undefined {
  const characters: string[] = []
  const styles: Style[] = []
  const parts: StyleParts = { foreground: '', background: '', attributes: new Set() }
  let current = plainStyle
  let blank = plainStyle
  for (let at = 0; at < row.length; at++) {
    const character = row[at] ?? ''
    if (character !== '\u001b') {
      if (!isPlain(character) && !surelyNarrow.test(character)) return undefined
      characters.push(character)
      styles.push(character === ' ' ? blank : current)
      continue
    }
    sgrAt.lastIndex = at + 1
    const sequence = sgrAt.exec(row)
    if (sequence === null || !applySgr(parts, sequence[1] ?? '')) return undefined
    at += sequence[0].length
    current = styleOf(parts)
    blank = blankOf(current)
  }
  return { characters, styles }
}

export const plainStyle = intern('', '', '')

function blankOf(style: Style): Style {
  if (lineAttributes.test(style.attributes)) return style
  return intern('', style.background, '')
}

function styleOf({ foreground, background, attributes }: StyleParts): Style {
  return intern(foreground, background, [...attributes].sort().join(';'))
}

function intern(foreground: string, background: string, attributes: string): Style {
  const key = `${foreground}/${background}/${attributes}`
  const style = known.get(key) ?? { foreground, background, attributes }
  known.set(key, style)
  return style
}

function isPlain(character: string): boolean {
  return character >= ' ' && character <= '~'
}

function applySgr(parts: StyleParts, params: string): boolean {
  const codes = params.split(';').map(Number)
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const length = codes[index + 1] === 5 ? 3 : 5
      parts[code === 38 ? 'foreground' : 'background'] = codes.slice(index, index + length).join(';')
      index += length - 1
    } else if (!applyCode(parts, code)) return false
  }
  return true
}

const attributesEndedBy: Record<number, number[]> = {
  22: [1, 2],
  23: [3],
  24: [4],
  27: [7],
  28: [8],
  29: [9],
}

function applyCode(parts: StyleParts, code: number): boolean {
  const ended = attributesEndedBy[code]
  if (ended) for (const attribute of ended) parts.attributes.delete(attribute)
  else if (code === 0) Object.assign(parts, { foreground: '', background: '', attributes: new Set() })
  else if (code === 39) parts.foreground = ''
  else if (code === 49) parts.background = ''
  else if (isBetween(code, 30, 37) || isBetween(code, 90, 97)) parts.foreground = String(code)
  else if (isBetween(code, 40, 47) || isBetween(code, 100, 107)) parts.background = String(code)
  else if (isBetween(code, 1, 4) || isBetween(code, 7, 9)) parts.attributes.add(code)
  else return false
  return true
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high
}
