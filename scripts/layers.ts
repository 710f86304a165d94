/**
 * The check on the directions of imports: which layer may see which, and no cycle while files load.
 * `node scripts/layers.ts [FOLDER]` prints each problem and ends with 1 if there is one.
 */
import { resolve } from 'node:path'
import { findCycles } from './cycles.ts'
import { type Import, importsOf } from './imports.ts'
import { isProduct, productFolders, readSources } from './source-files.ts'

interface Layer {
  /** A folder, or one file. A file belongs to the longest name that fits. */
  readonly name: string
  readonly mayImport: readonly string[]
  /** Left out where any package will do. */
  readonly packages?: readonly string[]
}

const product = [...productFolders]

const layers: readonly Layer[] = [
  {
    name: 'components',
    mayImport: ['components', 'stores', 'themes', 'src/text', 'src/a2a/client', 'src/a2a/protocol'],
  },
  { name: 'stores', mayImport: ['stores', 'src/a2a/client', 'src/a2a/protocol'] },
  { name: 'themes', mayImport: ['themes'] },
  { name: 'src/cli', mayImport: ['src/cli', 'src/text', 'src/a2a/client', 'src/a2a/protocol'] },
  // What becomes of text on a terminal: screen and commands make it safe and measure it with the same functions.
  { name: 'src/text', mayImport: ['src/text'], packages: ['string-width'] },
  { name: 'src/a2a/client', mayImport: ['src/a2a/client', 'src/a2a/protocol'] },
  { name: 'src/a2a/protocol', mayImport: ['src/a2a/protocol'] },
  {
    name: 'src/a2a/server',
    mayImport: ['src/a2a/server', 'src/a2a/protocol', 'src/application', 'src/domain'],
  },
  { name: 'src/application', mayImport: ['src/application', 'src/domain'] },
  { name: 'src/domain', mayImport: ['src/domain'], packages: ['zod'] },
  {
    name: 'src/infrastructure',
    mayImport: ['src/infrastructure', 'src/domain', 'src/application/ports', 'src/application/ports.ts'],
  },
  { name: 'src/compose.ts', mayImport: product },
  { name: 'src/compose-backend.ts', mayImport: product },
  { name: 'src/compose-screen.ts', mayImport: product },
  { name: 'src/main.ts', mayImport: ['src/compose.ts', 'src/cli'] },
  { name: 'src/launch.ts', mayImport: ['src/main.ts'] },
  // No part of the product: they may look at all of it.
  { name: 'test', mayImport: ['test', 'scripts', ...product] },
  { name: 'scripts', mayImport: ['scripts', 'test', ...product] },
]

/** Files that only the named ones may import, whatever their layer allows. */
const doors: Readonly<Record<string, (from: string) => boolean>> = {
  'src/compose.ts': from => from === 'src/main.ts' || !isProduct(from),
  // A chunk of its own: commands that need no backend do not load one.
  'src/compose-backend.ts': from => from === 'src/compose.ts' || !isProduct(from),
  'src/compose-screen.ts': from => from === 'src/compose.ts' || !isProduct(from),
  'src/main.ts': from => from === 'src/launch.ts',
  'src/launch.ts': () => false,
}

if (import.meta.main) reportAndExit(resolve(process.argv[2] ?? '.'))

export interface LayerProblem {
  readonly path: string
  readonly line: number
  readonly message: string
}

export function checkLayers(root: string): LayerProblem[] {
  const files = readSources(root, [...productFolders, 'test', 'scripts'])
  const imports = files.flatMap(importsOf)
  const homeless = files.flatMap(file => problemOfPlace(file.path))
  return [...homeless, ...directionProblems(imports), ...cycleProblems(imports)]
}

export function directionProblems(imports: readonly Import[]): LayerProblem[] {
  return imports.flatMap(each => {
    const message = refusalOf(each)
    return message === null ? [] : [{ path: each.from, line: each.line, message }]
  })
}

function problemOfPlace(path: string): LayerProblem[] {
  if (layerOf(path)) return []
  return [
    {
      path,
      line: 1,
      message: `lies in no layer; the layers are ${layers.map(layer => layer.name).join(', ')}`,
    },
  ]
}

function refusalOf({ from, kind, target }: Import): string | null {
  const layer = layerOf(from)
  if (!layer) return null
  if (target.kind === 'computed') return refusalOfComputed(from, target.text)
  if (target.kind === 'package') return refusalOfPackage(layer, target.name)
  const verb = kind === 'type' ? 'takes a type from' : 'imports'
  const mayEnter = doors[target.path]
  if (mayEnter && !mayEnter(from)) return `${verb} ${target.path}, ${doorRule(target.path)}`
  if (layer.mayImport.some(name => isWithin(target.path, name))) return null
  if (!layer.packages && !layerOf(target.path)) return null
  return `${verb} ${target.path}, but ${layer.name} may import only ${listOf(layer.mayImport)}`
}

function refusalOfComputed(from: string, text: string): string | null {
  if (!isProduct(from)) return null
  return `imports ${text}, which is known only at run time: it can be neither checked nor bundled; write the path out`
}

function refusalOfPackage(layer: Layer, name: string): string | null {
  if (!layer.packages || layer.packages.includes(name)) return null
  return `imports the package ${name}, but of packages ${layer.name} may import only ${listOf(layer.packages)}`
}

function doorRule(path: string): string {
  if (path === 'src/compose.ts') return 'which only src/main.ts may'
  if (path.startsWith('src/compose-')) return 'which only src/compose.ts may'
  return path === 'src/main.ts' ? 'which only src/launch.ts may' : 'which nothing may'
}

function layerOf(path: string): Layer | null {
  const fitting = layers.filter(layer => isWithin(path, layer.name))
  return fitting.sort((a, b) => b.name.length - a.name.length)[0] ?? null
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`)
}

/** What runs later or not at all cannot meet a half-loaded file. */
function cycleProblems(imports: readonly Import[]): LayerProblem[] {
  const values = imports.filter(each => each.kind === 'value')
  return findCycles(values).map(cycle => {
    const first = values.find(
      each => each.from === cycle[0] && each.target.kind === 'file' && each.target.path === cycle[1],
    )
    const message = `loads in a circle: ${cycle.join(' -> ')}; move what they share into a file of its own, or import only the type`
    return { path: cycle[0] ?? '', line: first?.line ?? 1, message }
  })
}

function listOf(names: readonly string[]): string {
  return names.join(', ')
}

function reportAndExit(root: string): void {
  const problems = checkLayers(root)
  for (const { path, line, message } of problems) process.stderr.write(`${path}:${line} ${message}\n`)
  process.stderr.write(
    problems.length === 0 ? 'layers: all imports go the right way\n' : `layers: ${problems.length} wrong\n`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
