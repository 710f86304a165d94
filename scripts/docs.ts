/** Writes the references that are made from tables: `npm run docs`. A test compares them with what lies in docs/. */
import { writeFileSync } from 'node:fs'
import { commandsReference } from './docs/commands.ts'

export interface GeneratedDoc {
  readonly file: string
  readonly text: () => string
}

export const generatedDocs: readonly GeneratedDoc[] = [{ file: 'docs/commands.md', text: commandsReference }]

if (import.meta.main) for (const { file, text } of generatedDocs) writeFileSync(file, text())
