/**
 * Wraps a command so that it dies with its owner, also when the owner is killed hard. A small watcher in the command's
 * process group waits on a pipe (descriptor 3) whose other end only the owner holds; when it closes, the watcher kills
 * what carries the mark, then the group. It is nobody's child, so no command waits for it by mistake, and it ignores
 * polite signals, so that the group keeps its number until the final one.
 */
export function supervised(argv: readonly string[], mark: string): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', script, 'supervisor', mark, ...argv]
}

/** Set in every process of a command: finds those that left its group, and tells this program that it is one. */
export const markName = 'CLEVERAGENTS_RUN'

const script = `
mark=$1
shift
( (
  trap "" TERM INT HUP QUIT
  read -r _ <&3
  for process in /proc/[0-9]*; do
    if grep -qsF "${markName}=$mark" "$process/environ"; then kill -KILL "\${process#/proc/}"; fi
  done
  kill -KILL -$$
) </dev/null >/dev/null 2>&1 & )
exec env "${markName}=$mark" "$@" 3<&-
`
