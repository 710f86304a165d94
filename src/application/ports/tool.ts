import type { PlanId } from '../../domain/ids.ts'
import type { Tool } from '../../domain/tool.ts'

export interface Tools {
  list(): readonly Tool[]
  find(name: string): Tool | null
}

/** Files that a plan's steps left, e.g. the whole output of a command. */
export interface Outputs {
  list(planId: PlanId): Promise<readonly OutputFile[]>
}

export interface OutputFile {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly path: string
}
