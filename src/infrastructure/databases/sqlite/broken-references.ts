import type { DatabaseSync } from 'node:sqlite'

/** Rows that refer to rows that are not there, each as a line that begins with the name of its table. */
export function brokenReferences(db: DatabaseSync): Set<string> {
  const rows = db.prepare('PRAGMA foreign_key_check').all()
  return new Set(rows.map(row => `${row['table']} ${row['rowid']} ${row['parent']} ${row['fkid']}`))
}
