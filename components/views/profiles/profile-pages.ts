import type { CalibrationView } from '../../../src/a2a/protocol/views/calibration.ts'
import type { PlanView } from '../../../src/a2a/protocol/views/plan.ts'
import type { PlanProfileView, ProfileView } from '../../../src/a2a/protocol/views/profile.ts'
import type { Model } from '../../../stores/model.ts'
import type { Fetched } from '../../../stores/shelf.ts'
import type { Shelves } from '../../../stores/shelves.ts'
import type { ProfilesDialog } from '../../dialogs.ts'
import { wrapped } from '../../look.ts'
import type { Segment } from '../../parts/format-line.ts'
import { waitRows } from '../../parts/wait-rows.ts'
import { oneLine, scoreWord, typeWord } from '../../words.ts'
import { allProfiles } from '../new-plan-rows.ts'
import type { ViewProps } from '../view.ts'
import { waitsKey, waitsOf } from '../waits-question.ts'
import { guardRows } from './guard-rows.ts'
import { cellRows, tableRows } from './profile-table.ts'
import { sourceWord, thresholdWord } from './profile-words.ts'
import { absent, fieldRows, valueRows } from './value-rows.ts'

type Rows = Segment[][]

/** All rows of the open page. */
export function pageRows(
  props: ViewProps,
  dialog: ProfilesDialog,
  { width, height }: { readonly width: number; readonly height: number },
): Rows {
  const { situation, shelves, look } = props
  const { model } = situation
  const profiles = knownProfiles(shelves, dialog)
  const column = chosenColumn(model, shelves, dialog)
  const chosen = profiles[column]
  const plan = model.plans.byId.get(dialog.planId ?? '')
  if (!chosen) return absent(shelves.profiles.peek('all'), 'Loading the profiles', width)
  switch (dialog.page) {
    case 'table': {
      const table = [
        ...tableRows(look, profiles, { column, row: dialog.row }, width),
        [],
        ...cellRows(chosen, dialog.row, width),
      ]
      // Where there is room for at least its name and what it is, the chosen profile stands below.
      return table.length + 4 > height ? table : [...table, [], ...profileRows(chosen, width)]
    }
    case 'profile':
      return profileRows(chosen, width)
    case 'plan':
      return plan ? planPage(plan, props, width) : noPlanRows(width)
    case 'calibration':
      return calibrationRows(shelves.calibration.peek('all'), width)
    case 'waits': {
      if (!plan) return noPlanRows(width)
      const fetched = shelves.waits.peek(waitsKey(waitsOf(plan, chosen.name)))
      const head = `If a plan of ${plan.action} began under ${chosen.name} in ${plan.project.name}:`
      return [
        ...wrapped(head, width - 2, 'heading', 1),
        [],
        ...(fetched?.kind === 'ready'
          ? waitRows(look, fetched.value, width - 1)
          : absent(fetched, 'Asking what would wait', width)),
      ]
    }
  }
}

/** Which column is chosen: the plan's own until a person moves. A profile that is gone leaves the first. */
export function chosenColumn(
  model: Model,
  shelves: Shelves,
  dialog: Pick<ProfilesDialog, 'name' | 'planId'>,
): number {
  const wanted = dialog.name ?? model.plans.byId.get(dialog.planId ?? '')?.profile.name
  return Math.max(
    0,
    knownProfiles(shelves, dialog).findIndex(profile => profile.name === wanted),
  )
}

/** The profiles there are and, where the plan's own is none of them (any more), that one too. */
export function knownProfiles(
  shelves: Shelves,
  { planId }: Pick<ProfilesDialog, 'planId'>,
): readonly ProfileView[] {
  const all = allProfiles(shelves)
  const fetched = shelves.planProfiles.peek(planId ?? '')
  const own = fetched?.kind === 'ready' ? fetched.value.profile : null
  return own === null || all.length === 0 || all.some(({ name }) => name === own.name) ? all : [...all, own]
}

/** What a profile says beyond the table. */
function profileRows(profile: ProfileView, width: number): Rows {
  const children = Object.entries(profile.child_thresholds)
  return [
    [
      { text: ` ${oneLine(profile.name)}`, tone: 'heading' },
      { text: profile.built_in ? '  built in' : '  yours', tone: 'muted' },
    ],
    ...wrapped(profile.description, width - 2, 'text', 1),
    [],
    [{ text: ' Safety, whatever the confidence', tone: 'heading' }],
    ...Object.entries(profile.safety).flatMap(([field, value]) => fieldRows({ field, value }, width)),
    [],
    [{ text: ' Guards, which ask first', tone: 'heading' }],
    ...(profile.guards === null
      ? [[{ text: '   none', tone: 'muted' as const }]]
      : Object.entries(profile.guards).flatMap(([field, value]) => fieldRows({ field, value }, width))),
    ...(children.length === 0
      ? []
      : [
          [],
          [{ text: ' For child plans instead', tone: 'heading' as const }],
          ...children.map(([flag, threshold]): Segment[] => [
            { text: `   ${whatOf(profile, flag)}: `, tone: 'text' },
            { text: thresholdWord(threshold), tone: 'muted' },
          ]),
        ]),
  ]
}

function planPage(plan: PlanView, { shelves, look }: ViewProps, width: number): Rows {
  const fetched = shelves.planProfiles.peek(plan.plan_id)
  const head = wrapped(oneLine(plan.name), width - 2, 'heading', 1)
  if (fetched?.kind !== 'ready') return [...head, ...absent(fetched, 'Loading what holds for it', width)]
  const { profile, source } = fetched.value
  const origin =
    source === 'parent'
      ? `runs under ${profile.name}, as the plan above it does`
      : `runs under ${profile.name}, named by ${sourceWord(source)}`
  return [
    ...head,
    ...wrapped(origin, width - 2, 'text', 1),
    [],
    [{ text: ' When it asks', tone: 'heading' }],
    ...profile.thresholds.flatMap(({ flag, what, threshold }) =>
      valueRows(what, thresholdWord(threshold), sourceOf(fetched.value, flag), width),
    ),
    [],
    [{ text: ' Safety, whatever the confidence', tone: 'heading' }],
    ...Object.entries(profile.safety).flatMap(([field, value]) =>
      fieldRows({ field, value, source: sourceOf(fetched.value, `safety.${field}`) }, width),
    ),
    [],
    ...guardRows(look, plan, { fetched: shelves.planGuards.peek(plan.plan_id), width }),
  ]
}

function sourceOf({ sources }: PlanProfileView, name: string): string {
  return sourceWord(sources[name])
}

function whatOf({ thresholds }: ProfileView, flag: string): string {
  return thresholds.find(each => each.flag === flag)?.what ?? flag
}

const bandHead = [' decision'.padEnd(18), 'stated'.padEnd(13), 'passed'.padEnd(8), 'corrected later'].join('')

/** What actors stated, held against what became of it. A suggestion changes nothing by itself. */
function calibrationRows(fetched: Fetched<{ bands: CalibrationView[] }> | undefined, width: number): Rows {
  if (fetched?.kind !== 'ready') return absent(fetched, 'Loading the calibration', width)
  const { bands } = fetched.value
  if (bands.length === 0)
    return [[], ...wrapped('Nothing has passed at a stated confidence yet.', width - 2, 'muted', 1)]
  return [
    ...wrapped(
      'How often decisions that passed at a stated confidence were corrected later.',
      width - 2,
      'text',
      1,
    ),
    [],
    [{ text: bandHead, tone: 'muted' }],
    ...bands.flatMap(
      ({ type, from, to, passed, corrected, suggestion }): Rows => [
        [
          { text: ` ${typeWord(type)}`.padEnd(18), tone: 'text' },
          { text: `${scoreWord(from)} to ${scoreWord(to)}`.padEnd(13), tone: 'text' },
          { text: String(passed).padEnd(8), tone: 'muted' },
          { text: `${corrected} of ${passed}`, tone: corrected > 0 ? 'waiting' : 'muted' },
        ],
        ...(suggestion === null ? [] : wrapped(suggestion, width - 2, 'warning', 3)),
      ],
    ),
  ]
}

function noPlanRows(width: number): Rows {
  return [
    [],
    ...wrapped('No plan is selected: go back, choose one, and open this again.', width - 2, 'muted', 1),
  ]
}
