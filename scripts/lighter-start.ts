/** Changes to packages in the bundle that make the program start sooner. Each says what it saves and fails the build when it no longer fits. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

export const lighterStart: readonly Plugin[] = [
  builtinsWithoutFacade(),
  builtinsWhenCalled(),
  schemasApart(),
  changed('yoga-without-fetch', /yoga-layout[\\/]dist[\\/]binaries[\\/].*\.js$/, hideFetch),
  changed('commander-without-processes', /commander[\\/]lib[\\/]command\.js$/, withoutProcesses),
  changed('ulid-without-node-crypto', /ulid[\\/]dist[\\/]node[\\/]index\.js$/, withoutNodeCrypto),
  changed('string-width-when-used', /string-width[\\/]index\.js$/, prepareWhenUsed),
]

/**
 * For `import` Node copies every export of its own modules, and reading some of them loads a lot: all standard streams for
 * `process` (14 ms), promises and streams for `fs` (10 ms), half of all text handling for `util` (9 ms). Here each export
 * is read by itself, and the bundler leaves out those that nothing imports.
 */
function builtinsWithoutFacade(): Plugin {
  const namespace = 'builtin-without-facade'
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^(node:)?(process|util|fs)$/ }, ({ path, namespace: from, kind }) =>
        from !== namespace && kind === 'import-statement' ? { path, namespace } : { path, external: true },
      )
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: exportsOneByOne(path) }))
    },
  }
}

function exportsOneByOne(builtin: string): string {
  const names = Object.keys(createRequire(import.meta.url)(builtin)).filter(name =>
    /^[A-Za-z_]\w*$/.test(name),
  )
  return [
    `const whole = require(${JSON.stringify(builtin)})`,
    'export default whole',
    'const read = name => whole[name]',
    ...names.map(
      (name, at) => `const export${at} = /* @__PURE__ */ read('${name}'); export { export${at} as ${name} }`,
    ),
  ].join('\n')
}

/**
 * Cryptography (12 ms), processes (6 ms), `vm` (5 ms) and `zlib` (3 ms) are imported all over the backend and called by few
 * commands. Our own modules get functions that load them at the first call.
 */
function builtinsWhenCalled(): Plugin {
  const namespace = 'builtin-when-called'
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^node:(crypto|child_process|vm|zlib)$/ }, ({ path, importer, kind }) =>
        kind === 'import-statement' && !/[\\/]node_modules[\\/]/.test(importer) ? { path, namespace } : null,
      )
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: exportsWhenCalled(path) }))
    },
  }
}

function exportsWhenCalled(builtin: string): string {
  const whole: Record<string, unknown> = createRequire(import.meta.url)(builtin)
  const names = Object.keys(whole).filter(name => typeof whole[name] === 'function')
  return [
    `const load = () => require('${builtin}')`,
    'const late = name => Object.assign(',
    '  function (...given) { return new.target ? new (load()[name])(...given) : load()[name](...given) },',
    "  { [Symbol.for('nodejs.util.promisify.custom')]: (...given) => require('node:util').promisify(load()[name])(...given) })",
    ...names.map(name => `export const ${name} = /* @__PURE__ */ late('${name}')`),
  ].join('\n')
}

/**
 * The packages of model providers name all of zod at once. Sharing it would put all of it into the chunk that every
 * command loads (330 kB); so they get a copy of their own, loaded when a model is first asked.
 */
function schemasApart(): Plugin {
  const namespace = 'schemas-apart'
  return {
    name: namespace,
    setup(build) {
      build.onResolve(
        { filter: /^(zod(\/|$)|\.)/ },
        async ({ path, importer, kind, resolveDir, namespace: from }) => {
          const isOfProviders =
            /[\\/]node_modules[\\/](ai|@ai-sdk)[\\/]/.test(importer) && path.startsWith('zod')
          if (kind === 'entry-point' || (from !== namespace && !isOfProviders)) return null
          const found = await build.resolve(path, { kind, resolveDir, importer: '' })
          return { path: found.path, namespace, sideEffects: false, errors: found.errors }
        },
      )
      build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        resolveDir: dirname(path),
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

/** Ulid takes its randomness from the global `crypto`, and loads Node's whole cryptography for where there is none: 5 ms. */
function withoutNodeCrypto(source: string): string {
  return replaced(source, "import crypto from 'node:crypto';", '')
}

/**
 * The first segmenter takes 20 ms and the list of all emoji 12 ms; most commands print plain letters, and the screen's
 * lines and marks are no emoji.
 */
function prepareWhenUsed(source: string): string {
  const lateSegmenter = replaced(
    source,
    'const segmenter = new Intl.Segmenter();',
    'let madeSegmenter; const segmenter = { segment: text => (madeSegmenter ??= new Intl.Segmenter()).segment(text) };',
  )
  return replaced(
    lateSegmenter,
    'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    'const emojiInside = /\\p{Emoji}/u; const rgiEmojiRegex = { test: text => emojiInside.test(text) && /^\\p{RGI_Emoji}$/v.test(text) };',
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
