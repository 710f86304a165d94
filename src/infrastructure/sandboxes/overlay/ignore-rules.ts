import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import { joinNul, splitNul } from '../store/nul-list.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { exactLstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { isWhiteout } from './read-upper.ts'

/** Says what of new paths is ignored, by the rules that the plan's own tree holds. */
export interface IgnoreRules {
  ignoredAmong(paths: readonly Buffer[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>>
}

/**
 * Git reads a .gitignore from the upper layer where the plan changed it, and else from an index that has nothing but
 * these files as the plan found them: what the user changes in theirs meanwhile does not count.
 */
export function ignoreRules(store: PrivateStore, upper: string, base: string): IgnoreRules {
  let known: readonly Rule[] | null = null
  let written: string | null = null
  const index = join(store.folder.scratch, '..', 'rules')
  return {
    async ignoredAmong(paths, signal) {
      const rules = known === null ? await rulesOf(store, base, signal) : ok(known)
      if (!rules.ok) return rules
      known = rules.value
      const left = known.filter(rule => !isGone(upper, rule.path))
      const names = left.map(rule => rule.path.toString('latin1')).join('\0')
      if (written !== names) {
        const ready = await writeRules(store, index, left, signal)
        if (!ready.ok) return ready
        written = names
      }
      const args = ['check-ignore', '-z', '--stdin']
      const stdin = joinNul(paths)
      const asked = await store.run({ workTree: upper, index, args, stdin, accept: [1] }, signal)
      return asked.ok ? ok(new Set(splitNul(asked.value).map(path => path.toString('latin1')))) : asked
    },
  }
}

interface Rule {
  readonly path: Buffer
  /** As `update-index --index-info` takes it. */
  readonly line: Buffer
}

async function rulesOf(
  store: PrivateStore,
  base: string,
  signal: AbortSignal,
): Promise<Result<readonly Rule[]>> {
  const listed = await store.run({ args: ['ls-tree', '-r', '-z', '--end-of-options', base] }, signal)
  if (!listed.ok) return listed
  return ok(
    splitNul(listed.value).flatMap(line => {
      const path = line.subarray(line.indexOf(0x09) + 1)
      return /(^|\/)\.gitignore$/.test(path.toString('latin1')) ? [{ path, line }] : []
    }),
  )
}

/** Deleted by the plan, alone or with a folder above it. */
function isGone(upper: string, path: Buffer): boolean {
  const parts = path.toString('latin1').split('/')
  return parts.some((_, at) => {
    const place = under(Buffer.from(upper), Buffer.from(parts.slice(0, at + 1).join('/'), 'latin1'))
    const stat = exactLstatIfThere(place)
    return stat !== undefined && (isWhiteout(stat) || (at < parts.length - 1 && !stat.isDirectory()))
  })
}

async function writeRules(
  store: PrivateStore,
  index: string,
  rules: readonly Rule[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const fresh = `${index}.${process.pid}`
  await rm(fresh, { force: true })
  const steps: [args: string[], stdin: Buffer][] = [
    [['update-index', '-z', '--index-info'], joinNul(rules.map(rule => rule.line))],
    // Git takes such an entry for one that is not in the working folder, and reads the object instead.
    [['update-index', '--skip-worktree', '-z', '--stdin'], joinNul(rules.map(rule => rule.path))],
  ]
  if (rules.length === 0) steps.splice(0, 2, [['read-tree', '--empty'], Buffer.alloc(0)])
  for (const [args, stdin] of steps) {
    const done = await store.run({ index: fresh, args, stdin }, signal)
    if (!done.ok) return done
  }
  await rename(fresh, index)
  return ok()
}
