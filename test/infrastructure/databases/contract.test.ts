import type { Resource } from '../../../src/domain/resource.ts'
import type { Sandbox } from '../../../src/domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../../../src/infrastructure/databases/database-sandbox.ts'
import { describeSandboxContract, type SandboxSubject } from '../../contracts/sandbox.ts'
import { databaseStrategy, makeDatabase, sqliteResource, statement } from '../../support/database.ts'
import { expectOk } from '../../support/result.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const READ = 'SELECT value FROM content'

async function subject(mode: Resource['mode']): Promise<SandboxSubject> {
  const user = await makeDatabase(
    'PRAGMA journal_mode = WAL; CREATE TABLE content (id INTEGER PRIMARY KEY, value); INSERT INTO content VALUES (1, 0)',
  )
  return {
    strategy: databaseStrategy(sqliteResource(user.file, mode), await temporaryFolder()),
    projectRoot: '/nowhere',
    change: async (sandbox, content) => {
      expectOk(await asDatabase(sandbox).change(statement('UPDATE content SET value = ?', content)))
    },
    read: async sandbox => Number(expectOk(await asDatabase(sandbox).query(statement(READ))).rows[0]?.[0]),
    changeOriginal: async content => user.exec(`UPDATE content SET value = ${content}`),
    readOriginal: async () => Number(user.rows(READ)[0]?.[0]),
  }
}

/** The strategy of a database opens nothing else. */
function asDatabase(sandbox: Sandbox): DatabaseSandbox {
  return sandbox as DatabaseSandbox
}

describeSandboxContract({ name: 'transaction_rollback', restores: 'always', place: 'beside' }, () =>
  subject('copy'),
)

describeSandboxContract({ name: 'transaction_rollback', restores: 'while_open', place: 'beside' }, () =>
  subject('transaction'),
)
