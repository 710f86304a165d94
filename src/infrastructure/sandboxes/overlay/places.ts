import { basename, join } from 'node:path'
import type { PlanFolder } from '../store/plan-folder.ts'

/** What a sandbox that lies over the user's folder keeps in the plan's folder. */
export interface OverlayPlaces {
  readonly path: string
  /** What the plan changed, as the kernel keeps it. All of it; the user's folder has the rest. */
  readonly upper: string
  /** The kernel's own; it leaves a folder in it that nobody may read. */
  readonly work: string
  /** Where the user's folder stands while it is being mounted. */
  readonly lower: string
  /** Where the sandbox stands for those who entered; for everybody else there is nothing. */
  readonly mount: string
  readonly name: string
  /** What was removed and has no mark in the upper layer. */
  readonly removals: string
  /** The throw-away `.git` that commands see. */
  readonly view: string
  /** Which process holds the mount. */
  readonly holder: string
  /** The way to the mount, a link that leads through that process. */
  readonly root: string
}

export function overlayPlaces({ path, root }: Pick<PlanFolder, 'path' | 'root'>): OverlayPlaces {
  const place = (name: string) => join(path, name)
  return {
    path,
    upper: place('upper'),
    work: place('work'),
    lower: place('lower'),
    mount: place('mount'),
    name: basename(root),
    removals: place('removals.json'),
    view: place('view'),
    holder: place('holder.json'),
    root,
  }
}
