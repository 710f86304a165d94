import picomatch from 'picomatch'
import { type Result, refuse } from '../../domain/failure.ts'

/**
 * A test for paths as bytes. `*` and `?` stay within one folder, `**` crosses folders, names that begin with a dot are
 * names like others. Patterns that could only match outside of the sandbox are refused.
 */
export function compileGlob(glob: string): Result<(path: Uint8Array) => boolean> {
  if (glob.startsWith('/') || glob.split('/').includes('..'))
    return refuse(
      'invalid_input',
      `The pattern ${glob} leaves the project; patterns are relative to its root.`,
      {
        field: 'glob',
      },
    )
  // Flag s: a name may hold a line end.
  const options = { dot: true, nonegate: true, windows: false, flags: 's' }
  const matches = picomatch(glob.replace(/^(\.\/)+/, ''), options)
  return { ok: true, value: path => matches(Buffer.from(path).toString()) }
}

/** What every path that the pattern matches begins with. */
export function literalPrefix(glob: string): string {
  const plain = glob.replace(/^(\.\/)+/, '')
  const literal = /^[^*?[\](){}!+@|\\"]*/.exec(plain)?.[0] ?? ''
  return literal.length === plain.length ? literal : literal.slice(0, literal.lastIndexOf('/') + 1)
}
