/** Options of otherwise harmless programs whose value is a command that the program runs. */
import type { ShellWord } from './command-line.ts'

interface RunningOptions {
  /** Long ones, which may be cut short down to `least` characters. */
  readonly long: readonly string[]
  /** Short ones, whose value is the next word or glued to them. */
  readonly short: readonly string[]
  /** A short one takes its value only glued: without it, the program chooses what to run. */
  readonly gluedOnly?: true
}

const options: Readonly<Record<string, RunningOptions>> = {
  sort: { long: ['--compress-program'], short: [] },
  'git grep': { long: ['--open-files-in-pager'], short: ['-O'], gluedOnly: true },
}

export interface OptionCommand {
  /** Null: it is known only when it runs, or to the program alone. */
  readonly command: ShellWord | null
}

/** What the words after a program's name make it run. */
export function commandsInOptions(program: string, words: readonly ShellWord[]): OptionCommand[] {
  const known = options[program]
  if (!known) return []
  const found: OptionCommand[] = []
  for (const [at, word] of words.entries()) {
    if (word.value === '--') break
    const name = word.value.replace(/=.*$/s, '')
    if (name.startsWith('--') && known.long.some(option => isCutFrom(name, option))) {
      const isGlued = word.value.includes('=')
      const next = known.gluedOnly ? null : (words[at + 1] ?? null)
      found.push({ command: isGlued ? { ...word, value: word.value.slice(name.length + 1) } : next })
    }
    const short = known.short.find(option => clusterHolds(word.value, option))
    if (short === undefined) continue
    const value = word.value.slice(word.value.indexOf(short.charAt(1)) + 1)
    found.push({ command: value === '' ? null : { ...word, value } })
  }
  return found
}

/** `--compress-p` is `--compress-program` to most programs. */
function isCutFrom(name: string, option: string): boolean {
  return name.length > 3 && option.startsWith(name)
}

function clusterHolds(value: string, option: string): boolean {
  // Behind e and f stand patterns and files of their own.
  return new RegExp(`^-[^-ef]*${option.charAt(1)}`).test(value)
}
