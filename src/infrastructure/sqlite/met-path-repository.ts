import type { MetPathRepository } from '../../application/ports/project.ts'
import type { Connection } from './connection.ts'
import { once } from './record-table.ts'

export function metPathRepository({ db, write }: Connection): MetPathRepository {
  const insert = once(() =>
    db
      .prepare<{ project: string; path: string; plan: string }, number>(
        `INSERT INTO met_paths (project, path, root_plan_id, known)
         SELECT @project, @path, @plan,
           EXISTS (SELECT 1 FROM met_paths WHERE project = @project AND path = @path)
         WHERE true ON CONFLICT DO NOTHING RETURNING known`,
      )
      .pluck(),
  )
  const count = once(() =>
    db.prepare<{ plan: string; paths: number; known: number }>(
      `INSERT INTO met_counts (root_plan_id, paths, known) VALUES (@plan, @paths, @known)
       ON CONFLICT (root_plan_id) DO UPDATE SET paths = paths + @paths, known = known + @known`,
    ),
  )
  const counts = once(() =>
    db.prepare<[string], { paths: number; known: number }>(
      'SELECT paths, known FROM met_counts WHERE root_plan_id = ?',
    ),
  )
  return {
    add: (project, plan, paths) => {
      write(() => {
        const added = paths.flatMap(path => insert().get({ project, path, plan }) ?? [])
        const known = added.filter(each => each === 1).length
        if (added.length > 0) count().run({ plan, paths: added.length, known })
      })
    },
    counts: plan => counts().get(plan) ?? { paths: 0, known: 0 },
  }
}
