import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { assetFolders } from '../src/infrastructure/system/asset.ts'
import { inkOutput } from './ink-output.ts'
import { lighterStart } from './lighter-start.ts'

/** How `src/main.ts` becomes `dist/main.mjs` and one chunk for each dynamic import. */
export function mainBundle(root: string, outdir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    // Flat: src/infrastructure/system/asset.ts looks for the copied folders beside its own chunk.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    minify: true,
    legalComments: 'linked',
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    // Native packages, which find their binaries beside themselves.
    external: ['better-sqlite3', '@ast-grep/napi'],
    // CommonJS packages in the bundle call `require` for Node's own modules.
    banner: {
      js: "import{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);",
    },
    plugins: [inkOutputPlugin, inkWithoutDeveloperTools, ...lighterStart, watchAssets(root)],
  }
}

/** How `src/launch.ts` becomes `dist/agents.mjs`: one file that an old Node can read. */
export function launcherBundle(root: string, outdir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: { agents: 'src/launch.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node14',
    metafile: true,
    plugins: [
      {
        name: 'main-is-another-bundle',
        setup(build) {
          build.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.mjs', external: true }))
        },
      },
    ],
  }
}

/**
 * In the bundle `await import('a-common-js-package')` gives an object with `default` alone, where Node and the tests give
 * the package's names too: what works everywhere else would be undefined in the product.
 */
export function refuseLateCommonJs({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (path.includes('node_modules/')) continue
    const late = imports.find(each => each.kind === 'dynamic-import' && inputs[each.path]?.format === 'cjs')
    if (!late) continue
    const remedy = 'import it by a statement in a module of its own, and load that module late'
    throw new Error(`${path} loads ${late.path} late, which is CommonJS; ${remedy}`)
  }
}

const inkOutputPlugin: Plugin = {
  name: 'ink-output',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${inkOutput.specifier}$`) }, () => ({ path: inkOutput.path }))
  },
}

/** DEV is a variable people set for other programs; Ink would look for a package and complain that it is missing. */
const inkWithoutDeveloperTools: Plugin = {
  name: 'ink-without-developer-tools',
  setup(build) {
    build.onLoad({ filter: /ink[\\/]build[\\/](reconciler|ink)\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll("process.env['DEV']", 'undefined'),
    }))
  },
}

/** A changed migration or action must start a rebuild although nothing imports it. */
function watchAssets(root: string): Plugin {
  return {
    name: 'watch-assets',
    setup(build) {
      build.onLoad({ filter: /system[\\/]asset\.ts$/ }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        loader: 'ts',
        watchDirs: Object.values(assetFolders).map(folder => join(root, folder)),
      }))
    },
  }
}
