import * as z from 'zod'
import { nullableText } from './scalars.ts'

export const projectView = z.object({
  name: z.string(),
  root: z.string(),
  trusted: z.boolean(),
  /** A person has decided about all that would run; nobody asks again. */
  trust_asked: z.boolean(),
  /** changed: it was trusted, and would run something else since. */
  trust: z.enum(['unasked', 'trusted', 'untrusted', 'changed']),
  /** What a yes to exactly this list names. */
  trust_digest: z.string(),
  /** Everything that would run because the folder, or the set-up step named for it, says so. */
  would_run: z.array(
    z.object({
      kind: z.enum(['check', 'hook', 'set_up']),
      name: z.string(),
      command: z.string(),
      /** What is behind the command, e.g. the text of a script. */
      runs: nullableText,
      from: nullableText,
      /** It was not there, or not so, when the folder was trusted. */
      is_new: z.boolean(),
    }),
  ),
  resource: z.enum(['git-checkout', 'fs-directory']),
  /** Names of the databases that are linked to it. */
  resources: z.array(z.string()),
  branch: nullableText,
  automation_profile: nullableText,
  /** What fills a new sandbox with dependencies, before its first command. */
  set_up: z.object({ command: z.string(), network: z.boolean() }).nullable(),
  languages: z.array(z.string()),
  checks: z.array(z.object({ name: z.string(), command: z.string(), kind: z.string() })),
})
export type ProjectView = z.infer<typeof projectView>
