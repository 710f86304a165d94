/** What plans can use: tools, actors, skills and databases. */
import * as z from 'zod'
import { actorView } from '../views/actor.ts'
import { resourceView } from '../views/resource.ts'
import { toolView } from '../views/tool.ts'
import { later, name, none, row } from './row.ts'

export const registryMethods = {
  '_cleveragents/tool/list': row(
    'Tools.',
    z.object({ namespace: z.string().optional() }),
    z.object({ tools: z.array(toolView) }),
    { aliases: ['registry.list_tools'] },
  ),
  '_cleveragents/tool/show': row('One tool.', name, toolView),
  '_cleveragents/actor/list': row(
    'Actor kinds.',
    none,
    z.object({
      actors: z.array(z.object({ name: z.string(), description: z.string(), available: z.boolean() })),
    }),
  ),
  '_cleveragents/actor/show': row(
    'One actor: whether it can be used, where its models are, and what they cost. Asks their server for its list.',
    name,
    actorView,
  ),
  '_cleveragents/skill/list': later('Skills.'),
  '_cleveragents/resource/add': row(
    'Register a database.',
    z.object({
      name: z.string(),
      type: z.enum(['sqlite', 'postgresql']),
      /** The absolute path of a SQLite file, or the URL of a PostgreSQL database without its password. */
      location: z.string(),
      /** copy: work on a copy; transaction: work in one open transaction of the database itself. */
      mode: z.enum(['copy', 'transaction']).optional(),
    }),
    resourceView,
  ),
  '_cleveragents/resource/list': row(
    'Registered databases.',
    none,
    z.object({ resources: z.array(resourceView) }),
    { aliases: ['registry.list_resources'] },
  ),
  '_cleveragents/resource/show': row('One resource.', name, resourceView),
  '_cleveragents/resource/remove': row(
    'Forget a resource; the database itself is not touched.',
    name,
    resourceView,
  ),
} as const
