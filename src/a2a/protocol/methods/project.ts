/** Folders we work in. */
import * as z from 'zod'
import { projectView } from '../views/project.ts'
import { none, row } from './row.ts'

const folder = z.object({ path: z.string() })
const link = z.object({ project: z.string(), resource: z.string() })

export const projectMethods = {
  '_cleveragents/project/list': row('Known folders.', none, z.object({ projects: z.array(projectView) })),
  '_cleveragents/project/show': row(
    'One project, by name or folder; unknown folders register themselves.',
    z.object({ project: z.string() }),
    projectView,
  ),
  '_cleveragents/project/create': row(
    'Register a folder.',
    folder.extend({ name: z.string().optional() }),
    projectView,
  ),
  '_cleveragents/project/trust': row(
    "Let the folder's own checks and hooks run, as they are listed now; with a digest, only if they are still those.",
    z.object({ project: z.string(), digest: z.string().optional() }),
    projectView,
  ),
  '_cleveragents/project/untrust': row(
    'Stop what the folder declares from running, from the next step on.',
    z.object({ project: z.string() }),
    projectView,
  ),
  '_cleveragents/project/set-up': row(
    'Say what fills a new sandbox with dependencies, e.g. `npm ci`; null: nothing. It runs where the folder is trusted, with the network only where a person allowed it here.',
    z.object({
      project: z.string(),
      command: z.string().nullable(),
      network: z.boolean().default(false),
    }),
    projectView,
  ),
  '_cleveragents/project/link-resource': row(
    'Link a resource to a project: plans made from then on work with it.',
    link,
    projectView,
  ),
  '_cleveragents/project/unlink-resource': row('Take a resource from a project.', link, projectView),
} as const
