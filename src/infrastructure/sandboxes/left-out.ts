import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { Ignored } from './store/ignored-paths.ts'

/** What a person has to know about a sandbox that was just made from their folder. */
export interface LeftOut {
  /** Operations of git that are not finished: "merge". */
  readonly inProgress?: readonly string[]
  readonly repositories?: readonly Buffer[]
  readonly unreadable?: readonly Buffer[]
  /** Pipes, sockets and devices. */
  readonly specials?: readonly Buffer[]
  readonly ignored?: Pick<Ignored, 'omitted' | 'links'>
  /** What to do about dependency folders that are links. */
  readonly remedy?: string
  readonly linksBack?: readonly Buffer[]
  /** In the sandbox, and in no state. */
  readonly big?: readonly Buffer[]
  readonly pointers?: readonly Buffer[]
  readonly databases?: readonly Buffer[]
  readonly tornDatabases?: readonly Buffer[]
  /** Part of no state, and in the sandbox of a child as they were in its parent's. */
  readonly inherited?: readonly Buffer[]
  /** Environments that name the parent's sandbox in their programs. */
  readonly bound?: readonly Buffer[]
}

/** A line a subject, with what can be done about it; nothing where all is as everybody expects. */
export function leftOutNotices(found: LeftOut): string[] {
  return [
    ...listed("Brought along from the parent plan's sandbox", found.inherited),
    ...(found.inProgress ?? []).map(operation => `A ${operation} is in progress in the project.`),
    ...listed(
      'Repositories inside the project are left out',
      found.repositories,
      'Each can have a plan of its own.',
    ),
    ...listed('Could not be read and are left out', found.unreadable, 'Apply never touches them.'),
    ...listed(
      "Made for the place of the parent plan's sandbox, and left out",
      found.bound,
      'The set-up step or a command makes them anew.',
    ),
    ...listed('Pipes, sockets and devices are left out', found.specials),
    ...listed(
      'Ignored and not in the sandbox',
      found.ignored?.omitted,
      'A file .worktreeinclude can name what is to come along.',
    ),
    ...listed('Links are not brought along', found.ignored?.links, found.remedy),
    ...listed(
      'Links that lead back into the project itself',
      found.linksBack,
      'Writing through them reaches your own files.',
    ),
    ...listed(
      'Too big to be recorded, so copied and in no checkpoint or diff',
      found.big,
      'The setting sandbox.big-file-mb is the limit.',
    ),
    ...listed('Stand for content that Git LFS has not fetched', found.pointers, 'git lfs pull fetches it.'),
    ...listed('Databases in use, copied with what is in their log', found.databases),
    ...listed(
      'Databases in use that could not be copied, and are left out',
      found.tornDatabases,
      'Close them and start the plan anew.',
    ),
  ]
}

const MAX_LISTED = 10

function listed(what: string, paths: readonly Buffer[] = [], hint = ''): string[] {
  if (paths.length === 0) return []
  const names = paths.toSorted(Buffer.compare).slice(0, MAX_LISTED).map(shown)
  const more = paths.length > MAX_LISTED ? ` and ${paths.length - MAX_LISTED} more` : ''
  return [`${what}: ${names.join(', ')}${more}.${hint === '' ? '' : ` ${hint}`}`]
}

const MAX_SHOWN = 240

function shown(path: Buffer): string {
  const isFolder = path.at(-1) === 0x2f
  const parsed = relPathFromBytes(isFolder ? path.subarray(0, -1) : path)
  const name = `${parsed.ok ? parsed.value : path.toString()}${isFolder ? '/' : ''}`
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
}
