/** Changes to packages in the bundle that make the program start sooner. Each says what it saves and fails the build when it no longer fits. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

export const lighterStart: readonly Plugin[] = [
  builtinsWithoutFacade(),
  changed('yoga-without-fetch', /yoga-layout[\\/]dist[\\/]binaries[\\/].*\.js$/, hideFetch),
  changed('commander-without-processes', /commander[\\/]lib[\\/]command\.js$/, withoutProcesses),
  changed('string-width-when-used', /string-width[\\/]index\.js$/, makeSegmenterWhenUsed),
]

/**
 * For `import` Node copies every export of its own modules, and reading some of them loads a lot: all standard streams for
 * `process` (14 ms), promises and streams for `fs` (10 ms), half of all text handling for `util` (9 ms). Through `require` only what is used is read.
 */
function builtinsWithoutFacade(): Plugin {
  const namespace = 'builtin-without-facade'
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^(node:)?(process|util|fs)$/ }, ({ path, namespace: from }) =>
        from === namespace ? { path, external: true } : { path, namespace },
      )
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)})`,
      }))
    },
  }
}

/**
 * Ink's layout engine loads its WebAssembly through `fetch` where there is one, which starts Node's whole HTTP client
 * for a text that is already in memory: 70 ms and 8 MiB. Without `fetch` in sight it decodes the text itself.
 */
function hideFetch(source: string): string {
  return `const fetch = undefined;${source}`
}

/** Commander can run subcommands as programs of their own; ours never are, and Node's part for that takes 10 ms to load. */
function withoutProcesses(source: string): string {
  return replaced(source, "import childProcess from 'node:child_process';", 'const childProcess = undefined;')
}

/** The first segmenter takes 20 ms, and most commands print plain letters. */
function makeSegmenterWhenUsed(source: string): string {
  return replaced(
    source,
    'const segmenter = new Intl.Segmenter();',
    'let made; const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };',
  )
}

function changed(name: string, filter: RegExp, change: (source: string) => string): Plugin {
  return {
    name,
    setup(build) {
      build.onLoad({ filter }, async ({ path }) => ({ contents: change(await readFile(path, 'utf8')) }))
    },
  }
}

function replaced(source: string, old: string, now: string): string {
  if (!source.includes(old)) throw new Error(`The package no longer holds: ${old}`)
  return source.replace(old, () => now)
}
