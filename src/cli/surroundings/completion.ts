/** Scripts for shells, made from the table: words after words, flags after dashes. They start no program of ours. */

import type { FlagRow } from '../command-row.ts'
import { commands } from '../commands.ts'
import { globalFlags } from '../global-flags.ts'
import type { Shell } from './shells.ts'

export function completionScript(shell: Shell): string {
  return writers[shell](nodes())
}

/** The words typed so far, and what may come next. */
interface Node {
  readonly words: string
  readonly next: readonly string[]
  readonly flags: readonly string[]
}

const writers: Readonly<Record<Shell, (nodes: readonly Node[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function nodes(): Node[] {
  const available = commands.filter(row => row.load !== 'later')
  const prefixes = available.flatMap(row => {
    const words = row.words.split(' ')
    return words.map((_, at) => words.slice(0, at + 1).join(' '))
  })
  return ['', ...new Set(prefixes)].map(words => {
    const row = available.find(each => each.words === words)
    const below = words === '' ? '' : `${words} `
    const next = available
      .filter(each => each.words.startsWith(below) && each.words !== words)
      .map(each => each.words.slice(below.length).split(' ')[0] ?? '')
    const choices = row?.arguments.flatMap(argument => argument.choices ?? []) ?? []
    return { words, next: [...new Set([...next, ...choices])], flags: flagWords(row?.flags ?? []) }
  })
}

function flagWords(flags: readonly FlagRow[]): string[] {
  return [...flags, ...globalFlags].map(flag => `--${flag.name}`)
}

function bashScript(all: readonly Node[]): string {
  return `# bash completion for agents
_agents() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" skip="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${gatherWord}
  done
  local next="" flags=""
  case "$typed" in
${caseArms(all)}
  esac
  if [[ $current == -* ]]; then next="$flags"; fi
  COMPREPLY=($(compgen -W "$next" -- "$current"))
  [[ -n $next ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _agents agents
`
}

function zshScript(all: readonly Node[]): string {
  return `#compdef agents
_agents() {
  local typed="" skip="" word next="" flags=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
${gatherWord}
  done
  case "$typed" in
${caseArms(all)}
  esac
  if [[ $PREFIX == -* ]]; then next="$flags"; fi
  if [[ -n $next ]]; then compadd -- \${=next}; else _files; fi
}
compdef _agents agents
`
}

/** The value after a flag is no word of a command. */
const gatherWord = `    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
      ${flagsWithValue().join('|')}) skip=1 ;;
      -*) ;;
      *) typed="\${typed:+$typed }$word" ;;
    esac`

function flagsWithValue(): string[] {
  const flags = [...globalFlags, ...commands.flatMap(row => row.flags)].filter(flag => flag.value !== null)
  const names = flags.flatMap(({ name, short }) => (short ? [`-${short}`, `--${name}`] : [`--${name}`]))
  return [...new Set(names)]
}

/** Longer words first: each arm also stands for the arguments typed after it. */
function caseArms(all: readonly Node[]): string {
  const longestFirst = all.toSorted((a, b) => b.words.split(' ').length - a.words.split(' ').length)
  return longestFirst
    .map(({ words, next, flags }) => {
      const pattern = words === '' ? '""' : `"${words}"${next.length === 0 ? `|"${words} "*` : ''}`
      return `    ${pattern}) next="${next.join(' ')}"; flags="${flags.join(' ')}" ;;`
    })
    .join('\n')
}

function fishScript(all: readonly Node[]): string {
  const lines = all.flatMap(({ words, next, flags }) => {
    const after =
      next.length > 0 ? [`complete -c agents -f -n "__agents_at '${words}'" -a "${next.join(' ')}"`] : []
    return [
      ...after,
      ...flags.map(flag => `complete -c agents -n "__agents_in '${words}'" -l ${flag.slice(2)}`),
    ]
  })
  return `# fish completion for agents
function __agents_typed
    set -l skip no
    set -l typed
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case ${flagsWithValue().join(' ')}
                set skip yes
            case '-*'
            case '*'
                set -a typed $word
        end
    end
    echo "$typed"
end
function __agents_at
    test (__agents_typed) = "$argv[1]"
end
function __agents_in
    string match -q -- "$argv[1] *" (__agents_typed)" "
end
${lines.join('\n')}
`
}
