import { choice, type FlagRow, flag } from './command-row.ts'

export const formats = ['rich', 'plain', 'json', 'yaml'] as const
export type Format = (typeof formats)[number]

/** Understood before and after the words of every command. */
export const globalFlags: readonly FlagRow[] = [
  choice('format', formats, 'how to print; rich in a terminal, else plain'),
  { ...flag('directory', 'DIR', 'act as if started in DIR'), short: 'C' },
  flag('data-dir', 'DIR', 'where plans and their history are kept'),
  flag('config-path', 'FILE', 'the configuration file'),
  flag('trust', null, 'trust the folder of a new plan: its own checks may run'),
  flag('yes', null, 'answer the questions of this command with yes'),
  flag('server', 'URL', 'use a backend elsewhere (not available yet)'),
  flag('no-color', null, 'print without colours'),
]
