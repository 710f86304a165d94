import { keymap, type Place, placeTitles, type ScreenKey } from '../../components/keymap.ts'
import { keyLabel } from '../../components/keymap-row.ts'
import { markdownTable } from './section.ts'

export function keysReference(): string {
  // All places of the table, by its own keys.
  const places = Object.keys(keymap) as Place[]
  return [intro, ...places.map(section)].join('\n\n').concat('\n')
}

const intro = `# Keys of the screen

Made from the table in \`components/keymap.ts\` by \`npm run docs\`; edit the table, not this file.

\`?\` shows the same list in the screen, and says why a key does nothing at the moment. Keys are not configurable yet.`

function section(place: Place): string {
  const rows = keymap[place].map(row => [keysOf(row), row.label])
  return `## ${placeTitles[place]}\n\n${markdownTable(['key', 'what it does'], rows)}`
}

function keysOf({ keys }: ScreenKey): string {
  const words = keys.length > 4 ? [keys[0] ?? '', keys.at(-1) ?? ''] : keys
  return words.map(key => `\`${keyLabel(key)}\``).join(keys.length > 4 ? ' to ' : ', ')
}
