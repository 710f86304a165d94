import type { InfluenceClaim } from './actor.ts'
import { own, type RecipeState, type Source } from './recipe-state.ts'

/** Which decisions went into a request, from the names its expressions read and the lists it stands in. */
export function influenceClaims(
  state: RecipeState,
  reads: Iterable<string>,
  ownKey: string | null,
): InfluenceClaim[] {
  const claims = [...readClaims(state, reads), ...state.frames.flatMap(frame => frame.because)]
  const others = claims.filter(({ key }) => key !== ownKey)
  return others.filter((claim, index) => index === others.findIndex(other => sameClaim(claim, other)))
}

/** From the names alone. */
export function readClaims(state: RecipeState, reads: Iterable<string>): InfluenceClaim[] {
  return [...reads].flatMap(name =>
    sourcesOf(state, name).flatMap(({ source, reason }) =>
      source.decisions.map(key => ({ key, why: `${reason} ${key}` })),
    ),
  )
}

/** Where a value comes from that was computed here from these names. */
export function sourceOfReads(state: RecipeState, reads: Iterable<string>): Source {
  const sources = [...reads].flatMap(name => sourcesOf(state, name).map(({ source }) => source))
  return mergeSources(sources)
}

/** Where a tool's result comes from: the decision it runs under, what its input read, and why it runs at all. */
export function sourceOfResult(state: RecipeState, reads: Iterable<string>): Source {
  const under = presentDecision(state)
  const because = state.frames.flatMap(frame => frame.because.map(({ key }) => key))
  return mergeSources([
    { decisions: [...(under === null ? [] : [under]), ...because], project: false },
    sourceOfReads(state, reads),
  ])
}

/** The last decision made in the present list, else in the nearest list around it. */
function presentDecision(state: RecipeState): string | null {
  return state.frames.findLast(frame => frame.lastKey !== null)?.lastKey ?? null
}

function mergeSources(sources: readonly Source[]): Source {
  return {
    decisions: [...new Set(sources.flatMap(source => source.decisions))],
    project: sources.some(source => source.project),
  }
}

interface ReadSource {
  readonly source: Source
  readonly reason: string
}

function sourcesOf(state: RecipeState, name: string): ReadSource[] {
  const [root = '', member] = name.split('.')
  switch (root) {
    case 'project':
      return [{ source: { decisions: [], project: true }, reason: '' }]
    case 'plan':
      return []
    case 'guidance':
      return [{ source: sourceOfGuidance(state), reason: 'reads the guidance given at' }]
    case 'vars':
      return members(state, root, member).map(([key, source]) => ({
        source,
        reason: `reads variable ${key}, set by`,
      }))
    case 'args':
      return members(state, root, member).map(([key, source]) => ({
        source,
        reason: `reads argument ${key}, changed at`,
      }))
    default:
      return [sourceOfName(state, root)]
  }
}

/** One member, or all of them where the expression reads the whole map. */
function members(state: RecipeState, root: string, member: string | undefined): [string, Source][] {
  return Object.entries(state.sources)
    .filter(([key]) => (member === undefined ? key.startsWith(`${root}.`) : key === `${root}.${member}`))
    .map(([key, source]) => [key.slice(root.length + 1), source])
}

function sourceOfName(state: RecipeState, name: string): ReadSource {
  const loop = state.frames.findLast(frame => frame.loop?.name === name)?.loop
  if (loop) return { source: loop.source, reason: `reads ${name} of the loop, taken from` }
  const source = own(state.sources, name) ?? { decisions: [], project: false }
  return { source, reason: `reads result ${name}, produced under` }
}

function sourceOfGuidance(state: RecipeState): Source {
  return { decisions: state.guidance.key === null ? [] : [state.guidance.key], project: false }
}

function sameClaim(a: InfluenceClaim, b: InfluenceClaim): boolean {
  return a.key === b.key && a.why === b.why
}
