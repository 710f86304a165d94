import { createHash } from 'node:crypto'
import type { Store } from '../../application/ports.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'
import { facts } from './schemas/scalars.ts'

/** Values by the SHA-256 of their canonical JSON: the same value is kept once, however often it is put. */
export function blobs(connection: Connection): Store['blobs'] {
  const { db, write } = connection
  const insert = once(() =>
    db.prepare<[string, string]>('INSERT OR IGNORE INTO blobs (ref, value) VALUES (?, ?)'),
  )
  const select = once(() => db.prepare<[string], string>('SELECT value FROM blobs WHERE ref = ?').pluck())
  return {
    put: value => {
      const json = canonicalJson(value)
      const ref = createHash('sha256').update(json).digest('hex')
      write(() => insert().run(ref, json))
      return ref
    },
    get: ref => {
      const json = select().get(ref)
      return json === undefined ? null : parsed(facts, 'blobs', JSON.parse(json))
    },
  }
}
