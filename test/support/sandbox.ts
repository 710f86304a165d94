import { join } from 'node:path'
import type { Result } from '../../src/domain/failure.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import type { RelPath } from '../../src/domain/sandbox/rel-path.ts'
import type {
  ApplyRequest,
  Sandbox,
  SandboxState,
  SandboxStrategy,
  SandboxStrategyName,
} from '../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import { type TestRepository, userEnvironment } from './repository.ts'
import { expectOk } from './result.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const planId = asId<PlanId>('01JZZZZZZZZZZZZZZZZZZZZZZZ')
export const otherPlanId = asId<PlanId>('01JZZZZZZZZZZZZZZZZZZZZZZY')
export const never = new AbortController().signal

/** A strategy with a state folder of its own. */
export async function strategyNamed(
  name: SandboxStrategyName,
  environment: Record<string, string> = userEnvironment(),
): Promise<SandboxStrategy & { stateDir: string }> {
  const stateDir = join(await temporaryFolder(), 'state')
  return { ...strategyAt(stateDir, name, environment), stateDir }
}

/** The same over a state folder that is there already, or for what it declares only. */
export function strategyAt(
  stateDir: string,
  name: SandboxStrategyName,
  environment: Record<string, string> = userEnvironment(),
  bigFileBytes = 100_000_000,
): SandboxStrategy {
  const host = createHost({ pid: process.pid, dataDir: stateDir })
  return expectOk(
    createSandboxes({ stateDir, environment, host, bigFileBytes: () => bigFileBytes }).strategy(name),
  )
}

export function gitWorktreeStrategy(environment: Record<string, string> = userEnvironment()) {
  return strategyNamed('git_worktree', environment)
}

/** A sandbox over the repository as it is now. */
export async function openSandbox(
  repository: TestRepository,
  environment: Record<string, string> = userEnvironment(),
): Promise<Sandbox> {
  return expectOk(await tryToOpen(repository.root, environment))
}

export async function tryToOpen(
  projectRoot: string,
  environment: Record<string, string> = userEnvironment(),
): Promise<Result<Sandbox>> {
  const strategy = await gitWorktreeStrategy(environment)
  return strategy.open({ planId, projectRoot }, never)
}

/** Records whatever is in the sandbox now. */
export async function checkpoint(sandbox: Sandbox): Promise<SandboxState> {
  return expectOk(await sandbox.checkpoint('work', 'unknown'))
}

/** Records the sandbox and brings all of it home. */
export async function applyAll(sandbox: Sandbox) {
  return expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))
}

/** A request for everything that the plan changed up to a state. */
export function all(sandbox: Sandbox, to: SandboxState): ApplyRequest {
  return { from: sandbox.baseline, to, choice: { kind: 'all' } }
}

/** A request for these paths only. */
export function chosen(sandbox: Sandbox, to: SandboxState, only: readonly RelPath[]): ApplyRequest {
  return { from: sandbox.baseline, to, choice: { kind: 'paths', only } }
}
