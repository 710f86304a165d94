import type { Import } from './imports.ts'

/** One cycle for each group of files that reach each other, as the list of files on it, the first one repeated at the end. */
export function findCycles(imports: readonly Import[]): string[][] {
  const graph = graphOf(imports)
  return groupsOf(graph).map(group => shortestCycle(graph, group))
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

function graphOf(imports: readonly Import[]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { from, target } of imports) {
    if (target.kind !== 'file') continue
    const targets = graph.get(from) ?? new Set()
    graph.set(from, targets.add(target.path))
  }
  return graph
}

/** Tarjan's strongly connected components, of which those of one file count only when it imports itself. */
function groupsOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []

  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    open.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(file, Math.min(numberOf(lowest, file), numberOf(lowest, next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || graph.get(file)?.has(file)) groups.push(group.sort())
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return groups
}

function numberOf(numbers: ReadonlyMap<string, number>, file: string): number {
  return numbers.get(file) ?? Number.POSITIVE_INFINITY
}

function shortestCycle(graph: Graph, group: readonly string[]): string[] {
  const inGroup = new Set(group)
  const cycles = group.map(start => pathBack(graph, inGroup, start))
  return cycles.reduce((shortest, cycle) => (cycle.length < shortest.length ? cycle : shortest))
}

/** Breadth first from the file until it is met again; inside a group there is always a way. */
function pathBack(graph: Graph, inGroup: ReadonlySet<string>, start: string): string[] {
  const paths: string[][] = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start]
      if (!inGroup.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  throw new Error(`no way back to ${start}`)
}
