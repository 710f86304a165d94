import { userInfo } from 'node:os'
import type { Host } from '../../application/ports/machine.ts'
import { identify } from './process-identity.ts'
import { markName } from './supervised.ts'

export function createHost({
  pid,
  dataDir,
  environment = {},
}: {
  readonly pid: number
  readonly dataDir: string
  readonly environment?: Readonly<Record<string, string | undefined>>
}): Host {
  const process = identify(pid)
  if (!process) throw new Error(`cannot tell when process ${pid} started: neither /proc nor ps answers`)
  return {
    process,
    isAlive: other => identify(other.pid)?.startedAt === other.startedAt,
    dataDir,
    user: loginName(),
    isCommandOfPlan: environment[markName] !== undefined,
  }
}

/** A container may run under a number that has no name. */
function loginName(): string {
  try {
    return userInfo().username
  } catch {
    return 'user'
  }
}
