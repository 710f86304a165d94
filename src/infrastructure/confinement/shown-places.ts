import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, normalize, resolve } from 'node:path'
import { type HiddenRoot, isWithin, placeInside, realPath } from './hidden-places.ts'
import { systemTools, toolPlaces, toolVariables } from './tool-places.ts'

/** A file or folder laid read-only into a hidden folder. */
export interface ShownPlace {
  /** Real path of what is shown. */
  readonly source: string
  /** Where it is shown. */
  readonly at: string
}

export interface ShownSpec {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What the user named in the settings; taken at their word. */
  readonly chosen: readonly string[]
  readonly hidden: readonly HiddenRoot[]
}

/** What a build needs of the hidden folders: installed tools, caches, whatever PATH leads to, and the user's own list. */
export function shownPlaces(spec: ShownSpec): readonly ShownPlace[] {
  const { home, environment, hidden } = spec
  const path = foldersIn(environment['PATH'])
  const variables = toolVariables.flatMap(name => foldersIn(environment[name]))
  const goPaths = foldersIn(environment['GOPATH']).flatMap(go => [join(go, 'pkg'), join(go, 'bin')])
  const needed = [
    ...systemTools,
    ...toolPlaces(home),
    ...variables,
    ...goPaths,
    ...path.flatMap(entry => runtimeOf(entry)),
  ]
  const shared = sharedFolders(home)
  const found = [
    ...needed.filter(place => !shared.has(normalize(place))).flatMap(place => shown(place, hidden)),
    // A hidden folder as a whole is shown only to who asks for it by name.
    ...spec.chosen.flatMap(place => shown(place, hidden, 'roots too')),
  ]
  return outermost(found)
}

function foldersIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map(folder => normalize(folder).replace(/(?<=.)\/$/, ''))
}

/** Folders in which everybody keeps something: never shown whole because one tool lies there. */
function sharedFolders(home: string): ReadonlySet<string> {
  const below = [
    '.local',
    '.local/share',
    '.local/state',
    '.config',
    '.cache',
    'Documents',
    'Desktop',
    'Downloads',
  ]
  return new Set(below.map(name => join(home, name)))
}

function shown(
  place: string,
  hidden: readonly HiddenRoot[],
  extent: 'roots too' | 'inside only' = 'inside only',
) {
  const real = realPath(place)
  if (real === null) return []
  return [placeInside(place, hidden), placeInside(real, hidden)].flatMap(at =>
    at !== null && isAllowed(at, hidden, extent) && isAllowed(real, hidden, extent)
      ? [{ source: real, at }]
      : [],
  )
}

function isAllowed(
  path: string,
  hidden: readonly HiddenRoot[],
  extent: 'roots too' | 'inside only',
): boolean {
  return !hidden.some(({ real }) => isWithin(real, path) && (extent === 'inside only' || real !== path))
}

function outermost(places: readonly ShownPlace[]): readonly ShownPlace[] {
  const ordered = [...places].sort((a, b) => a.at.length - b.at.length)
  const kept: ShownPlace[] = []
  for (const place of ordered) if (!kept.some(({ at }) => isWithin(place.at, at))) kept.push(place)
  return kept
}

/** A folder of programs, and what these programs are part of. */
function runtimeOf(folder: string): string[] {
  if (SYSTEM_PROGRAMS.has(folder)) return []
  return [folder, ...programPlaces(folder), ...linksIn(folder).flatMap(link => alongLinks(link))]
}

/** What the system installs here never leads into a hidden folder, and it is much. */
const SYSTEM_PROGRAMS = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/games'])

/** The installation around a folder of programs: `~/.nvm/versions/node/v24` for its `bin`. */
function programPlaces(folder: string): string[] {
  const prefix = dirname(folder)
  if (!PROGRAM_FOLDERS.has(basename(folder)) || prefix === '/') return []
  return isInstallation(prefix) ? [prefix] : []
}

const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'shims', 'libexec', 'lib', 'dist'])

/** Tools that have a folder to themselves hide it with a dot, or look like a part of /usr inside. */
function isInstallation(folder: string): boolean {
  if (/\/\.[^/]/.test(folder)) return true
  return ['lib', 'lib64', 'libexec', 'pyvenv.cfg', 'conda-meta'].some(name => existsSync(join(folder, name)))
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, MAX_PROGRAMS)
    return entries.filter(entry => entry.isSymbolicLink()).map(entry => join(folder, entry.name))
  } catch {
    // Not there or not readable: then nothing is found through it either.
    return []
  }
}

const MAX_PROGRAMS = 2000

/** Every file that a program's link passes on its way, each with its installation. */
function alongLinks(link: string): string[] {
  const places: string[] = []
  let at = link
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const target = targetOf(at)
    if (target === null) break
    at = target
    places.push(at, ...programPlaces(dirname(at)))
  }
  const real = realPath(link)
  return real === null ? places : [...places, real, ...programPlaces(dirname(real))]
}

const MAX_HOPS = 16

function targetOf(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : null
  } catch {
    return null
  }
}
