import type { HealthView } from '../../a2a/protocol/views/health.ts'
import type { ProjectView } from '../../a2a/protocol/views/project.ts'
import type { SettingView } from '../../a2a/protocol/views/setting.ts'
import { wrapToWidth } from '../../text/cells.ts'
import { section } from './explain.ts'
import type { Meaning, Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'

export function projectsLines(
  { projects }: { readonly projects: readonly ProjectView[] },
  paper: Paper,
): string[] {
  const rows = projects.map(project => [
    project.name,
    project.trusted ? 'trusted' : 'not trusted',
    project.resource,
    project.root,
  ])
  return tableLines(
    { head: ['PROJECT', 'TRUST', 'RESOURCE', 'FOLDER'], rows, flexible: 3, empty: 'No projects.' },
    paper,
  )
}

export function projectLines(project: ProjectView, paper: Paper): string[] {
  const facts = [
    ['folder', project.root],
    ['resource', project.branch === null ? project.resource : `${project.resource} on ${project.branch}`],
    ['databases', project.resources.join(', ')],
    ['trust', trustWords[project.trust]],
    ['set-up', setUpText(project)],
    ['profile', project.automation_profile],
    ['languages', project.languages.join(', ')],
  ] as const
  return [
    paper.paint('strong', project.name),
    ...factLines(facts, paper),
    ...section('Checks', checkTexts(project), paper),
  ]
}

function setUpText({ set_up }: ProjectView): string | null {
  if (set_up === null) return null
  return `${set_up.command} (${set_up.network ? 'with the network' : 'without the network'})`
}

const trustWords: Readonly<Record<ProjectView['trust'], string>> = {
  trusted: 'what it declares may run',
  unasked: 'what it declares does not run',
  untrusted: 'what it declares does not run',
  changed: 'it would run something else than when it was trusted, so nothing of it runs',
}

/** What trust in the folder lets run, with what is behind each command. */
export function trustTexts({ would_run }: Pick<ProjectView, 'would_run'>): string[] {
  return would_run.map(({ kind, name, command, runs, from, is_new }) => {
    const what = kind === 'set_up' ? `set-up: ${command}` : `${name} (${kind}): ${command}`
    const behind = runs === null || runs === command ? '' : ` → ${runs.split('\n').join(' ⏎ ')}`
    const source = from === null ? '' : `  [${from}]`
    return `${is_new ? 'new since you trusted it: ' : ''}${what}${behind}${source}`
  })
}

function checkTexts({ checks }: Pick<ProjectView, 'checks'>): string[] {
  return checks.map(check => `${check.name} (${check.kind}): ${check.command}`)
}

export function settingsLines(
  { settings }: { readonly settings: readonly SettingView[] },
  paper: Paper,
): string[] {
  const rows = settings.map(({ key, value, source, description }) => [
    key,
    valueText(value),
    source,
    description,
  ])
  return tableLines(
    { head: ['SETTING', 'VALUE', 'FROM', 'WHAT IT IS FOR'], rows, flexible: 3, empty: 'No settings.' },
    paper,
  )
}

export function settingLines(setting: SettingView, paper: Paper): string[] {
  return settingsLines({ settings: [setting] }, paper)
}

export function healthLines({ status, checks }: HealthView, paper: Paper): string[] {
  const lines = checks.flatMap(({ name, status: found, message, remedy }) => {
    const mark = paper.paint(meaningOf[found], found === 'error' ? paper.marks.failed : paper.marks.done)
    const texts = [`${name}: ${message}`, ...(remedy === null ? [] : [remedy])]
    const [first = '', ...rest] = texts.flatMap(text => wrapToWidth(text, paper.columns - INDENT.length))
    return [`${mark} ${found.padEnd(5)}  ${first}`, ...rest.map(line => `${INDENT}${line}`)]
  })
  return [...lines, `${paper.paint(meaningOf[status], status)}`]
}

const INDENT = ' '.repeat(9)

const meaningOf: Readonly<Record<HealthView['checks'][number]['status'], Meaning>> = {
  ok: 'good',
  info: 'muted',
  warn: 'waits',
  error: 'bad',
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
