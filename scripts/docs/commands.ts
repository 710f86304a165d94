import type { ArgumentRow, CommandRow, FlagRow } from '../../src/cli/command-row.ts'
import { commands } from '../../src/cli/commands.ts'
import { globalFlags } from '../../src/cli/global-flags.ts'
import { exitCodeTable } from './exit-codes.ts'

export function commandsReference(): string {
  const available = commands.filter(row => row.load !== 'later')
  const later = commands.filter(row => row.load === 'later')
  return [
    intro,
    flagTable(globalFlags),
    '',
    '## Exit codes',
    '',
    exitCodeTable(),
    '',
    ...available.flatMap(section),
    '## Not available yet',
    '',
    'These have their place and answer that they are not available yet (exit code 1).',
    '',
    ...later.map(row => `- \`agents ${row.words}\`: ${row.summary}`),
    '',
  ].join('\n')
}

const intro = `# Commands

Made from the table in \`src/cli/commands.ts\` by \`npm run docs\`; edit the table, not this file.

\`agents\` without a command opens the screen on the current folder.
Plans, gates and decisions are named by their id, by an unambiguous beginning of it, by its last six or more characters, or as \`@latest\`; plans by their name too, decisions also by number: \`PLAN#12\`.

With \`--format json\` or \`yaml\`, stdout is one record and nothing else: \`{command, status, exit_code, data, error?, messages, timing}\`. Progress and warnings go to stderr in every format.

## Options of every command
`

function section(row: CommandRow): string[] {
  const calls = row.methods.map(method => `\`${method}\``).join(', ')
  return [
    `## agents ${row.words}`,
    '',
    `${sentence(row.summary)}${calls === '' ? '' : ` Calls ${calls}.`}`,
    '',
    '```',
    usageOf(row),
    '```',
    '',
    ...table(row),
    `Example: \`${row.example}\``,
    '',
  ]
}

function usageOf({ words, arguments: places, flags }: CommandRow): string {
  return ['agents', words, ...places.map(placeUsage), ...flags.map(flagUsage)].join(' ')
}

function placeUsage({ name, how }: ArgumentRow): string {
  const word = name.toUpperCase()
  return { required: word, optional: `[${word}]`, 'any number': `[${word}...]` }[how]
}

function flagUsage({ name, value, how }: FlagRow): string {
  const text = value === null ? `--${name}` : `--${name} ${value}`
  return { required: text, optional: `[${text}]`, repeatable: `[${text}]...` }[how]
}

function table(row: CommandRow): string[] {
  if (row.arguments.length + row.flags.length === 0) return []
  const places = row.arguments.map(({ name, what }) => `| \`${name.toUpperCase()}\` | ${what} |`)
  return ['| | |', '|---|---|', ...places, ...row.flags.map(flagLine), '']
}

function flagTable(flags: readonly FlagRow[]): string {
  return ['| option | meaning |', '|---|---|', ...flags.map(flagLine)].join('\n')
}

function flagLine({ name, short, value, what }: FlagRow): string {
  const head = short ? `-${short}, --${name}` : `--${name}`
  const form = value === null ? head : `${head} ${value}`
  return `| \`${form.replaceAll('|', '\\|')}\` | ${what} |`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
