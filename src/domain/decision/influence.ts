import type { DecisionId, PlanId } from '../ids.ts'
import type { RelPath } from '../sandbox/rel-path.ts'

/** One influence edge: the upstream decision shaped the downstream one. */
export interface Influence {
  readonly upstreamDecisionId: DecisionId
  readonly downstream:
    | { readonly kind: 'decision'; readonly decisionId: DecisionId }
    | { readonly kind: 'plan'; readonly planId: PlanId }
  /** declared: the actor said so. derived: something read was written or set under the upstream decision. */
  readonly origin: 'declared' | 'derived'
  /** e.g. "read src/a.ts, written under #4". */
  readonly why: string
}

/**
 * How the decisions of one plan hang together. They go by their numbers in it, which have no gaps: a preview must not be
 * felt with a hundred thousand of them, and looking up their ids is what would cost.
 */
export interface DecisionWeb {
  /** The number of each one's parent, in order of their own; 0 where it has none. */
  readonly parents: readonly number[]
  readonly edges: readonly {
    readonly upstream: number
    /** A decision, or a child plan. */
    readonly downstream: number | PlanId
    readonly why: string
  }[]
}

/** Who wrote what a step looked at. Only decisions that hold, none of them the step's own. */
export interface Writers {
  /** Of the files that were opened, each with the decision that wrote it last. */
  readonly opened: readonly WrittenPath[]
  /** Of the places that were searched or listed and gave nothing: what was written or deleted there shaped that. */
  readonly searched: readonly WrittenPath[]
  /** Set where a command ran. */
  readonly command: CommandWriters | null
}

export interface WrittenPath {
  readonly path: RelPath
  readonly writer: DecisionId
}

/**
 * Nobody sees what a command reads, so it rests on everything written before it. `last` had such a command itself and
 * rests on all that came before; only what was written since is named beside it, so that edges stay few.
 */
export interface CommandWriters {
  readonly last: DecisionId | null
  readonly since: readonly DecisionId[]
}

export interface Rest {
  readonly on: DecisionId
  readonly why: string
}

/** What work rests on through files, each decision once with its strongest reason. `numberOf` gives its number. */
export function restsThroughFiles(
  { opened, searched, command }: Writers,
  numberOf: (decisionId: DecisionId) => number,
): Rest[] {
  const found = [
    ...[...Map.groupBy(opened, ({ writer }) => writer)].map(([on, files]) => ({
      on,
      why: `read ${pathsOf(files)}, written under #${numberOf(on)}`,
    })),
    ...[...Map.groupBy(searched, ({ writer }) => writer)].map(([on, files]) => ({
      on,
      why: `searched where ${pathsOf(files)} ${files.length === 1 ? 'was' : 'were'} written under #${numberOf(on)}`,
    })),
    ...(command?.last
      ? [{ on: command.last, why: `${COMMAND} was written up to #${numberOf(command.last)}` }]
      : []),
    ...(command?.since ?? []).map(on => ({ on, why: `${COMMAND} #${numberOf(on)} wrote` })),
  ]
  return found.filter(({ on }, index) => index === found.findIndex(each => each.on === on))
}

const COMMAND = 'ran a command, which may read anything that'

function pathsOf(files: readonly WrittenPath[]): string {
  const [first] = files
  const more = files.length - 1
  return `${first?.path ?? ''}${more === 0 ? '' : ` and ${more} more`}`
}
