import type { ProfileView } from '../../src/a2a/protocol/views.ts'
import { pageInside } from '../layout.ts'
import { type Look, linesFrom, wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { allProfiles } from './new-plan-rows.ts'
import { TextPage } from './page.tsx'
import { thresholdCell, thresholdWord } from './profile-words.ts'
import type { ViewProps } from './view.ts'

type Props = ViewProps & { readonly cursor: number; readonly top: number }

/** Which steps ask under which profile; below, what the chosen profile means. */
export function ProfilesView({ situation, shelves, look, cursor, top }: Props) {
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const profiles = allProfiles(shelves)
  const fetched = shelves.profiles.peek('all')
  const chosen = profiles[cursor]
  const rows: Segment[][] =
    chosen === undefined
      ? [
          [],
          ...wrapped(
            fetched?.kind === 'failed' ? fetched.message : 'Loading the profiles',
            width - 2,
            'muted',
            1,
          ),
        ]
      : [...table(look, profiles, cursor, width), [], ...meaning(chosen, width)]
  const first = Math.max(0, Math.min(top, rows.length - height))
  return (
    <TextPage
      look={look}
      size={size}
      title="Automation profiles: when does it ask?"
      lines={linesFrom(look, rows, { top: first, width, height })}
    />
  )
}

/** As many profiles side by side as fit, the chosen one among them. */
function table(look: Look, profiles: readonly ProfileView[], cursor: number, width: number): Segment[][] {
  const flags = profiles[0]?.thresholds ?? []
  const whatWidth = Math.max(...flags.map(each => each.what.length), 10) + 3
  const cellWidth = Math.max(8, ...profiles.map(profile => profile.name.length + 2))
  const fit = Math.max(1, Math.floor((width - whatWidth) / cellWidth))
  const first = Math.max(0, Math.min(cursor - Math.floor(fit / 2), profiles.length - fit))
  const shown = profiles.slice(first, first + fit)
  const cell = (text: string, profile: ProfileView, tone: Segment['tone'] & string): Segment =>
    profile === profiles[cursor]
      ? { text: text.padEnd(cellWidth), tone, on: 'selection' }
      : { text: text.padEnd(cellWidth), tone }
  return [
    [
      { text: moreWord(first, profiles.length, shown.length, look).padEnd(whatWidth), tone: 'muted' },
      ...shown.map(profile => cell(` ${profile.name}`, profile, 'heading')),
    ],
    ...flags.map((flag, row): Segment[] => [
      { text: ` ${flag.what}`.padEnd(whatWidth), tone: 'text' },
      ...shown.map(profile => {
        const threshold = profile.thresholds[row]?.threshold ?? 0
        return cell(` ${thresholdCell(threshold)}`, profile, threshold <= 0 ? 'muted' : 'waiting')
      }),
    ]),
  ]
}

function moreWord(first: number, count: number, shown: number, look: Look): string {
  if (shown >= count) return ''
  const [left, right] = look.charset === 'ascii' ? ['left', 'right'] : ['←', '→']
  return ` ${first + 1} to ${first + shown} of ${count}  ${left} ${right}`
}

function meaning(profile: ProfileView, width: number): Segment[][] {
  const safety = Object.entries(profile.safety).map(
    ([name, value]) => `${name.replaceAll('_', ' ')}: ${valueWord(value)}`,
  )
  return [
    [
      { text: ` ${profile.name}`, tone: 'heading' },
      { text: profile.built_in ? '  built in' : '  yours', tone: 'muted' },
    ],
    ...wrapped(profile.description, width - 2, 'text', 1),
    ...wrapped(safety.join(', '), width - 2, 'muted', 1),
    ...wrapped(
      profile.thresholds
        .filter(each => each.threshold > 0 && each.threshold < 1)
        .map(each => `${each.what}: ${thresholdWord(each.threshold)}`)
        .join('; '),
      width - 2,
      'muted',
      1,
    ),
  ]
}

function valueWord(value: unknown): string {
  if (value === null) return 'no limit'
  if (Array.isArray(value)) return value.length === 0 ? 'all' : value.join(' ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
