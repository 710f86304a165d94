import type { Clock } from '../../application/ports/machine.ts'
import type { Store } from '../../application/ports.ts'
import type { Result } from '../../domain/failure.ts'
import type { IdSource } from '../../domain/ids.ts'
import { assetFolder } from '../system/asset.ts'
import { actionRepository } from './action-repository.ts'
import { blobs } from './blobs.ts'
import { checkpointRepository } from './checkpoint-repository.ts'
import type { Connection } from './connection.ts'
import { conversationRepository } from './conversation-repository.ts'
import { correctionRepository } from './correction-repository.ts'
import { cursorRepository } from './cursor-repository.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { decisionRepository } from './decision-repository.ts'
import { eventLog } from './event-log.ts'
import { gateRepository } from './gate-repository.ts'
import { grantRepository } from './grant-repository.ts'
import { guardrailRepository } from './guardrail-repository.ts'
import { invariantRepository } from './invariant-repository.ts'
import { judgementRepository } from './judgement-repository.ts'
import { leaseRepository } from './lease-repository.ts'
import { ledger } from './ledger.ts'
import { messageTree } from './message-tree.ts'
import { metPathRepository } from './met-path-repository.ts'
import type { Patience } from './opening/busy.ts'
import { planRepository } from './plan-repository.ts'
import { profileRepository } from './profile-repository.ts'
import { projectRepository } from './project-repository.ts'
import { requestRepository } from './request-repository.ts'
import { resourceRepository } from './resource-repository.ts'
import { sessionRepository } from './session-repository.ts'
import { stepRepository } from './step-repository.ts'
import { transactions } from './transactions.ts'
import { validationRepository } from './validation-repository.ts'
import { workRepository } from './work-repository.ts'
import { writeRepository } from './write-repository.ts'

export interface StoreOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly newId: IdSource
  readonly migrationsFolder?: string
  readonly patience?: Patience
}

/** Opens the user's store in `dataDir`. Refuses with store_newer, store_damaged or store_busy. */
export function openStore(options: StoreOptions): Result<Store> {
  const opened = openDatabase({
    ...options,
    migrationsFolder: options.migrationsFolder ?? assetFolder('migrations'),
  })
  return opened.ok ? { ok: true, value: storeOver(opened.value, options) } : opened
}

function storeOver(opened: OpenDatabase, { clock, newId }: StoreOptions): Store {
  const { db } = opened
  const ownTransactions = transactions(opened)
  const connection: Connection = { db, write: ownTransactions.join }
  const events = eventLog({ db, transactions: ownTransactions, clock, newId })
  return {
    transaction: ownTransactions.run,
    plans: planRepository(connection),
    decisions: decisionRepository(connection),
    gates: gateRepository(connection),
    judgements: judgementRepository(connection),
    steps: stepRepository(connection),
    cursors: cursorRepository(connection),
    works: workRepository(connection),
    writes: writeRepository(connection),
    metPaths: metPathRepository(connection),
    checkpoints: checkpointRepository(connection),
    corrections: correctionRepository(connection),
    grants: grantRepository(connection),
    ledger: ledger(connection),
    guardrails: guardrailRepository(connection),
    actions: actionRepository(connection),
    profiles: profileRepository(connection),
    projects: projectRepository(connection),
    resources: resourceRepository(connection),
    validations: validationRepository(connection),
    invariants: invariantRepository(connection),
    leases: leaseRepository(connection),
    requests: requestRepository(connection),
    conversations: conversationRepository(connection),
    sessions: sessionRepository(connection),
    messages: messageTree(connection, clock.now),
    events,
    blobs: blobs(connection),
    close: () => {
      events.close()
      db.close()
    },
  }
}
