/** Writes the references that are made from tables: `npm run docs`. A test compares them with what lies in docs/. */
import { writeFileSync } from 'node:fs'
import { commandsReference } from './docs/commands.ts'
import { configurationGuide } from './docs/configuration.ts'
import { decisionLogSchema } from './docs/decision-log.ts'
import { jsonGuide } from './docs/json.ts'
import { keysReference } from './docs/keys.ts'
import { methodsReference } from './docs/methods.ts'
import { profilesGuide } from './docs/profiles.ts'
import { recipesGuide } from './docs/recipes.ts'
import { sandboxGuide } from './docs/sandboxes.ts'

export interface GeneratedDoc {
  readonly file: string
  readonly text: () => string
}

export const generatedDocs: readonly GeneratedDoc[] = [
  { file: 'docs/commands.md', text: commandsReference },
  { file: 'docs/configuration.md', text: configurationGuide },
  { file: 'docs/decision-log.schema.json', text: decisionLogSchema },
  { file: 'docs/json.md', text: jsonGuide },
  { file: 'docs/keys.md', text: keysReference },
  { file: 'docs/methods.md', text: methodsReference },
  { file: 'docs/profiles.md', text: profilesGuide },
  { file: 'docs/recipes.md', text: recipesGuide },
  { file: 'docs/sandbox.md', text: sandboxGuide },
]

if (import.meta.main) for (const { file, text } of generatedDocs) writeFileSync(file, text())
