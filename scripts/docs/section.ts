import { readFileSync } from 'node:fs'

/** A guide written by hand, in which what stands between the marks of a name is made from a table. */
export function guideWith(file: string, sections: Readonly<Record<string, () => string>>): string {
  return Object.entries(sections).reduce(
    (text, [name, make]) => withSection(text, file, name, make()),
    readFileSync(file, 'utf8'),
  )
}

function withSection(text: string, file: string, name: string, content: string): string {
  const begin = `<!-- made by npm run docs: ${name} -->`
  const end = `<!-- end: ${name} -->`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}: it wants the line ${begin}`)
  return `${text.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${text.slice(to)}`
}

/** A table of Markdown; bars inside cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}
