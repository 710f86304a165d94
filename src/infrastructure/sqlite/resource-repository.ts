import type { ResourceRepository } from '../../application/ports/resource.ts'
import type { Resource } from '../../domain/resource.ts'
import type { Connection } from './connection.ts'
import { recordTable } from './record-table.ts'
import { resourceSchema } from './schemas/resource-schema.ts'

export function resourceRepository(connection: Connection): ResourceRepository {
  const { db, write } = connection
  const resources = recordTable<Resource>(connection, {
    table: 'resources',
    key: 'resource_id',
    columns: { resourceId: 'resource_id', name: 'name' },
    schema: resourceSchema,
  })
  const run = (sql: string, ...values: readonly string[]) => void write(() => db.prepare(sql).run(...values))
  return {
    put: resources.put,
    find: resources.one('WHERE name = ?'),
    list: resources.many('ORDER BY name'),
    remove: ({ resourceId }) => run('DELETE FROM resources WHERE resource_id = ?', resourceId),
    link: (project, { resourceId }) =>
      run(
        'INSERT OR IGNORE INTO project_resources (project, resource_id) VALUES (?, ?)',
        project,
        resourceId,
      ),
    unlink: (project, { resourceId }) =>
      run('DELETE FROM project_resources WHERE project = ? AND resource_id = ?', project, resourceId),
    listByProject: resources.many(
      'JOIN project_resources USING (resource_id) WHERE project = ? ORDER BY name',
    ),
    projectsOf: ({ resourceId }) =>
      db
        .prepare<[string], { project: string }>(
          'SELECT project FROM project_resources WHERE resource_id = ? ORDER BY project',
        )
        .all(resourceId)
        .map(row => row.project),
  }
}
