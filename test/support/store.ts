import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/application/ports/machine.ts'
import type { Store } from '../../src/application/ports.ts'
import type { IdSource } from '../../src/domain/ids.ts'
import { openStore, type StoreOptions } from '../../src/infrastructure/sqlite/store.ts'
import { systemClock } from '../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../src/infrastructure/system/ids.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestStoreOptions extends Partial<StoreOptions> {
  readonly clock?: Clock
  readonly newId?: IdSource
}

/** A real store in a folder of its own, or in `dataDir`; closed when the running test ends. */
export async function temporaryStore(options: TestStoreOptions = {}): Promise<Store> {
  const dataDir = options.dataDir ?? (await temporaryFolder('agents-store-'))
  return openTestStore({ ...options, dataDir })
}

/** Another connection to the same file, as another process would have it. */
export function openTestStore(options: TestStoreOptions & { readonly dataDir: string }): Store {
  const opened = openStore({ clock: systemClock, newId: createIdSource(), ...options })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}
