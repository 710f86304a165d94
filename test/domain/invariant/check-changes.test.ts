import { expect, it } from 'vitest'
import { brokenInvariants } from '../../../src/domain/invariant/check-changes.ts'
import type { ActiveInvariant } from '../../../src/domain/invariant/invariant.ts'
import { type InvariantRule, readRule } from '../../../src/domain/invariant/rule.ts'
import type { ChangedFile } from '../../../src/domain/sandbox/changeset.ts'
import type { RelPath } from '../../../src/domain/sandbox/rel-path.ts'

function file(path: string, status: ChangedFile['status'], oldPath: string | null = null): ChangedFile {
  const names = { path: path as RelPath, oldPath: oldPath as RelPath | null } // plain names
  return { ...names, status, additions: 3, deletions: 1, binary: false }
}

const changes = [
  file('src/api/new.ts', 'added'),
  file('src/core.ts', 'modified'),
  file('docs/moved.md', 'renamed', 'src/api/old.md'),
  file('src/gone.ts', 'deleted'),
]

function active(rule: InvariantRule | null): ActiveInvariant {
  const source = { kind: 'global' } as const
  return { text: 'It stays', rule, invariantId: null, source, nonOverridable: false, alsoFrom: [], over: [] }
}

const startsWith = (glob: string, path: RelPath) => path.startsWith(glob.replace('**', ''))

it.each([
  ['unchanged', undefined, 'src/api/**', 'src/api/new.ts, src/api/old.md are changed'],
  ['unchanged', undefined, 'test/**', null],
  ['forbid_path', undefined, 'src/api/**', 'src/api/new.ts is written'],
  ['forbid_path', undefined, 'src/gone.ts', null],
  ['allow_path', undefined, 'src/**', null],
  ['max', 'changed_files', 4, null],
  ['max', 'changed_files', 3, 'changed files: 4, and the rule is changed_files max 3'],
  ['min', 'changed_files', 5, 'changed files: 4, and the rule is changed_files min 5'],
  ['equals', 'deleted_files', 0, 'deleted files: 1, and the rule is deleted_files equals 0'],
  ['equals', 'deleted_files', 1, null],
  ['max', 'added_lines', 11, 'added lines: 12, and the rule is added_lines max 11'],
  ['max', 'deleted_lines', 4, null],
  ['forbid', 'added_files', 1, 'added files: 1, and the rule is added_files forbid 1'],
  ['max', 'coverage', 1, null],
])('the rule %s %s %s against a change set says: %s', (rule, key, value, what) => {
  const read = readRule({ rule, key, value })
  if (!read.ok) throw new Error(read.failure.message)
  const broken = brokenInvariants([active(read.value), active(null)], changes, startsWith)
  expect(broken.map(each => each.what)).toEqual(what === null ? [] : [what])
})

it('many files are named by the first five and the number of the rest', () => {
  const many = Array.from({ length: 8 }, (_, at) => file(`src/f${at}.ts`, 'modified'))
  const rule = { key: 'path', rule: 'unchanged', value: 'src/**' } as const
  const [broken] = brokenInvariants([active(rule)], many, startsWith)
  expect(broken?.what).toContain('src/f4.ts and 3 more are changed')
  expect(broken?.files).toHaveLength(8)
})
