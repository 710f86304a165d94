import * as z from 'zod'
import type { Project, ProjectRepository } from '../../application/ports/project.ts'
import type { Connection } from './connection.ts'
import { recordTable } from './record-table.ts'

const projectSchema: z.ZodType<Project> = z.object({
  name: z.string(),
  root: z.string(),
  resource: z.enum(['git-checkout', 'fs-directory']),
  trusted: z.boolean(),
  trustAsked: z.boolean(),
  // Trust of before the list was kept was for nothing in particular: it is asked for anew.
  trustedList: z
    .array(
      z.object({
        kind: z.enum(['check', 'hook', 'set_up']),
        name: z.string(),
        command: z.string(),
        runs: z.string().nullable(),
        from: z.string().nullable(),
      }),
    )
    .nullable()
    .default(null),
  automationProfile: z.string().nullable(),
  setUp: z.object({ command: z.string(), network: z.boolean() }).nullable().default(null),
})

export function projectRepository(connection: Connection): ProjectRepository {
  const projects = recordTable<Project>(connection, {
    table: 'projects',
    key: 'name',
    columns: { name: 'name', root: 'root' },
    schema: projectSchema,
  })
  return {
    put: projects.put,
    find: projects.one('WHERE name = ?'),
    findByRoot: projects.one('WHERE root = ? ORDER BY recorded LIMIT 1'),
    list: projects.many('ORDER BY name'),
  }
}
