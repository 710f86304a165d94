import { type ChangedFile, countChanges, namesOf } from '../sandbox/changeset.ts'
import type { RelPath } from '../sandbox/rel-path.ts'
import type { ActiveInvariant } from './invariant.ts'
import { type InvariantRule, type MeasuredKey, measuredKeys, PATH_KEY, ruleWords } from './rule.ts'

/** A rule that the changes of a plan do not keep. */
export interface BrokenInvariant {
  readonly invariant: ActiveInvariant
  /** The files that break it; for a count, all that were counted. */
  readonly files: readonly RelPath[]
  /** What is wrong, in one sentence without its end. */
  readonly what: string
}

/** Patterns are the surroundings' matter. */
export type MatchesGlob = (glob: string, path: RelPath) => boolean

/** Which of the rules that can be measured a change set breaks. Words alone are for people and actors to keep. */
export function brokenInvariants(
  active: readonly ActiveInvariant[],
  files: readonly ChangedFile[],
  matches: MatchesGlob,
): BrokenInvariant[] {
  return active.flatMap(invariant => {
    const broken = invariant.rule && brokenRule(invariant.rule, files, matches)
    return broken ? [{ invariant, ...broken }] : []
  })
}

/** Whether Apply looks at it at all. */
export function isMeasured({ key, rule }: InvariantRule): boolean {
  return (key === PATH_KEY && rule !== 'allow_path') || (isMeasuredKey(key) && rule !== 'allow')
}

function brokenRule(
  rule: InvariantRule,
  files: readonly ChangedFile[],
  matches: MatchesGlob,
): Omit<BrokenInvariant, 'invariant'> | null {
  if (!isMeasured(rule)) return null
  return isMeasuredKey(rule.key)
    ? brokenCount(rule, rule.key, files)
    : brokenPaths(rule, String(rule.value), files, matches)
}

function isMeasuredKey(key: string): key is MeasuredKey {
  return measuredKeys.some(each => each === key)
}

function brokenPaths(
  rule: InvariantRule,
  glob: string,
  files: readonly ChangedFile[],
  matches: MatchesGlob,
): Omit<BrokenInvariant, 'invariant'> | null {
  const touched = files.flatMap(file => {
    // Something that is gone lies nowhere; a file that was moved away is no longer where it was.
    if (rule.rule === 'forbid_path') return file.status === 'deleted' ? [] : [file.path]
    return namesOf(file)
  })
  const hit = touched.filter(path => matches(glob, path))
  if (hit.length === 0) return null
  const verb = rule.rule === 'forbid_path' ? 'written' : 'changed'
  return { files: hit, what: `${listed(hit)} ${hit.length === 1 ? 'is' : 'are'} ${verb}` }
}

function brokenCount(
  rule: InvariantRule,
  key: MeasuredKey,
  files: readonly ChangedFile[],
): Omit<BrokenInvariant, 'invariant'> | null {
  const count = measure(key, files)
  if (isKept(rule, count)) return null
  const what = `${key.replace('_', ' ')}: ${count}, and the rule is ${ruleWords(rule)}`
  return { files: files.map(({ path }) => path), what }
}

function isKept({ rule, value }: InvariantRule, count: number): boolean {
  const limit = Number(value)
  if (rule === 'max') return count <= limit
  if (rule === 'min') return count >= limit
  return rule === 'equals' ? count === limit : count !== limit
}

function measure(key: MeasuredKey, files: readonly ChangedFile[]): number {
  switch (key) {
    case 'changed_files':
      return files.length
    case 'added_files':
      return files.filter(({ status }) => status === 'added').length
    case 'deleted_files':
      return files.filter(({ status }) => status === 'deleted').length
    case 'added_lines':
      return countChanges(files).additions
    case 'deleted_lines':
      return countChanges(files).deletions
  }
}

const LISTED = 5

function listed(paths: readonly RelPath[]): string {
  const rest = paths.length - LISTED
  return rest > 0 ? `${paths.slice(0, LISTED).join(', ')} and ${rest} more` : paths.join(', ')
}
