/** What a search found, as recipes see it. `matches` may be cut; then `truncated` is set. */
export interface SearchHits {
  readonly paths: readonly string[]
  readonly matches: readonly { readonly path: string }[]
  readonly count: number
  readonly truncated: boolean
}

/** An option of a decision about where to work. */
export interface ScopeOption {
  readonly id: string
  readonly label: string
  readonly rationale: string
  readonly set: { readonly glob: string; readonly exclude: readonly string[] }
}

/**
 * The parts of a project that a change could be kept to, widest first: everything found, all but the tests, the source
 * folders, the top folder with most hits. Only parts that differ and hold something.
 */
export function proposeScopes(hits: SearchHits, glob: string): ScopeOption[] {
  const seen = new Set<string>()
  return scopesFor(hits, glob).flatMap(scope => {
    const paths = hits.paths.filter(scope.holds)
    const content = paths.join('\n')
    if (paths.length === 0 || seen.has(content)) return []
    seen.add(content)
    const label = `${scope.title} (${counts(paths, hits)})`
    return [
      { id: scope.id, label, rationale: scope.rationale, set: { glob: scope.glob, exclude: scope.exclude } },
    ]
  })
}

interface Scope {
  readonly id: string
  readonly title: string
  readonly rationale: string
  readonly glob: string
  readonly exclude: readonly string[]
  holds(path: string): boolean
}

function scopesFor(hits: SearchHits, glob: string): Scope[] {
  const everywhere: Scope = {
    id: 'all',
    title: glob === '**' ? 'Everywhere' : `Everywhere in ${glob}`,
    rationale: 'leaves no match behind',
    glob,
    exclude: [],
    holds: () => true,
  }
  const code: Scope = {
    id: 'no-tests',
    title: 'All but the tests',
    rationale: 'the tests then show whether the change is seen from outside',
    glob,
    exclude: TEST_GLOBS,
    holds: path => !isTest(path),
  }
  return [everywhere, code, ...folderScopes(hits, glob)]
}

/** A folder can be put before a pattern that begins anywhere; other patterns are narrow already. */
function folderScopes(hits: SearchHits, glob: string): Scope[] {
  if (glob !== '**' && !glob.startsWith('**/')) return []
  const folders = [...new Set(hits.paths.map(topFolder).filter(folder => folder !== null))].sort()
  const sources = folders.filter(folder => SOURCE_FOLDERS.includes(folder))
  const filesIn = (folder: string) => hits.paths.filter(path => topFolder(path) === folder).length
  const top = folders.toSorted((a, b) => filesIn(b) - filesIn(a))[0]
  return [
    ...(sources.length > 0 ? [onlyIn('sources', sources, glob, 'the source folders only')] : []),
    ...(top === undefined ? [] : [onlyIn('top', [top], glob, 'the folder with most of the matches')]),
  ]
}

function onlyIn(id: string, folders: readonly string[], glob: string, rationale: string): Scope {
  const names = folders.map(folder => folder.replace(/[\\*?[\](){}!+@|,]/g, '\\$&'))
  const prefix = names.length === 1 ? names[0] : `{${names.join(',')}}`
  return {
    id,
    title: `Only ${folders.join(' and ')}`,
    rationale,
    glob: `${prefix}/${glob}`,
    exclude: [],
    holds: path => folders.includes(topFolder(path) ?? ''),
  }
}

const SOURCE_FOLDERS = ['src', 'lib', 'app', 'source', 'packages']
const TEST_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'specs', 'e2e']
const TEST_GLOBS = [`**/{${TEST_FOLDERS.join(',')}}/**`, '**/{*.test.*,*.spec.*,*_test.*,test_*.*}']

/** The same paths as the globs above. */
function isTest(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  return parts.some(part => TEST_FOLDERS.includes(part)) || /\.(?:test|spec)\.|_test\.|^test_.*\./.test(name)
}

/** Null for files of the root, and for folders whose name is no plain text. */
function topFolder(path: string): string | null {
  const end = path.indexOf('/')
  return end < 0 || path.startsWith('"') ? null : path.slice(0, end)
}

function counts(paths: readonly string[], hits: SearchHits): string {
  const files = plural(paths.length, 'file')
  if (paths.length === hits.paths.length) return `${files}, ${plural(hits.count, 'match', 'matches')}`
  if (hits.truncated) return files
  const inside = new Set(paths)
  const lines = hits.matches.filter(match => inside.has(match.path)).length
  return `${files}, ${plural(lines, 'line')}`
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
