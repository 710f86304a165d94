/** A tool an actor can request: JSON Schema in and out, and what it does to the world. Begin with `ToolDeclaration`. */
import type { Result } from './failure.ts'
import type { Databases } from './sandbox/database.ts'
import type { RelPath } from './sandbox/rel-path.ts'
import type { MergeReport, MergeSource, SandboxEntry } from './sandbox/strategy.ts'

export interface ToolDeclaration {
  /** Namespaced: `builtin/read_file`. */
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema: Readonly<Record<string, unknown>>
  readonly capability: ToolCapability
}

export interface ToolCapability {
  readonly readOnly: boolean
  readonly writes: boolean
  /** Its writes are covered by sandbox checkpoints. */
  readonly checkpointable: boolean
  /** Effects outside the sandbox, in words; empty when there are none. */
  readonly sideEffects: readonly string[]
  readonly unsafe: boolean
}

/** The one tool that runs programs, and so the one that confinement and the network are asked about. */
export const COMMAND_TOOL = 'builtin/run_command'

/** The category of tools that reach databases. */
export const DATABASES = 'databases'

/** What a safety profile can allow alone: what our own tools do; of others, the namespace that they come from. */
export function categoryOf({ name, capability }: Pick<ToolDeclaration, 'name' | 'capability'>): string {
  const [namespace = '', own = ''] = name.split('/')
  if (namespace !== 'builtin') return namespace
  if (name === COMMAND_TOOL) return 'commands'
  if (own.endsWith('_database')) return DATABASES
  return capability.readOnly ? 'search' : 'edit'
}

export interface Tool extends ToolDeclaration {
  /** Whether a call asks for the network, which a gate must allow; left out by tools that never do. */
  wantsNetwork?(input: Readonly<Record<string, unknown>>): boolean
  /** The files that a call names: it looks at them also where it fails. */
  opens?(input: Readonly<Record<string, unknown>>): readonly RelPath[]
  /** Where a call looks, whether or not anything is there: for tools that search or list. */
  searches?(input: Readonly<Record<string, unknown>>): Searched | null
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Result<ToolOutcome>>
}

export interface ToolContext {
  /** Absolute folder of the sandbox; no path leaves it, through links neither. */
  readonly root: string
  /** For commands: how one gets to the root where it is no ordinary folder. Tools that open files need nothing else. */
  readonly entry: SandboxEntry | null
  /** Absolute folder of the user's project: confined commands see the sandbox at this path. */
  readonly projectRoot: string
  /** `read_only` while a plan strategises: tools that write refuse, commands see the sandbox read-only. */
  readonly access: 'read_write' | 'read_only'
  /** What a gate allowed for this call; where commands cannot be confined, nothing is kept from the network. */
  readonly network: 'none' | 'full'
  /** The plan's databases, which are reached in no other way; null where it has none. */
  readonly databases: Databases | null
  readonly signal: AbortSignal
  /** Whole output of commands is kept below this folder, one file a step. */
  readonly outputFolder: string
  /** A name for this step that is safe in file names. */
  readonly stepName: string
  /** Lays what another plan changed into the sandbox. */
  merge(source: MergeSource): Promise<Result<MergeReport>>
  /** Live output, already decoded; callers coalesce. */
  readonly onOutput: (text: string) => void
}

export interface ToolOutcome {
  /** The value that recipes see and models read. JSON only. */
  readonly output: Readonly<Record<string, unknown>>
  /** One line for people: "replaced 12 in 3 files". */
  readonly summary: string
  /** Paths read, for influence edges; 'unknown' where it cannot be observed (commands). */
  readonly read: readonly RelPath[] | 'unknown'
  /** Paths written; 'unknown' makes the next checkpoint scan. */
  readonly written: readonly RelPath[] | 'unknown'
}

export interface Searched {
  /** Every path that it looks at begins so. */
  readonly prefix: string
  looksAt(path: RelPath): boolean
}
