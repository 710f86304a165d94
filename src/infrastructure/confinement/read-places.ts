import { join, normalize } from 'node:path'

/** The paths of the setting `sandbox.home-visible`: `~/lib, work/shared, /srv/sdk`; those without a root are in the home. */
export function readPlaces(text: string, home: string): readonly string[] {
  if (text === 'none') return []
  const names = text.split(',').map(name => name.trim())
  return names.filter(name => name !== '').map(name => pathOf(name, home))
}

function pathOf(name: string, home: string): string {
  const path = name.startsWith('/') ? normalize(name) : join(home, name.replace(/^~(?=\/|$)/, '.'))
  return path.length > 1 ? path.replace(/\/$/, '') : path
}
