/**
 * Text that a model reads and nobody vouches for: files, output of commands, names. It is marked as data, and what hides
 * in it is shown, so that neither the model nor a person who reads along is told something else than what is there.
 */

const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Co}|\p{Default_Ignorable_Code_Point}/gu
const PLAIN = /^[\t\n\r\x20-\x7e]*$/

/** Controls, direction marks and what has no width become their code, e.g. `<U+202E>`. Tabs and line ends stay. */
export function withHiddenShown(text: string): string {
  if (PLAIN.test(text)) return text
  const wellFormed = text.toWellFormed()
  return wellFormed.replace(UNSEEN, (character, at: number) => {
    if (character === '\n' || character === '\t' || character === '\r') return character
    // An emoji of several parts, and its colour sign, are meant to be drawn as one.
    if (isPartOfEmoji(character, wellFormed.slice(Math.max(0, at - 2), at))) return character
    const code = character.codePointAt(0) ?? 0
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

function isPartOfEmoji(character: string, before: string): boolean {
  if (character !== '\u200d' && character !== '\ufe0f') return false
  return /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|[#*0-9])$/u.test(before)
}

/** The text between marks that it cannot close itself: `source` says where it is from, e.g. `file src/a.ts`. */
export function asData(source: string, text: string): string {
  const shown = withHiddenShown(text)
  const fence = fenceFor(shown)
  const end = shown === '' || shown.endsWith('\n') ? '' : '\n'
  return `${fence} data: ${withHiddenShown(source).replaceAll(/\s/g, ' ')}\n${shown}${end}${fence} end of data`
}

function fenceFor(text: string): string {
  const longest = text.match(/~{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  return '~'.repeat(Math.max(4, longest + 1))
}
