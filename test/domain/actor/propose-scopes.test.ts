import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proposeScopes, type SearchHits } from '../../../src/domain/actor/propose-scopes.ts'
import { compileGlob } from '../../../src/infrastructure/files/glob.ts'

function hitsIn(paths: readonly string[], more: Partial<SearchHits> = {}): SearchHits {
  return { paths, matches: paths.map(path => ({ path })), count: paths.length, truncated: false, ...more }
}

function offered(hits: SearchHits, glob = '**'): string[] {
  return proposeScopes(hits, glob).map(
    ({ id, label, set }) => `${id}: ${label} = ${set.glob}${set.exclude.length > 0 ? ' without tests' : ''}`,
  )
}

describe('proposing scopes', () => {
  it('offers every part that differs, with what it holds', () => {
    const hits = hitsIn([
      'README.md',
      'docs/a.md',
      'docs/b.md',
      'docs/c.md',
      'lib/x.ts',
      'src/a.test.ts',
      'src/a.ts',
      'test/a.ts',
    ])
    expect(offered({ ...hits, count: 20 })).toEqual([
      'all: Everywhere (8 files, 20 matches) = **',
      'no-tests: All but the tests (6 files, 6 lines) = ** without tests',
      'sources: Only lib and src (3 files, 3 lines) = {lib,src}/**',
      'top: Only docs (3 files, 3 lines) = docs/**',
    ])
  })

  it('leaves out parts that hold the same as a wider one, or nothing', () => {
    expect(offered(hitsIn(['src/a.ts']))).toEqual(['all: Everywhere (1 file, 1 match) = **'])
    expect(offered(hitsIn(['src/a.ts', 'test/a.ts']))).toEqual([
      'all: Everywhere (2 files, 2 matches) = **',
      'no-tests: All but the tests (1 file, 1 line) = ** without tests',
    ])
    expect(offered(hitsIn(['test/a.ts', 'test/b.ts']))).toEqual(['all: Everywhere (2 files, 2 matches) = **'])
  })

  it('stays within the given pattern', () => {
    const hits = hitsIn(['src/a.ts', 'x/a.ts', 'x/a.test.ts'])
    expect(offered(hits, '**/*.ts').map(line => line.replace(/.* = /, ''))).toEqual([
      '**/*.ts',
      '**/*.ts without tests',
      'src/**/*.ts',
      'x/**/*.ts',
    ])
    expect(offered(hits, '{src,x}/*.ts').map(line => line.replace(/ .* = /, ' '))).toEqual([
      'all: {src,x}/*.ts',
      'no-tests: {src,x}/*.ts without tests',
    ])
  })

  it('does not count lines that were cut off', () => {
    const hits = hitsIn(['src/a.ts', 'x/a.ts'], { count: 5000, truncated: true })
    expect(offered(hits)[1]).toBe('sources: Only src (1 file) = src/**')
  })

  it('offers globs that hold exactly the counted files', () => {
    const part = fc.constantFrom('src', 'test', 'tests', 'contest', 'a(b)', 'x,y', '.dot', 'lib', 'e2e')
    const name = fc.constantFrom(
      'a.ts',
      'a.test.ts',
      'test_a.py',
      'a_test.go',
      'README',
      '.env',
      'spec.md',
      'tests',
    )
    const path = fc
      .tuple(fc.array(part, { maxLength: 3 }), name)
      .map(([parts, last]) => [...parts, last].join('/'))
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('**', '**/*.ts'),
        (paths, glob) => {
          const isFolder = (path: string) => paths.some(other => other.startsWith(`${path}/`))
          const found = paths.filter(path => test(glob)(path) && !isFolder(path))
          for (const { label, set } of proposeScopes(hitsIn(found), glob)) {
            const excluded = set.exclude.map(test)
            const held = found.filter(
              file => test(set.glob)(file) && !excluded.some(matches => matches(file)),
            )
            expect(label).toContain(`(${held.length} file`)
          }
        },
      ),
      { seed: 1 },
    )
  })
})

function test(glob: string): (path: string) => boolean {
  const matches = compileGlob(glob)
  if (!matches.ok) throw new Error(matches.failure.message)
  return path => matches.value(Buffer.from(path))
}
