import { expect, test } from 'vitest'
import { unifiedDiff } from '../../src/domain/unified-diff.ts'

const ten = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`)

test.each([
  ['nothing', ten, ten, ''],
  ['a line', ['a', 'b'], ['a', 'c'], '@@ -1,2 +1,2 @@\n a\n-b\n+c'],
  ['everything', [], ['a'], '@@ -0,0 +1,1 @@\n+a'],
  ['the end', ['a'], [], '@@ -1,1 +0,0 @@\n-a'],
  [
    'two places far apart',
    ten,
    ['new', ...ten.slice(0, 9)],
    '@@ -1,3 +1,4 @@\n+new\n line 1\n line 2\n line 3\n@@ -7,4 +8,3 @@\n line 7\n line 8\n line 9\n-line 10',
  ],
  [
    'two places near each other',
    ten.slice(0, 4),
    ['x', 'line 2', 'line 3', 'y'],
    '@@ -1,4 +1,4 @@\n-line 1\n+x\n line 2\n line 3\n-line 4\n+y',
  ],
])('%s that changed is shown with what is around it', (_what, before, after, hunks) => {
  const diff = unifiedDiff(before.join('\n'), after.join('\n'), 'strategy')
  expect(diff).toBe(hunks === '' ? '' : `--- strategy\n+++ strategy\n${hunks}`)
})
