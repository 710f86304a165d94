import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One numbered SQL file. */
export interface Migration {
  readonly version: number
  readonly file: string
}

/** The files `NNN-what.sql` of a folder, in order. The last number is the version of the store it leads to. */
export function migrationsIn(folder: string): Migration[] {
  const files = readdirSync(folder).filter(name => /^\d{3}-.*\.sql$/.test(name))
  const migrations = files
    .sort()
    .map(name => ({ version: Number(name.slice(0, 3)), file: join(folder, name) }))
  migrations.forEach(({ version, file }, index) => {
    if (version !== index + 1) throw new Error(`${file} should have the number ${index + 1}`)
  })
  return migrations
}

export function sqlOf(migration: Migration): string {
  return readFileSync(migration.file, 'utf8')
}

/** A migration that changes rows, not only tables, says so in its first line: `-- rewrites data`. */
export function rewritesData(sql: string): boolean {
  return sql.startsWith('-- rewrites data\n')
}
