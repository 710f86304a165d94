import { expect, test } from 'vitest'
import { indexPatch, patchLine } from '../../stores/patch-index.ts'

const patch = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,2 +1,2 @@ function',
  ' kept',
  '--- a removed line that begins with dashes',
  '+++ an added one',
  '\\ No newline at end of file',
  'diff --git a/b.png b/b.png',
  'Binary files a/b.png and b/b.png differ',
  '',
].join('\n')

test('each line of a patch is known for what it is, and files and hunks are found', () => {
  const index = indexPatch(patch)
  const kinds = Array.from({ length: index.lineCount }, (_, line) => patchLine(index, line).kind)
  expect(kinds).toEqual([
    'header',
    'header',
    'header',
    'hunk',
    'context',
    'removed',
    'added',
    'note',
    'header',
    'header',
  ])
  expect(index.files).toEqual([
    { firstLine: 0, lineCount: 8, hunkLines: [3] },
    { firstLine: 8, lineCount: 2, hunkLines: [] },
  ])
  expect(patchLine(index, 9).text).toBe('Binary files a/b.png and b/b.png differ')
})

test('an empty patch has no lines', () => {
  expect(indexPatch('')).toMatchObject({ lineCount: 0, files: [], longestLine: 0 })
})
