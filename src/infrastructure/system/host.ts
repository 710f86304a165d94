import { userInfo } from 'node:os'
import type { Host } from '../../application/ports/machine.ts'
import { identify } from './process-identity.ts'

export function createHost({ pid, dataDir }: { readonly pid: number; readonly dataDir: string }): Host {
  const process = identify(pid)
  if (!process) throw new Error(`cannot tell when process ${pid} started: neither /proc nor ps answers`)
  return {
    process,
    isAlive: other => identify(other.pid)?.startedAt === other.startedAt,
    dataDir,
    user: loginName(),
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
