import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Resource } from '../../src/domain/resource.ts'
import type { Databases, Statement } from '../../src/domain/sandbox/database.ts'
import {
  type DatabaseStrategy,
  transactionRollback,
} from '../../src/infrastructure/sandboxes/transaction-rollback.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import { aResource } from './records.ts'
import { expectOk } from './result.ts'
import { never, planId } from './sandbox.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A shop with three users, as a person's own program left it. */
export const shopTables = `
  CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, mail TEXT UNIQUE);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user INTEGER REFERENCES users (id), total REAL);
  INSERT INTO users (name, mail) VALUES ('Ann', 'ann@x'), ('Ben', 'ben@x'), ('Cay', 'cay@x');
  INSERT INTO orders VALUES (1, 1, 9.5), (2, 2, 20.0);
`

export interface UserDatabase {
  readonly file: string
  /** Runs statements as the person's own program. */
  exec(sql: string): void
  rows(sql: string): readonly unknown[][]
}

export async function makeDatabase(sql = shopTables, file?: string): Promise<UserDatabase> {
  const path = file ?? join(await temporaryFolder(), 'shop.db')
  await mkdir(join(path, '..'), { recursive: true })
  const database = { file: path, exec, rows }
  exec(sql)
  return database

  function exec(text: string): void {
    using db = new DatabaseSync(path)
    db.exec(text)
  }

  function rows(text: string): readonly unknown[][] {
    using db = new DatabaseSync(path)
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    return statement.all() as unknown as unknown[][]
  }
}

export function sqliteResource(location: string, mode: Resource['mode'] = 'copy'): Resource {
  return aResource({ location, mode })
}

export function statement(sql: string, ...parameters: Statement['parameters']): Statement {
  return { sql, parameters, maxRows: 100 }
}

/** With no transactions open yet, as after a start of the program. */
export function databaseStrategy(resource: Resource, stateDir: string, pid = process.pid): DatabaseStrategy {
  const host = createHost({ pid, dataDir: stateDir })
  const environment = { PATH: process.env['PATH'] }
  return transactionRollback({ stateDir, environment, host, transactions: new Map() }, resource)
}

/** The plan's sandbox of one database, with a state folder of its own unless one is given. */
export async function openDatabaseSandbox(resource: Resource, stateDir?: string) {
  const strategy = databaseStrategy(resource, stateDir ?? (await temporaryFolder()))
  const sandbox = expectOk(await strategy.open({ planId, projectRoot: '/nowhere' }, never))
  return { strategy, sandbox }
}

/** A shop of its own for each statement, as the databases of a plan that tools reach. */
export const freshDatabases: Databases = {
  names: ['shop-db'],
  query: async (_name, wanted) => (await freshSandbox()).query(wanted),
  change: async (_name, wanted) => (await freshSandbox()).change(wanted),
}

async function freshSandbox() {
  const { file } = await makeDatabase()
  return (await openDatabaseSandbox(sqliteResource(file))).sandbox
}
