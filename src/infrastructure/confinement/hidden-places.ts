import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, normalize, relative } from 'node:path'

export interface HiddenRoot {
  /** As people and variables write it: a home may be reached through a link. */
  readonly named: string
  readonly real: string
}

/**
 * Folders that a confined command finds empty, outer ones first: what others left in the temporary folders, the sockets
 * of daemons, and the homes of the people concerned. A home that is part of the system, as that of some service
 * accounts, cannot be hidden.
 */
export function hiddenRoots(homes: readonly string[]): readonly HiddenRoot[] {
  const named = [...TEMPORARY.filter(existsSync), ...homes.filter(isPrivateHome).map(home => normalize(home))]
  const real = named.flatMap(place => realPath(place) ?? [])
  return [...new Set([...named, ...real])]
    .map(place => ({ named: place, real: realPath(place) ?? place }))
    .sort((a, b) => a.real.length - b.real.length)
}

const TEMPORARY = ['/tmp', '/var/tmp', '/run']

function isPrivateHome(home: string): boolean {
  const real = realPath(home)
  if (real === null || !statSync(real).isDirectory()) return false
  return !SYSTEM.some(place => isWithin(real, place) || isWithin(place, real)) && !SHARED.has(real)
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/dev', '/proc', '/sys', '/boot']
const SHARED = new Set(['/var', '/var/lib', '/opt', '/nix', '/srv', '/mnt'])

/** The same place by the real path of the hidden folder it lies in; null where it lies in none. */
export function placeInside(path: string, roots: readonly HiddenRoot[]): string | null {
  const around = roots.findLast(({ named }) => isWithin(path, named))
  return around ? join(around.real, relative(around.named, path)) : null
}

/** Sockets that a process of this machine listens on: a read-only mount keeps nobody from talking to the daemon behind. */
export function listeningSockets(): readonly string[] {
  return [...new Set(readSockets())]
    .filter(isAbsolute)
    .filter(isSocket)
    .flatMap(path => realPath(path) ?? [])
}

/** A line: address, references, protocol, flags, type, state, inode, and the path where there is one. */
function readSockets(): string[] {
  const lines = readText('/proc/net/unix').split('\n').slice(1)
  return lines.flatMap(line => {
    const [, flags, path] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +\d+ (.+)$/.exec(line) ?? []
    return flags === ACCEPTS_CONNECTIONS && path ? [path] : []
  })
}

const ACCEPTS_CONNECTIONS = '00010000'

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A system without this list has no such sockets that could be named.
    return ''
  }
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket()
  } catch {
    return false
  }
}

export function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path)
  return between === '' || (between !== '..' && !between.startsWith('../') && !isAbsolute(between))
}

export function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
