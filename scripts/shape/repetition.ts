import type { SourceFile } from '../source-files.ts'
import type { Row } from './row.ts'

const RUN = 6

/** Runs of six lines that stand in more than one place, each run counted once however long it goes on. */
export function repetitionRow(files: readonly SourceFile[]): Row {
  const first = new Map<string, string>()
  const found: string[] = []
  for (const file of files) {
    const lines = tellingLines(file)
    let quietUntil = 0
    for (let start = 0; start + RUN <= lines.length; start++) {
      const run = lines.slice(start, start + RUN)
      const text = run.map(line => line.text).join('\n')
      const here = `${file.path}:${run[0]?.number}`
      const before = first.get(text)
      if (before === undefined) first.set(text, here)
      else if (start >= quietUntil) found.push(`${here} as ${before}`)
      if (before !== undefined) quietUntil = start + RUN
    }
  }
  return { what: `runs of ${RUN} lines that stand elsewhere too`, found }
}

interface Line {
  readonly number: number
  readonly text: string
}

/** Imports and lone brackets are alike everywhere and tell nothing. */
function tellingLines(file: SourceFile): Line[] {
  const lines = file.text.split('\n').map((text, index) => ({ number: index + 1, text: text.trim() }))
  return lines.filter(({ text }) => text.length > 3 && !/^(import|export) .* from /.test(text))
}
