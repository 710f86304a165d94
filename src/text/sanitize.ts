const nothingSpecial = /^[\x20-\x7e]*$/
const maxMarks = 3

// Deleting silently would let `rm -rf /\b\b\b` look harmless in an approval, so everything hidden gets a visible form.
const controls = /\p{Cc}/gu
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu
const invisible = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu
const manyMarks = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, 'gu')

/**
 * One line of text from outside, made safe to draw: no escape sequence, control or direction change
 * survives. Callers split at line ends first; a line end still inside is shown as its picture.
 */
export function sanitize(text: string, tabWidth = 4): string {
  if (nothingSpecial.test(text)) return text
  return expandTabs(text.toWellFormed(), tabWidth)
    .replace(controls, pictureOf)
    .replace(directions, codeOf)
    .replace(invisible, '·')
    .replace(manyMarks, '$1')
}

/** The same for text of several lines; `\r\n` counts as one line end. */
export function sanitizeLines(text: string, tabWidth = 4): string[] {
  return text.split(/\r?\n/).map(line => sanitize(line, tabWidth))
}

function expandTabs(text: string, tabWidth: number): string {
  if (!text.includes('\t')) return text
  let column = 0
  let out = ''
  for (const character of text) {
    const piece = character === '\t' ? ' '.repeat(tabWidth - (column % tabWidth)) : character
    column += piece.length
    out += piece
  }
  return out
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return '␡'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : codeOf(control)
}

function codeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length <= 2 ? `⟨${hex}⟩` : `⟨U+${hex.toUpperCase()}⟩`
}
