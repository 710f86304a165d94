/** The beginning and the end of a text that is longer than a model should read at once, with what lies between said. */
export function limitedText(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text
  const atStart = Math.ceil(mostCharacters * 0.7)
  const atEnd = mostCharacters - atStart
  const cut = text.length - atStart - atEnd
  const start = text.slice(0, atStart).toWellFormed()
  const end = atEnd === 0 ? '' : text.slice(-atEnd).toWellFormed()
  return `${start}\n[${cut} characters left out here; ask for a smaller part]\n${end}`
}
