import type {
  GatePreviewView,
  PlanProfileView,
  ProfilePreviewView,
  ProfileView,
} from '../../a2a/protocol/views/profile.ts'
import { section } from './explain.ts'
import { guardFieldsLines } from './guard.ts'
import type { Paper } from './paper.ts'
import { tableLines } from './table.ts'

/** The built-in ones side by side; those of the user, whose names may be long, below each other. */
export function profilesLines(
  { profiles }: { readonly profiles: readonly ProfileView[] },
  paper: Paper,
): string[] {
  const builtIn = profiles.filter(profile => profile.built_in)
  const rows = (builtIn[0]?.thresholds ?? []).map(({ flag, gate }, at) => [
    gate,
    flag,
    ...builtIn.map(profile => numberText(profile.thresholds[at]?.threshold ?? 1)),
  ])
  const head = ['GATE', 'FLAG', ...builtIn.map(({ name }) => name)]
  return [
    ...tableLines({ head, rows, flexible: 1, empty: 'No profiles.' }, paper),
    '0.0 passes by itself, 1.0 always asks, between them the confidence decides.',
    ...ownProfilesLines(
      profiles.filter(profile => !profile.built_in),
      paper,
    ),
  ]
}

function ownProfilesLines(profiles: readonly ProfileView[], paper: Paper): string[] {
  if (profiles.length === 0) return []
  const rows = profiles.map(({ name, thresholds, description }) => {
    const count = (has: (threshold: number) => boolean) =>
      String(thresholds.filter(({ threshold }) => has(threshold)).length)
    return [
      name,
      count(threshold => threshold >= 1),
      count(threshold => threshold > 0 && threshold < 1),
      count(threshold => threshold <= 0),
      description,
    ]
  })
  const head = ['YOUR PROFILE', 'ASKS', 'BY CONFIDENCE', 'PASSES', 'WHAT IT IS FOR']
  return ['', ...tableLines({ head, rows, flexible: 4, empty: '' }, paper)]
}

export function profileLines(profile: ProfileView, paper: Paper): string[] {
  return [...describe(profile, null, paper), ...ownGuardLines(profile, paper), ...childLines(profile, paper)]
}

export function registeredProfileLines(
  { profile }: { readonly profile: ProfileView },
  paper: Paper,
): string[] {
  return profileLines(profile, paper)
}

export function planProfileLines(
  { profile, source, sources, guards }: PlanProfileView,
  paper: Paper,
): string[] {
  return [
    ...describe(profile, sources, paper),
    ...section('Guards', guardFieldsLines(guards, paper), paper),
    ...childLines(profile, paper),
    `  ${chosenBy(source)}`,
  ]
}

/** Where a plan shows it, each field names who made it what it is. */
function describe(profile: ProfileView, sources: PlanProfileView['sources'] | null, paper: Paper): string[] {
  const from = (field: string) => (sources === null ? [] : [sources[field] ?? ''])
  const rows = profile.thresholds.map(({ flag, gate, what, threshold }) => [
    numberText(threshold),
    gate,
    flag,
    what,
    ...from(flag),
  ])
  const head = ['THRESHOLD', 'GATE', 'FLAG', 'MAY IT', ...(sources === null ? [] : ['FROM'])]
  const safety = Object.entries(profile.safety).map(([name, value]) =>
    [fieldText(name, value), ...from(`safety.${name}`).map(by => `(${by})`)].join(' '),
  )
  return [
    [paper.paint('strong', profile.name), profile.description].filter(Boolean).join('  '),
    ...tableLines({ head, rows, flexible: 3, empty: 'No thresholds.' }, paper),
    ...section('Safety', safety, paper),
  ]
}

function ownGuardLines({ guards }: ProfileView, paper: Paper): string[] {
  const fields = Object.entries(guards ?? {})
  return section(
    'Guards',
    fields.map(([name, value]) => fieldText(name, value)),
    paper,
  )
}

function childLines({ child_thresholds }: ProfileView, paper: Paper): string[] {
  const thresholds = Object.entries(child_thresholds)
  return section(
    'Its child plans have',
    thresholds.map(([flag, threshold]) => `${flag}: ${numberText(threshold)}`),
    paper,
  )
}

function fieldText(name: string, value: unknown): string {
  return `${name}: ${JSON.stringify(value)}`
}

export function deletedProfileLines(
  {
    name,
    named_by,
    revoked_grants,
  }: {
    readonly name: string
    readonly named_by: readonly string[]
    readonly revoked_grants: number
  },
  paper: Paper,
): string[] {
  return [
    `Deleted ${paper.paint('strong', name)}. Plans that have it keep it.`,
    ...(revoked_grants > 0 ? [`${revoked_grants} approvals for all plans of this profile have ended.`] : []),
    ...section('Still named by', named_by, paper),
  ]
}

export function previewLines(preview: ProfilePreviewView, paper: Paper): string[] {
  const rows = preview.gates.map(each => [answerText(each), each.gate, each.flag, each.what])
  return [
    `${paper.paint('strong', preview.action)} under ${preview.profile.name} (${chosenBy(preview.source)})`,
    ...tableLines(
      { head: ['WAITS FOR YOU', 'GATE', 'FLAG', 'BEFORE IT MAY'], rows, flexible: 3, empty: '' },
      paper,
    ),
    ...section('Besides', preview.also, paper),
  ]
}

function answerText({ asks, reached, threshold }: GatePreviewView): string {
  if (reached === 'never') return 'not reached'
  const after = reached === 'on_failure' ? ', after a failure' : ''
  if (asks === 'never') return 'no'
  return asks === 'always' ? `yes${after}` : `below ${numberText(threshold)}${after}`
}

/** Sentences for whoever starts a plan that nobody watches; empty when nothing waits. */
export function waitTexts({ gates, also, profile, source }: ProfilePreviewView): string[] {
  const named = (asks: GatePreviewView['asks']) =>
    gates
      .filter(gate => gate.asks === asks && gate.reached === 'on_the_way')
      .map(({ what, flag }) => `${what} (${flag})`)
  const always = named('always')
  const below = named('below')
  const texts = [
    ...(always.length > 0 ? [`waits for a person to: ${always.join(', ')}`] : []),
    ...(below.length > 0 ? [`where it is not sure enough also to: ${below.join(', ')}`] : []),
    ...also,
  ]
  if (texts.length === 0) return []
  return [`Under ${profile.name} (${chosenBy(source)}) this plan ${texts.join('; ')}.`]
}

function chosenBy(source: string): string {
  const words: Readonly<Record<string, string>> = {
    parent: 'from the plan that started it',
    plan: 'chosen for this plan',
    action: 'named by the action',
    project: 'set for this project',
    flag: 'set on the command line',
    environment: 'from CLEVERAGENTS_AUTOMATION_PROFILE',
    global: 'from your settings',
    default: 'as nothing else is named',
  }
  return words[source] ?? source
}

/** 0.0, 0.7, 0.85 */
function numberText(value: number): string {
  return Number.isInteger(value * 10) ? value.toFixed(1) : String(value)
}
