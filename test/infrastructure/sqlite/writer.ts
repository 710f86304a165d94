/**
 * Another process on the same store: `node writer.ts DATA_DIR PLAN_ID COUNT`. Each transaction stores a step and the
 * event that tells of it; then the event's number is printed.
 */
import { writeSync } from 'node:fs'
import { asId, type PlanId } from '../../../src/domain/ids.ts'
import { openStore } from '../../../src/infrastructure/sqlite/store.ts'
import { systemClock } from '../../../src/infrastructure/system/clock.ts'
import { createIdSource } from '../../../src/infrastructure/system/ids.ts'
import { aStep } from '../../support/records.ts'

const [dataDir = '', plan = '', count = '0'] = process.argv.slice(2)
const opened = openStore({ dataDir, clock: systemClock, newId: createIdSource() })
if (!opened.ok) throw new Error(opened.failure.message)
const store = opened.value
const planId = asId<PlanId>(plan)
for (let done = 0; done < Number(count); done++) {
  const event = store.transaction(() => {
    const step = aStep({ planId, path: `execute[${done}]` })
    store.steps.insert(step)
    return store.events.append(planId, planId, { type: 'STEP_STARTED', step })
  })
  writeSync(1, `${event.seq}\n`)
}
store.close()
