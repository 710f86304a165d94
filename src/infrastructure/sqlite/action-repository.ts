import type { ActionRepository } from '../../application/ports/action.ts'
import type { Action } from '../../domain/action.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'
import { actionSchema } from './schemas/action-schema.ts'

/** Registered actions, each with the text it was read from. */
export function actionRepository(connection: Connection): ActionRepository {
  const { db, write } = connection
  const put = once(() =>
    db.prepare<[string, string, string]>(
      `INSERT INTO actions (name, text, action) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET text = excluded.text, action = excluded.action`,
    ),
  )
  const find = once(() => db.prepare<[string], string>('SELECT action FROM actions WHERE name = ?').pluck())
  const list = once(() => db.prepare<[], string>('SELECT action FROM actions ORDER BY name').pluck())
  return {
    put: (action, text) => void write(() => put().run(action.name, text, JSON.stringify(action))),
    find: name => {
      const action = find().get(name)
      return action === undefined ? null : toAction(action)
    },
    list: () => list().all().map(toAction),
  }
}

function toAction(json: string): Action {
  return parsed(actionSchema, 'actions', JSON.parse(json))
}
