import type { Resource } from '../../domain/resource.ts'
import type { SandboxStrategyName } from '../../domain/sandbox/strategy.ts'
import type { FolderCommand, TrustStanding } from '../../domain/trust.ts'
import type { FolderFacts, Project } from '../ports/project.ts'

export interface ResourceDetails {
  readonly resource: Resource
  readonly projects: readonly string[]
  readonly strategy: SandboxStrategyName
  readonly protects: readonly string[]
  readonly doesNotProtect: readonly string[]
}

export interface ProjectDetails {
  readonly project: Project
  /** Names of the resources that are linked to it beside its folder. */
  readonly resources: readonly string[]
  readonly facts: FolderFacts
  readonly languages: readonly string[]
  readonly checks: readonly { readonly name: string; readonly command: string; readonly kind: string }[]
  /** What trust in the folder lets run, as it is now. */
  readonly wouldRun: readonly FolderCommand[]
  readonly trust: TrustStanding
  /** What a yes to exactly this list names. */
  readonly trustDigest: string
}
