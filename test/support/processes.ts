import { execFileSync } from 'node:child_process'

export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** A zombie is dead: who started it may be gone, and not every container's first process buries orphans. */
function listProcesses(): ListedProcess[] {
  const rows = execFileSync('ps', ['-e', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return rows.split('\n').flatMap(row => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? []
    return pid === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

export function isAlive(pid: number): boolean {
  return listProcesses().some(each => each.pid === pid)
}

/** Everything below a process, whatever it is. */
export function descendantsOf(pid: number): ListedProcess[] {
  const all = listProcesses()
  const below = (parent: number): ListedProcess[] =>
    all.filter(each => each.parent === parent).flatMap(each => [each, ...below(each.pid)])
  return below(pid)
}
