/** The line end in use around a place of a text: the next one after it, else the last one before it. */
export function lineEndAt(text: string, index: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', index)
  const near = next >= 0 ? next : text.lastIndexOf('\n', index)
  return near > 0 && text[near - 1] === '\r' ? '\r\n' : '\n'
}

export function withLineEnd(text: string, end: '\n' | '\r\n'): string {
  return text.replace(/\r?\n/g, end)
}

/** Line numbers, from 1, of ascending places in a text. */
export function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1
  let from = 0
  return places.map(place => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < place; at = text.indexOf('\n', from)) {
      line += 1
      from = at + 1
    }
    return line
  })
}

export function lineAround(text: string, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1
  const end = text.indexOf('\n', place)
  return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '')
}
