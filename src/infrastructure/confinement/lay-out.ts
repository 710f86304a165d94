import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type HiddenRoot, hiddenRoots, isWithin, listeningSockets, realPath } from './hidden-places.ts'
import { secretPlaces } from './secret-places.ts'
import { type ShownPlace, shownPlaces } from './shown-places.ts'

export interface LayoutSpec {
  /** Of the user whose command runs. */
  readonly home: string
  /** Other homes to hide; nothing in them is shown. */
  readonly otherHomes: readonly string[]
  /** Files and folders that the user named in the settings. */
  readonly chosen: readonly string[]
  /** Our own data and settings. */
  readonly own: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** An empty file to lay over secrets; a device would be refused by mounts that permit none. */
  readonly emptyFile: string
}

/** Mounts that empty the private places, lay into them what a build needs, and cover what is secret even then. */
export function layOut(spec: LayoutSpec): readonly string[] {
  const hidden = hiddenRoots([spec.home, ...spec.otherHomes])
  const shown = shownPlaces({ ...spec, hidden }).filter(
    ({ source }) => !spec.otherHomes.some(home => isWithin(source, home)),
  )
  return [...new Set(hidden.map(({ real }) => real))]
    .flatMap(real => ['--tmpfs', real])
    .concat(
      shown.flatMap(({ source, at }) => ['--ro-bind', source, at]),
      covers(spec, hidden, shown),
    )
}

function covers(spec: LayoutSpec, hidden: readonly HiddenRoot[], shown: readonly ShownPlace[]): string[] {
  const chosen = new Set(spec.chosen.flatMap(place => realPath(place) ?? []))
  const secrets = secretPlaces(spec.home).flatMap(place => realPath(place) ?? [])
  const own = spec.own.flatMap(place => realPath(place) ?? [])
  const covered = new Set([...secrets.filter(path => !chosen.has(path)), ...own, ...listeningSockets()])
  return [...covered].flatMap(path => {
    const kind = statSync(path).isDirectory() ? ['--tmpfs'] : ['--ro-bind', spec.emptyFile]
    return [...whereSeen(path, hidden, shown)].flatMap(at => [...kind, at])
  })
}

/** A file can be seen at more than one place: at its own, and wherever a folder around it was laid. */
function whereSeen(path: string, hidden: readonly HiddenRoot[], shown: readonly ShownPlace[]): Set<string> {
  const isHidden = hidden.some(({ real }) => isWithin(path, real))
  const laid = shown.filter(({ source }) => isWithin(path, source))
  const places = laid.map(({ source, at }) => join(at, relative(source, path)))
  return new Set(isHidden ? places : [path, ...places])
}
